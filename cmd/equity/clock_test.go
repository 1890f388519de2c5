package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/persistence"
	"equity/persistence/storetest"
)

// TestWrongClockIsRefused starts servers whose clock differs from the last known time of their store.
func TestWrongClockIsRefused(t *testing.T) {
	t.Parallel()
	const login = `{"email": "` + demoEmail + `", "password": "` + demoPassword + `"}`
	for name, known := range map[string]time.Duration{
		"ten years ahead": -10 * 366 * 24 * time.Hour, "sixty days ahead": -60 * 24 * time.Hour, "three days behind": 3 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.demo(t)
			s.know(t, time.Now().Add(known))
			r := s.serve(t)
			if status, body := r.post(t, "/v1/user/login", login); status != http.StatusServiceUnavailable || !strings.Contains(body, `"clockSkew"`) {
				t.Errorf("a write: %d %s", status, body)
			}
			if status, body := r.get(t, r.url+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "clock") {
				t.Errorf("/readyz: %d %s", status, body)
			}
			mustContain(t, r.log.String(), "the clock differs too much from the last known time")
			r.end(t)
			again := s.serve(t, "--accept-clock")
			if status, body := again.post(t, "/v1/user/login", login); status != http.StatusOK {
				t.Errorf("with a confirmed clock: %d %s", status, body)
			}
		})
	}
}

// know sets the last known time of the shell's store.
func (s *shell) know(t *testing.T, moment time.Time) {
	t.Helper()
	c, err := s.program("", &safeBuffer{}, &safeBuffer{}).settings(nil)
	if err == nil {
		err = withDatabase(t.Context(), c, func(db *persistence.Database) error { return db.SetKnownMoment(t.Context(), moment) })
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestServerStartsAfterDaysOfDowntime(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	s.know(t, time.Now().Add(-29*24*time.Hour))
	r := s.serve(t)
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}

// TestClockOfTheDatabaseConfirmsALongStop needs no setting on PostgreSQL.
func TestClockOfTheDatabaseConfirmsALongStop(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		if err := db.SetKnownMoment(t.Context(), time.Now().Add(-30*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
		w, err := newWriteGuard(t.Context(), db, time.Now, clockLimits{skew: 24 * time.Hour}, discard())
		if err != nil {
			t.Fatal(err)
		}
		if believed := w.Writable() == nil; believed != (db.Engine() == persistence.PostgreSQL) {
			t.Errorf("believed: %t", believed)
		}
	})
}

func TestLastRowJudgesTheClockOfAnOldStore(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	s.variables["CLOCK_STOP_LIMIT"] = "24h"
	s.alter(t, `DELETE FROM clock_reading`)
	s.alter(t, `UPDATE journal_head SET recorded_at = recorded_at - 259200000000`) // three days
	r := s.serve(t)
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "clock") {
		t.Errorf("/readyz: %d %s", status, body)
	}
}

func TestWritingCommandsCheckTheClock(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["CLOCK_STOP_LIMIT"] = "24h"
	s.run(t, "demo")
	folder := filepath.Join(s.directory, "package.zip")
	s.run(t, "export", s.demoID(t), "--output", folder)
	s.know(t, time.Now().Add(-3*24*time.Hour))
	mustContain(t, s.refused(t, statusFailed, "import", "ocf", "--owner", demoEmail, folder), "clock differs too much")
	s.alter(t, `DELETE FROM users`)
	mustContain(t, s.refused(t, statusFailed, "demo"), "clock differs too much")
	s.run(t, "demo", "--accept-clock")
}

func TestClockJumpRefusesWrites(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		now := time.Now()
		w, err := newWriteGuard(t.Context(), db, func() time.Time { return now }, clockLimits{skew: 24 * time.Hour}, discard())
		if err != nil {
			t.Fatal(err)
		}
		for _, jump := range []time.Duration{3 * 24 * time.Hour, -3 * 24 * time.Hour} {
			now = now.Add(jump)
			if w.Writable() == nil || w.Ready(context.Background()) == nil {
				t.Errorf("a jump by %s is believed", jump)
			}
			now = now.Add(-jump)
			if err := w.Writable(); err != nil {
				t.Errorf("after the clock was set right: %v", err)
			}
		}
	})
}

func TestNewerSchemaRefusesWritesOfARunningServer(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		w, err := newWriteGuard(t.Context(), db, time.Now, clockLimits{skew: 24 * time.Hour}, discard())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Writer().ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99123, TRUE)`); err != nil {
			t.Fatal(err)
		}
		w.compareSchema(t.Context())
		if w.Writable() == nil {
			t.Error("writes are permitted")
		}
		if err := w.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "99123") {
			t.Errorf("readiness: %v", err)
		}
	})
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
