package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"equity/cmd/equity/backup"
	"equity/persistence/storetest"
)

func TestRestoreKeepsAnExistingStore(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	folder := filepath.Join(s.directory, "backup")
	s.run(t, "backup", "--with-secret-key", folder)
	mustContain(t, s.refused(t, statusFailed, "backup", folder), "exists")
	mustContain(t, s.refused(t, statusFailed, "restore", folder), "--replace")
	mustContain(t, s.run(t, "restore", "--replace", folder), "The existing store was renamed", "0 with faults")
}

func TestRestoreIsRefusedWhileAServerRuns(t *testing.T) {
	t.Parallel()
	s := setup(t)
	r := s.serve(t)
	folder := filepath.Join(s.directory, "backup")
	s.run(t, "backup", folder)
	mustContain(t, s.refused(t, statusFailed, "restore", "--replace", folder), "another equity process")
	mustContain(t, s.refused(t, statusFailed, "demo"), "another equity process")
	mustContain(t, s.run(t, "verify"), "0 with faults")
	r.end(t)
}

func TestDamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	folder := filepath.Join(s.directory, "backup")
	s.run(t, "backup", folder)
	file, err := os.OpenFile(filepath.Join(folder, "equity.db"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("x")
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	mustContain(t, setup(t).refused(t, statusFailed, "restore", folder), "the backup is damaged: equity.db")
}

func TestRestoreReportsADifferentSecretKey(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	folder := filepath.Join(s.directory, "backup")
	s.run(t, "backup", folder)
	other := setup(t)
	other.variables["SECRET_KEY"] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	mustContain(t, other.run(t, "restore", folder), "is not the key of the backed up server", "0 with faults")
	mustContain(t, other.refused(t, statusFailed, "serve"), "the configured secret key does not match")
}

func TestBackupOfAnEarlierBuildIsRestoredAndVerified(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	folder := filepath.Join(s.directory, "backup")
	s.run(t, "backup", "--with-secret-key", folder)
	manifest, err := backup.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	s.variables["DATABASE_URL"] = "sqlite://" + filepath.Join(folder, backup.DatabaseName)
	s.alter(t, `DROP TABLE known_device`) // as before its migration
	s.alter(t, `DELETE FROM goose_db_version WHERE version_id = 47`)
	if err := os.Remove(filepath.Join(folder, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	if err := backup.Seal(folder, manifest); err != nil {
		t.Fatal(err)
	}
	other := setup(t)
	mustContain(t, other.run(t, "restore", folder), "Restored the backup", "0 with faults")
	other.serve(t).end(t)
}

func TestRefusedStartWritesNoKey(t *testing.T) {
	t.Parallel()
	t.Run("a start without the key of a store with keys is refused and writes no key", func(t *testing.T) {
		t.Parallel()
		s := setup(t)
		s.demo(t)
		key := filepath.Join(s.directory, "data", "secret.key")
		if err := os.Remove(key); err != nil {
			t.Fatal(err)
		}
		mustContain(t, s.refused(t, statusFailed, "serve"), "SECRET_KEY: ", key+": no such file")
		if _, err := os.Stat(key); err == nil {
			t.Error("a key was written")
		}
	})
	t.Run("a start at an address in use is refused and writes no file", func(t *testing.T) {
		t.Parallel()
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = taken.Close() }()
		s := setup(t)
		s.variables["LISTEN"] = taken.Addr().String()
		s.refused(t, statusFailed, "serve", "--demo")
		if left, _ := filepath.Glob(filepath.Join(s.directory, "data", "*")); len(left) > 0 {
			t.Errorf("the start left %v", left)
		}
	})
}

// TestDumpOfPostgreSQLIsRestored runs the commands of docs/operations.md.
func TestDumpOfPostgreSQLIsRestored(t *testing.T) {
	t.Parallel()
	s := setup(t)
	address := storetest.PostgreSQL(t)
	s.variables["DATABASE_URL"] = address
	s.demo(t)
	plain, schema := withoutSchema(t, address)
	dump := filepath.Join(s.directory, "equity.dump")
	tool(t, "pg_dump", "--format=custom", "--schema="+schema, "--file="+dump, plain)
	s.alter(t, `DELETE FROM journal WHERE sequence > 5`)
	s.refused(t, statusFailed, "verify")
	tool(t, "psql", "--quiet", "--dbname="+plain, "--command=DROP SCHEMA "+schema+" CASCADE") // in place of a new database
	tool(t, "pg_restore", "--single-transaction", "--dbname="+plain, dump)
	mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
}

func TestBackupOfPostgreSQLBesideAServerIsRestored(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["DATABASE_URL"] = storetest.PostgreSQL(t)
	id := s.demoID(t)
	r := s.serve(t)
	folder := filepath.Join(s.directory, "backup")
	mustContain(t, s.run(t, "backup", folder), "contains a backup")
	if status, _, body := r.signIn(t).send(t, "PATCH", "/v1/organization/"+id, `{"name":"Mistake Inc."}`); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	mustContain(t, s.refused(t, statusFailed, "restore", folder), "--replace")
	mustContain(t, s.refused(t, statusFailed, "restore", "--replace", folder), "stop all servers")
	r.end(t)
	mustContain(t, s.run(t, "restore", "--replace", folder), "into the database", "1 organizations checked, 0 with faults")
	if proof := s.run(t, "export", id, "--format", "proof"); strings.Contains(proof, "Mistake Inc.") {
		t.Error("the restored store has a later change")
	}
	s.serve(t)
	embedded := setup(t)
	mustContain(t, embedded.refused(t, statusFailed, "restore", folder), "other database engine")
}

// withoutSchema splits the address of a test store into the address of its database and the schema.
func withoutSchema(t *testing.T, address string) (plain, schema string) {
	t.Helper()
	plain, query, _ := strings.Cut(address, "?")
	for part := range strings.SplitSeq(query, "&") {
		if name, found := strings.CutPrefix(part, "search_path="); found {
			schema = name
		} else if !strings.HasPrefix(part, "application_name=") {
			plain += "?" + part
		}
	}
	return plain, schema
}

func tool(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}
