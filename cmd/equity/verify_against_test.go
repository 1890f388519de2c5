package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// witnessedShell returns a shell with the demo company, and the paths of its proof, audit export and anchors.
func witnessedShell(t *testing.T) (s *shell, files map[string]string) {
	t.Helper()
	s = setup(t)
	files = map[string]string{}
	for _, name := range []string{"proof", "audit", "anchors"} {
		files[name] = filepath.Join(s.directory, name+".jsonl")
	}
	s.variables["ANCHOR_FILE"] = files["anchors"]
	id := s.demoID(t)
	s.run(t, "export", id, "--format", "proof", "-o", files["proof"])
	s.run(t, "audit", "export", "-o", files["audit"])
	return s, files
}

// rechain changes the journal as an attacker with the database does: afterwards all hashes and heads fit.
func (s *shell) rechain(t *testing.T, alter func(row *messages.Row)) {
	t.Helper()
	id, err := captable.ParseID[organization.Organization](s.demoID(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.program("", &safeBuffer{}, &safeBuffer{}).settings(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = withJournal(t.Context(), c, func(db *persistence.Database, journal *persistence.Journal) error {
		var previous messages.Hash
		return journal.Scan(t.Context(), id, 0, 0, func(row messages.Row) error {
			alter(&row)
			row.Seal(previous)
			previous = row.Hash
			_, err := db.Writer().ExecContext(context.Background(), `UPDATE journal SET actor = $3, recorded_at = $4, previous_hash = $5, hash = $6
				WHERE organization = $1 AND sequence = $2`, id[:], int64(row.Sequence), row.By, row.RecordedAt.UnixMicro(), row.PreviousHash[:], row.Hash[:])
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestConsistentlyAlteredJournalIsFound makes alterations that the chain of hashes does not show, and compares with each kind of file.
func TestConsistentlyAlteredJournalIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim, want string
		alter       func(t *testing.T, s *shell)
	}{
		{"another author", errRewritten.Error(), func(t *testing.T, s *shell) {
			t.Helper()
			s.rechain(t, func(row *messages.Row) {
				if row.Sequence == 3 {
					row.By = "somebody"
				}
			})
		}},
		{"an earlier time", errRewritten.Error(), func(t *testing.T, s *shell) {
			t.Helper()
			s.rechain(t, func(row *messages.Row) { row.RecordedAt = row.RecordedAt.Add(-24 * time.Hour) })
		}},
		{"a cut end", errCut.Error(), func(t *testing.T, s *shell) {
			t.Helper()
			s.alter(t, `DELETE FROM journal WHERE sequence > (SELECT MAX(sequence) - 3 FROM journal)`)
		}},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			s, files := witnessedShell(t)
			mustContain(t, s.run(t, "verify"), "0 with faults", "compared with "+files["anchors"])
			for _, path := range files {
				mustContain(t, s.run(t, "verify", "--against", path), "0 with faults", "compared with "+path)
			}
			test.alter(t, s)
			s.variables["ANCHOR_FILE"] = ""
			s.run(t, "verify", "--repair", "--accept-end")
			mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
			for name, path := range files {
				if output := s.refused(t, statusFailed, "verify", "--against", path); !strings.Contains(output, test.want) {
					t.Errorf("compared with the %s: %s", name, output)
				}
			}
			s.variables["ANCHOR_FILE"] = files["anchors"]
			mustContain(t, s.refused(t, statusFailed, "verify", "--repair"), test.want, "not repaired")
			before, _ := os.ReadFile(files["audit"])
			mustContain(t, s.refused(t, statusFailed, "audit", "export", "-o", files["audit"]), test.want)
			if after, _ := os.ReadFile(files["audit"]); string(after) != string(before) {
				t.Error("the export continued")
			}
		})
	}
}

func TestProofIsComparedOffline(t *testing.T) {
	t.Parallel()
	s, files := witnessedShell(t)
	key := strings.TrimSpace(s.run(t, "audit", "key"))
	id, altered := s.demoID(t), filepath.Join(s.directory, "altered.jsonl")
	s.rechain(t, func(row *messages.Row) {
		if row.Sequence == 3 {
			row.By = "somebody"
		}
	})
	s.variables["ANCHOR_FILE"] = ""
	s.run(t, "export", id, "--format", "proof", "-o", altered)
	stranger := &shell{variables: map[string]string{}, directory: t.TempDir()}
	mustContain(t, stranger.run(t, "verify", files["proof"], "--against", files["anchors"], "--key", key), "is valid")
	mustContain(t, stranger.run(t, "verify", altered), "is valid")
	mustContain(t, stranger.refused(t, statusFailed, "verify", altered, "--against", files["anchors"], "--key", key), errRewritten.Error())
	const other = "ed25519:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	mustContain(t, stranger.refused(t, statusFailed, "verify", files["proof"], "--against", files["anchors"], "--key", other), errUnknownKey.Error())
	mustContain(t, stranger.refused(t, statusFailed, "verify", files["proof"], "--key", "rsa"), "--key: ")
}
