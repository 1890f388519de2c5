package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence/storetest"
)

// audited decodes the lines of an export.
func audited(t *testing.T, text string) (lines []auditLine) {
	t.Helper()
	for one := range strings.Lines(text) {
		var line auditLine
		if err := json.Unmarshal([]byte(one), &line); err != nil {
			t.Fatalf("%v in %q", err, one)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestAuditExportIsTheJournal(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.variables["DATABASE_URL"] = factory(t)
			id := s.demoID(t)
			lines := audited(t, s.run(t, "audit", "export"))
			for i, line := range lines {
				if line.Sequence != uint64(i)+1 || line.Organization != id || line.Data != nil {
					t.Fatalf("line %d is %+v", i, line)
				}
				if line.Origin != messages.OriginRequest && line.Origin != messages.OriginSystem {
					t.Fatalf("line %d has the origin %q", i, line.Origin)
				}
				if i > 0 && line.PreviousHash != lines[i-1].Hash {
					t.Fatalf("line %d does not follow the line before", i)
				}
			}
			mustContain(t, s.run(t, "verify"), strconv.Itoa(len(lines))+" events are valid")
			later := audited(t, s.run(t, "audit", "export", "--organization", id, "--since", "10", "--data"))
			if len(later) != len(lines)-9 || later[0].Sequence != 10 || len(later[0].Data) == 0 || strings.Contains(string(later[0].Data), "$origin") {
				t.Errorf("%d lines since sequence 10 of %d", len(later), len(lines))
			}
			tomorrow := time.Now().Add(24 * time.Hour).UTC().Format(time.DateOnly)
			if rest := s.run(t, "audit", "export", "--since", tomorrow); rest != "" {
				t.Errorf("since tomorrow: %s", rest)
			}
			if all := audited(
				t, s.run(t, "audit", "export", "--since", lines[20].RecordedAt.Format(time.RFC3339Nano)),
			); all[0].RecordedAt.Before(lines[20].RecordedAt) || len(all) < len(lines)-21 {
				t.Errorf("since %s: %d lines from %+v", lines[20].RecordedAt, len(all), all[0])
			}
		})
	}
}

func TestAuditExportContinues(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	output, position := filepath.Join(s.directory, "audit.jsonl"), filepath.Join(s.directory, "audit.position")
	export := func() []auditLine {
		t.Helper()
		s.run(t, "audit", "export", "--output", output, "--position", position)
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		return audited(t, string(text))
	}
	first := export()
	if again := export(); len(again) != len(first) {
		t.Errorf("a repetition has %d lines instead of %d", len(again), len(first))
	}
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(output, text[:len(text)-7], 0o600); err != nil { // an interruption within the last line
		t.Fatal(err)
	}
	if err := os.Remove(position); err != nil {
		t.Fatal(err)
	}
	if again := export(); len(again) != len(first) || again[len(again)-1].Hash != first[len(first)-1].Hash {
		t.Errorf("after an interruption: %d lines instead of %d", len(again), len(first))
	}
	if err := os.Rename(output, output+".1"); err != nil { // a rotation
		t.Fatal(err)
	}
	r := s.serve(t)
	if status, _, body := r.signIn(t).send(t, http.MethodPatch, "/v1/organization/"+id, `{"website":"https://audit.example.com"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if rest := export(); len(rest) != 1 || rest[0].Sequence != first[len(first)-1].Sequence+1 || rest[0].Type != "organizationChanged" {
		t.Errorf("after a rotation, beside a server: %+v", rest)
	}
}

func TestAuditExportRefusesWrongArguments(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	mustContain(t, s.refused(t, statusFailed, "audit", "export", "--since", "10"), "--since must be")
	mustContain(t, s.refused(t, statusFailed, "audit", "export", "--organization", "x"), "--organization")
	mustContain(t, s.refused(t, statusFailed, "audit", "export", "--organization", "01890000-0000-7000-8000-000000000000"), "there is no organization")
	mustContain(t, s.refused(t, statusFailed, "audit", "export", "--output", s.file(t, "other", "text\n")), "other lines")
}
