package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// TestPointInTimeRestore runs the procedure of docs/operations.md: a base backup and the archived log restore the state between two
// changes, after the later one is known to be a mistake.
func TestPointInTimeRestore(t *testing.T) {
	t.Parallel()
	server := storetest.NewServer(t)
	archive := server.Folder("archive")
	server.Initialize(t, "data")
	server.Configure(
		t, "data", "archive_mode = on",
		fmt.Sprintf("archive_command = 'mkdir -p %s && test ! -f %s/%%f && cp %%p %s/%%f'", archive, archive, archive),
	)
	server.Start(t, "data")
	s := setup(t)
	s.variables["DATABASE_URL"] = server.Address()
	id := s.demoID(t)
	server.Copy(t, "base")

	rename := func(name string) {
		t.Helper()
		r := s.serve(t)
		if status, _, body := r.signIn(t).send(t, "PATCH", "/v1/organization/"+id, `{"name":"`+name+`"}`); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		r.end(t)
	}
	rename("Before Inc.")
	target := server.Query(t, `SELECT clock_timestamp()::text`)
	rename("Mistake Inc.")
	server.Query(t, `SELECT pg_switch_wal()::text`)
	server.Stop(t, "data") // archives the rest

	server.Configure(t, "base", fmt.Sprintf("restore_command = 'cp %s/%%f %%p'", archive), "recovery_target_time = '"+target+"'",
		"recovery_target_action = 'promote'", "archive_mode = off")
	if err := os.WriteFile(filepath.Join(server.Folder("base"), "recovery.signal"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	server.Start(t, "base")
	storetest.Cleanup(t, func() { server.Stop(t, "base") })
	for server.Query(t, `SELECT pg_is_in_recovery()::text`) == "true" { // until the end of the recovery
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
