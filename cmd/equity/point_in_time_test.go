package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the drill
)

// postgresServer is a private PostgreSQL server of one test.
type postgresServer struct {
	programs, folder, port string
}

// postgresPrograms returns the folder of the newest installed version.
func postgresPrograms(t *testing.T) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		t.Fatal("initdb is missing: run the tests with .ci/with-services, which installs PostgreSQL")
	}
	return filepath.Dir(path)
}

// run runs a program of PostgreSQL. It refuses to run as root; its own user runs it then.
func (s postgresServer) run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	command := append([]string{filepath.Join(s.programs, program)}, arguments...)
	if os.Getuid() == 0 {
		command = append([]string{"runuser", "-u", "postgres", "--"}, command...)
	}
	var out bytes.Buffer
	run := exec.CommandContext(context.WithoutCancel(t.Context()), command[0], command[1:]...)
	run.Dir = "/"
	log, err := os.Create(filepath.Join(s.folder, program+".out")) // a server that inherits a pipe would keep it open
	if err != nil {
		t.Fatal(err)
	}
	run.Stdout, run.Stderr = log, log
	err = run.Run()
	_ = log.Close()
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		server, _ := os.ReadFile(filepath.Join(s.folder, "server.log"))
		out.Write(text)
		t.Fatalf("%s: %v\n%s%s", strings.Join(command, " "), err, out.String(), server)
	}
}

func (s postgresServer) start(t *testing.T, data string) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", filepath.Join(s.folder, data), "-l", filepath.Join(s.folder, "server.log"), "-s", "-w", "-o",
		"-p "+s.port+" -k "+s.folder+" -c listen_addresses=127.0.0.1 -c fsync=off", "start")
}

func (s postgresServer) stop(t *testing.T, data string) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", filepath.Join(s.folder, data), "-m", "fast", "-s", "-w", "stop")
}

func (s postgresServer) address() string {
	return "postgres://equity@127.0.0.1:" + s.port + "/postgres?sslmode=disable"
}

func (s postgresServer) query(t *testing.T, statement string) (text string) {
	t.Helper()
	db, err := sql.Open("pgx", s.address())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(t.Context(), statement).Scan(&text); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return text
}

// TestPointInTimeRestore runs the procedure of docs/operations.md: a base backup and the archived log restore the state between two
// changes, after the later one is known to be a mistake.
func TestPointInTimeRestore(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "equity-pitr-") //nolint:usetesting // t.TempDir is not accessible for the user of PostgreSQL
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	server := postgresServer{programs: postgresPrograms(t), folder: folder, port: freePort(t)}
	archive := filepath.Join(folder, "archive")
	server.run(t, "initdb", "-D", filepath.Join(folder, "data"), "-U", "equity", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
	server.configure(t, "data", "archive_mode = on", fmt.Sprintf("archive_command = 'mkdir -p %s && test ! -f %s/%%f && cp %%p %s/%%f'", archive, archive, archive))
	server.start(t, "data")
	s := setup(t)
	s.variables["DATABASE_URL"] = server.address()
	id := s.demoID(t)
	server.run(t, "pg_basebackup", "-D", filepath.Join(folder, "base"), "-h", "127.0.0.1", "-p", server.port, "-U", "equity", "--checkpoint=fast")

	rename := func(name string) {
		t.Helper()
		r := s.serve(t)
		if status, _, body := r.signIn(t).send(t, "PATCH", "/v1/organization/"+id, `{"name":"`+name+`"}`); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		r.end(t)
	}
	rename("Before Inc.")
	target := server.query(t, `SELECT clock_timestamp()::text`)
	rename("Mistake Inc.")
	server.query(t, `SELECT pg_switch_wal()::text`)
	server.stop(t, "data") // archives the rest

	server.configure(t, "base", fmt.Sprintf("restore_command = 'cp %s/%%f %%p'", archive), "recovery_target_time = '"+target+"'",
		"recovery_target_action = 'promote'", "archive_mode = off")
	if err := os.WriteFile(filepath.Join(folder, "base", "recovery.signal"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	server.start(t, "base")
	t.Cleanup(func() { server.stop(t, "base") })
	for server.query(t, `SELECT pg_is_in_recovery()::text`) == "true" { // until the end of the recovery
		if t.Context().Err() != nil {
			t.Fatal("the recovery did not end")
		}
	}
	mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
	mustContain(t, s.run(t, "doctor"), "ok       database", "ok       stored keys")
	proof := s.run(t, "export", id, "--format", "proof")
	if !strings.Contains(proof, "Before Inc.") || strings.Contains(proof, "Mistake Inc.") {
		t.Error("the restored store does not have the state of the target time")
	}
	rename("After Inc.")
}

// configure adds lines to the configuration.
func (s postgresServer) configure(t *testing.T, data string, lines ...string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(s.folder, data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
