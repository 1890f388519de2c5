package main

import (
	"context"
	"testing"
	"time"

	"equity/persistence"
)

// holding runs work while a transaction of another program blocks writes of the store, and ends the transaction after the
// duration.
func (s *shell) holding(t *testing.T, duration time.Duration, work func()) {
	t.Helper()
	c, err := s.program("", &safeBuffer{}, &safeBuffer{}).settings(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = withDatabase(context.Background(), c, func(db *persistence.Database) error {
		tx, err := db.Writer().BeginTx(context.Background(), nil)
		if err != nil {
			return err
		}
		if db.Engine() == persistence.PostgreSQL { // a transaction of SQLite has the lock from its start
			if _, err := tx.ExecContext(context.Background(), `LOCK TABLE journal_head, membership IN EXCLUSIVE MODE`); err != nil {
				return err
			}
		}
		ended := make(chan error, 1)
		time.AfterFunc(duration, func() { ended <- tx.Rollback() })
		work()
		return <-ended
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMaintenanceOutlivesTheStoreTimeout blocks the store for longer than a request may wait.
func TestMaintenanceOutlivesTheStoreTimeout(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *shell) {
		t.Helper()
		s.alter(t, `DELETE FROM membership`)
		s.variables["STORE_TIMEOUT"] = "100ms"
		s.holding(t, time.Second, func() { mustContain(t, s.run(t, "verify", "--repair"), "membership: 1 rows are missing") })
		mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
	})
}
