package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// TestStandbyOfComposeIsSynchronous runs the scripts of the primary and of the standby with the PostgreSQL of this machine. A commit of the primary
// waits until the standby follows.
func TestStandbyOfComposeIsSynchronous(t *testing.T) {
	t.Parallel()
	const password = "it's a password"
	primary, standby := storetest.NewServer(t), storetest.NewServer(t)
	primary.Initialize(t, "data")
	// As in the image, there is no trust for the replication over the network.
	if err := os.WriteFile(primary.Folder("data/pg_hba.conf"), []byte("host all equity 127.0.0.1/32 trust\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	primary.Start(t, "data")
	storetest.Cleanup(t, func() { primary.KillQuietly("data") })
	host, port, _ := strings.Cut(primary.Host(), ":")
	script := primary.Script(t, deployed("compose/primary.sh"), []string{
		"PGDATA=" + primary.Folder("data"), "PGHOST=" + host, "PGPORT=" + port, "POSTGRES_USER=equity", "POSTGRES_DB=postgres", "POSTGRES_PASSWORD=" + password,
	})
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	primary.Stop(t, "data")
	primary.Start(t, "data")

	committed := make(chan error, 1)
	go func() {
		_, err := value(t.Context(), primary.Address(), `SELECT lo_create(77)::text`)
		committed <- err
	}()
	until(t, "a waiting commit", func() bool {
		return primary.Query(t, `SELECT COUNT(*)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'`) == "1"
	})
	_, own, _ := strings.Cut(standby.Host(), ":")
	follower := standby.Script(t, deployed("compose/standby.sh"), []string{
		"PGDATA=" + standby.Folder("data"), "PGPASSWORD=" + password, "PRIMARY=" + host, "PRIMARY_PORT=" + port,
	}, "-p", own, "-k", standby.Folder(""), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off")
	var log safeBuffer
	follower.Stdout, follower.Stderr = &log, &log
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() {
		standby.KillQuietly("data")
		_ = follower.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	select {
	case err := <-committed:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the commit does not end with a standby")
	}
	if state := primary.Query(t, `SELECT string_agg(sync_state || ' ' || state, ',') FROM pg_stat_replication WHERE application_name = 'standby'`); state != "sync streaming" {
		t.Errorf("replication: %s", state)
	}
	until(t, "the commit at the standby", func() bool {
		found, err := value(t.Context(), standby.Address(), `SELECT COUNT(*)::text FROM pg_largeobject_metadata WHERE oid = 77`)
		return err == nil && found == "1" // it may not accept connections yet
	})
	if allowed := standby.Query(t, "SHOW max_connections"); allowed != "200" {
		t.Errorf("the standby permits %s connections; with fewer than the primary it does not start", allowed)
	}
	if out := startPrimary(t, primary, standby); out != "started" {
		t.Errorf("the primary with its standby: %s", out)
	}
	primary.KillQuietly("data")
	standby.Promote(t, "data")
	if out := startPrimary(t, primary, standby); !strings.Contains(out, "The standby was promoted") {
		t.Errorf("the old primary after the promotion: %s", out)
	}
	if out := startPrimary(t, standby, standby); out != "started" {
		t.Errorf("a primary with the records of the standby: %s", out)
	}
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := value(limited, standby.Address(), `SELECT lo_create(78)::text`); err != nil {
		t.Errorf("a commit after the promotion: %v", err)
	}
}

// startPrimary runs the script that starts the primary, with a program in place of the one that starts PostgreSQL, and returns its output.
func startPrimary(t *testing.T, primary, standby *storetest.Server) string {
	t.Helper()
	programs := primary.Folder("programs")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(programs, "docker-entrypoint.sh"), []byte("#!/bin/sh\nprintf started\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := primary.Script(t, deployed("compose/start-primary.sh"), []string{
		"PGDATA=" + primary.Folder("data"), "STANDBY=" + standby.Folder("data"), "PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"),
	})
	out, _ := script.CombinedOutput() // a refusal is an output too
	return string(out)
}

// value returns the only value of a statement.
func value(ctx context.Context, address, statement string) (text string, err error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(ctx, statement).Scan(&text)
	return text, err
}
