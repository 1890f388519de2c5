package main

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"equity/persistence"
)

var organizationID = regexp.MustCompile(`(?m)^([0-9a-f-]{36}): `)

// demoID creates the demo company and returns its id.
func (s *shell) demoID(t *testing.T) string {
	t.Helper()
	s.demo(t)
	found := organizationID.FindStringSubmatch(s.run(t, "verify"))
	if found == nil {
		t.Fatal("verify names no organization")
	}
	return found[1]
}

// alter changes the store directly.
func (s *shell) alter(t *testing.T, statement string) {
	t.Helper()
	c, err := s.program("", &safeBuffer{}, &safeBuffer{}).settings(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = withDatabase(context.Background(), c, func(db *persistence.Database) error {
		_, err := db.Writer().ExecContext(context.Background(), statement)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRepeatedMigrationHasNoEffect(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first := s.run(t, "migrate")
	if strings.Contains(first, "applied steps: 0") {
		t.Errorf("an empty store was up to date: %s", first)
	}
	mustContain(t, s.run(t, "migrate"), "applied steps: 0")
	elsewhere := "sqlite://" + filepath.Join(s.directory, "elsewhere.db")
	if second := s.run(t, "migrate", "--database-url", elsewhere); second != first {
		t.Errorf("the flag selects another store, but: %s", second)
	}
}

func TestMissingStoreIsReported(t *testing.T) {
	t.Parallel()
	s := setup(t)
	mustContain(t, s.refused(t, statusFailed, "verify"), "equity migrate")
	s.run(t, "migrate")
	mustContain(t, s.run(t, "verify"), "0 organizations checked, 0 with faults")
	mustContain(t, s.refused(t, statusFailed, "export", "01890000-0000-7000-8000-000000000000"), "there is no organization")
}

func TestAlteredHistoryIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ claim, statement, want string }{
		{"a changed payload", `UPDATE journal SET payload = replace(payload, 'Northwind', 'Southwind') WHERE sequence = 1`, "the row of sequence 1 or an earlier row was altered"},
		{"a changed author", `UPDATE journal SET actor = 'somebody' WHERE sequence = 3`, "the row of sequence 3 or an earlier row was altered"},
		{"a changed time", `UPDATE journal SET recorded_at = recorded_at + 1 WHERE sequence = 4`, "the row of sequence 4 or an earlier row was altered"},
		{"a deleted row", `DELETE FROM journal WHERE sequence = 5`, "sequence 4 is followed by 6"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			id := s.demoID(t)
			s.alter(t, test.statement)
			output := s.refused(t, statusFailed, "verify")
			mustContain(t, output, id+": ", test.want, "1 organizations checked, 1 with faults", errNotWell.Error())
			mustContain(t, s.refused(t, statusFailed, "verify", "--organization", id), test.want)
		})
	}
}

func TestProofIsCheckedWithoutStoreAndSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	path := filepath.Join(s.directory, "proof.jsonl")
	s.run(t, "export", id, "--format", "proof", "-o", path)
	stranger := &shell{variables: map[string]string{"LISTEN": "no matter"}, directory: t.TempDir()}
	mustContain(t, stranger.run(t, "verify", path), "Northwind", id, "is valid")

	proof := s.run(t, "export", id, "--format", "proof")
	for _, test := range []struct{ claim, text string }{
		{"an altered proof", strings.Replace(proof, "Northwind Instruments", "Southwind Instruments", 2)},
		{"a proof without its last row", proof[:strings.LastIndex(strings.TrimSpace(proof), "\n")+1]},
		{"an empty file", ""},
	} {
		if test.text == proof {
			t.Fatalf("%s: the proof is as it was", test.claim)
		}
		if output := s.refused(t, statusFailed, "verify", s.file(t, "altered.jsonl", test.text)); strings.Contains(output, "is valid:") {
			t.Errorf("%s passes: %s", test.claim, output)
		}
	}
}

func TestVerifyRefusesAnInvalidID(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.run(t, "migrate")
	mustContain(t, s.refused(t, statusFailed, "verify", "--organization", "northwind"), "--organization: ")
}
