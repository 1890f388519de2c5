package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/app/doctor"
)

// withCompany starts a server with the demo company in an SQLite file, and returns the path of the file.
func withCompany(t *testing.T) (*shell, *exposed, string) {
	t.Helper()
	s := setup(t)
	e := &exposed{running: s.serve(t, "--demo")}
	response, _ := e.send(t, http.MethodPost, "/v1/user/login", demoLogin)
	e.cookie, _, _ = strings.Cut(response.Header.Get("Set-Cookie"), ";")
	_, body := e.send(t, http.MethodGet, "/v1/organization", "")
	_, rest, _ := strings.Cut(body, `"id":"`)
	e.home = "/v1/organization/" + rest[:36]
	return s, e, filepath.Join(s.directory, "data", "equity.db")
}

func TestServerNoticesAnExchangedDatabaseFile(t *testing.T) {
	t.Parallel()
	s, e, path := withCompany(t)
	if response, body := e.write(t, "A"); response.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	response, body := e.write(t, "B")
	if response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "was moved or replaced") {
		t.Errorf("a write: %d %s", response.StatusCode, body)
	}
	if response, body := e.send(t, http.MethodGet, e.home+"/captable", ""); response.StatusCode != http.StatusOK {
		t.Errorf("a read: %d %s", response.StatusCode, body)
	}
	response, body = send(t, http.DefaultClient, http.MethodGet, e.metrics+"/readyz", "", "")
	if response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, path) {
		t.Errorf("/readyz: %d %s", response.StatusCode, body)
	}
	s.doctor(t).finds(t, "database", doctor.Failure, "under the running server")
	if _, err := os.Stat(path); err == nil {
		t.Error("the doctor made a store")
	}
	if err := os.Rename(path+".old", path); err != nil {
		t.Fatal(err)
	}
	if response, body := e.write(t, "C"); response.StatusCode != http.StatusCreated {
		t.Errorf("a write after the repair: %d %s", response.StatusCode, body)
	}
}

func TestStoreIsNotCreatedBesideAnEarlierOne(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim string
		make  func(t *testing.T, s *shell) (remains string)
	}{
		{"a secret key", func(t *testing.T, s *shell) string {
			t.Helper()
			s.demo(t)
			path := filepath.Join(s.directory, "data")
			for _, suffix := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(filepath.Join(path, "equity.db"+suffix))
			}
			return filepath.Join(path, "secret.key")
		}},
		{"content of a file", func(t *testing.T, s *shell) string {
			t.Helper()
			folder := filepath.Join(s.directory, "data", "files", "ab")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			probe := filepath.Join(s.directory, "data", "files", doctor.ProbePrefix+"1") // of a check that runs at the same time
			if err := os.WriteFile(probe, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(folder, "cd")
			if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			remains := test.make(t, s)
			s.doctor(t).finds(t, "database", doctor.Failure, remains)
			for _, command := range []string{"serve", "migrate", "demo"} {
				mustContain(t, s.refused(t, statusFailed, command), remains, "--new-store")
			}
			if _, err := os.Stat(filepath.Join(s.directory, "data", "equity.db")); err == nil {
				t.Error("a refused start made a store")
			}
			_ = s.refused(t, statusFailed, "verify") // leaves an empty store
			mustContain(t, s.refused(t, statusFailed, "serve"), remains)
			mustContain(t, s.run(t, "migrate", "--new-store"), "is up to date")
			s.serve(t)
		})
	}
}

func TestRestoreNeedsNoNewStore(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	copied := filepath.Join(s.directory, "backup")
	s.run(t, "backup", copied)
	path := filepath.Join(s.directory, "data", "equity.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
	mustContain(t, s.run(t, "restore", copied), "0 with faults")
	s.serve(t)
}
