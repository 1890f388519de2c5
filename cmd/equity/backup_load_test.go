package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// issuer issues shares of one security of a new company.
type issuer struct {
	*browser
	home, body string
	stop       chan struct{}
	writers    sync.WaitGroup

	mu  sync.Mutex
	ids []string // of the acknowledged shares
}

// newIssuer creates a company with a security.
func newIssuer(t *testing.T, r *running) *issuer {
	t.Helper()
	i := &issuer{browser: r.signIn(t), stop: make(chan struct{})}
	i.home = "/v1/organization/" + i.created(t, "/v1/organization", `{"name": "Load", "currency": "USD"}`)
	security := i.created(t, i.home+"/security", `{"name": "Common", "shareType": "common", "prefix": "CS", "authorizedShares": "1000000"}`)
	member := i.created(t, i.home+"/member", `{"fullName": "Grace Hopper"}`)
	i.body = fmt.Sprintf(`{"member": %q, "security": %q, "shares": "1", "issueDate": "2026-01-02"}`, member, security)
	return i
}

// created sends a request that creates a record, and returns its id.
func (v *browser) created(t *testing.T, path, body string) string {
	t.Helper()
	status, _, text := v.send(t, http.MethodPost, path, body)
	var record struct{ ID string }
	if err := json.Unmarshal([]byte(text), &record); err != nil || status != http.StatusCreated {
		t.Fatalf("%s: %d %s", path, status, text)
	}
	return record.ID
}

// write issues shares until the issuer stops.
func (i *issuer) write(t *testing.T) {
	t.Helper()
	for {
		select {
		case <-i.stop:
			return
		default:
		}
		status, _, text := i.send(t, http.MethodPost, i.home+"/shareholding", i.body)
		var share struct{ ID string }
		if err := json.Unmarshal([]byte(text), &share); err != nil || status != http.StatusCreated {
			t.Errorf("a write during the backup: %d %s", status, text)
			return
		}
		i.mu.Lock()
		i.ids = append(i.ids, share.ID)
		i.mu.Unlock()
	}
}

// acknowledged returns the ids of the acknowledged shares.
func (i *issuer) acknowledged() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.ids)
}

// await returns the acknowledged shares when their number has reached the minimum.
func (i *issuer) await(t *testing.T, minimum int) []string {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < time.Minute; <-time.After(time.Millisecond) {
		if ids := i.acknowledged(); len(ids) >= minimum {
			return ids
		}
	}
	t.Fatalf("%d shares were issued in a minute", len(i.acknowledged()))
	return nil
}

// shares returns the ids of all shares of the company.
func (v *browser) shares(t *testing.T, home string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for cursor := ""; ; {
		status, _, text := v.send(t, http.MethodGet, home+"/shareholding?limit=200"+cursor, "")
		var page struct {
			Data       []struct{ ID string }
			NextCursor string
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		for _, share := range page.Data {
			found[share.ID] = true
		}
		if page.NextCursor == "" {
			return found
		}
		cursor = "&cursor=" + page.NextCursor
	}
}

// TestBackupUnderWritesContainsEachAcknowledgedWrite backs up a store while several writers issue shares, and restores the
// backup to an empty folder.
func TestBackupUnderWritesContainsEachAcknowledgedWrite(t *testing.T) {
	t.Parallel()
	s := setup(t)
	r := s.serve(t, "--demo")
	i := newIssuer(t, r)
	for range 4 {
		i.writers.Go(func() { i.write(t) })
	}
	before := i.await(t, 100)
	folder := filepath.Join(s.directory, "backup")
	mustContain(t, s.run(t, "backup", folder, "--within", "1m"), "contains a backup", "secret.key")
	i.await(t, len(before)+20) // the writers were not held up
	close(i.stop)
	i.writers.Wait()
	r.end(t)

	other := setup(t)
	mustContain(t, other.run(t, "restore", folder), "Restored the backup", "No secret key is set", "2 organizations checked, 0 with faults")
	mustContain(t, other.run(t, "verify"), "2 organizations checked, 0 with faults")
	copyKey(t, s, other)
	again := other.serve(t)
	found := again.signIn(t).shares(t, i.home)
	for _, id := range before {
		if !found[id] {
			t.Errorf("the share %s was acknowledged before the backup and is missing in it", id)
		}
	}
	if len(found) > len(i.ids) {
		t.Errorf("%d shares are restored; %d were acknowledged", len(found), len(i.ids))
	}
}

// copyKey copies the secret key of a server to another one.
func copyKey(t *testing.T, from, to *shell) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from.variables["DATA_DIRECTORY"], "secret.key"))
	folder := to.variables["DATA_DIRECTORY"]
	if err := errors.Join(err, os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "secret.key"), key, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestBackupEndsAtItsLimitUnderWrites cancels a backup during writes. No part of it remains, and the next one succeeds.
func TestBackupEndsAtItsLimitUnderWrites(t *testing.T) {
	t.Parallel()
	s := setup(t)
	i := newIssuer(t, s.serve(t, "--demo"))
	i.writers.Go(func() { i.write(t) })
	i.await(t, 10)
	folder := filepath.Join(s.directory, "backup")
	mustContain(t, s.refused(t, statusFailed, "backup", folder, "--within", "1ms"), "deadline exceeded")
	if left, err := filepath.Glob(folder + "*"); err != nil || len(left) > 0 {
		t.Errorf("files remain: %s %v", strings.Join(left, ", "), err)
	}
	s.run(t, "backup", folder)
	i.await(t, len(i.acknowledged())+10)
	close(i.stop)
	i.writers.Wait()
}
