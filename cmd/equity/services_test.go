package main

import (
	"net/http"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// setupServices returns a shell with a store on PostgreSQL and sessions in Redis.
func setupServices(t *testing.T) *shell {
	t.Helper()
	s := setup(t)
	s.variables["DATABASE_URL"] = storetest.PostgreSQL(t)
	s.variables["REDIS_URL"], _ = storetest.Redis(t) // the server has its own prefix
	return s
}

// TestCommandsWorkOnServices runs the commands that the other tests
// run on SQLite on external services, one after another.
func TestCommandsWorkOnServices(t *testing.T) {
	t.Parallel()
	s := setupServices(t)
	mustContain(t, s.refused(t, statusFailed, "verify"), "equity migrate")
	if first := s.run(t, "migrate"); strings.Contains(first, "applied steps: 0") {
		t.Errorf("an empty store was up to date: %s", first)
	}
	mustContain(t, s.run(t, "migrate"), "applied steps: 0")
	id := s.demoID(t)
	made := s.runWith(t, "correct horse battery\n", "admin", "create", "root@example.com")
	mustContain(t, made.out+made.errors, "administers this server")
	mustContain(t, s.run(t, "admin", "rotate-keys"), "under a new key")
	mustContain(t, s.run(t, "admin", "block", "example.org"), "are refused")

	r := s.serve(t, "--demo")
	if log := r.log.String(); strings.Contains(log, "SQLite") || strings.Contains(log, "sessions are stored") {
		t.Errorf("an embedded store is used:\n%s", log)
	}
	mustContain(t, r.log.String(), "mail is written to files")
	status, body := r.post(t, "/v1/user/login", `{"email": "root@example.com", "password": "correct horse battery"}`)
	if status != http.StatusOK {
		t.Errorf("the administrator cannot sign in: %d %s", status, body)
	}
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusOK {
		t.Errorf("not ready: %d %s", status, body)
	}
	r.end(t)

	proof := s.run(t, "export", id, "--format", "proof")
	mustContain(t, s.run(t, "verify", s.file(t, "proof.jsonl", proof)), "Northwind", "is valid")
	mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
	s.alter(t, `UPDATE journal SET actor = 'somebody' WHERE sequence IN (3, 7)`)
	mustContain(t, s.refused(t, statusFailed, "verify"), id+": the row of sequence 3 or an earlier row was altered", "1 with faults")
}

func TestServerWithoutSessionStoreIsNotReady(t *testing.T) {
	t.Parallel()
	s := setup(t)
	address, _ := storetest.Redis(t)
	proxy := storetest.NewProxy(t, strings.TrimSuffix(strings.TrimPrefix(address, "redis://"), "/0"))
	s.variables["REDIS_URL"] = "redis://" + proxy.Address() + "/0"
	r := s.serve(t)
	proxy.Refuse(true)
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "sessions") {
		t.Errorf("without Redis: %d %s", status, body)
	}
	if status, _ := r.get(t, r.url+"/healthz"); status != http.StatusOK {
		t.Errorf("a process that lives answers /healthz with %d", status)
	}
	proxy.Refuse(false)
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusOK {
		t.Errorf("when Redis is back: %d %s", status, body)
	}
}

func TestConcurrentMigrationsAreSafe(t *testing.T) {
	t.Parallel()
	s := setupServices(t)
	output := make(chan answered)
	for range 4 {
		go func() { output <- s.runWith(t, "", "migrate") }()
	}
	working := 0
	for range 4 {
		a := <-output
		if a.status != statusDone {
			t.Error(a.errors)
		}
		if !strings.Contains(a.out, "applied steps: 0") {
			working++
		}
	}
	if working != 1 {
		t.Errorf("%d runs applied the same steps", working)
	}
}
