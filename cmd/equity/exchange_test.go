package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// outline returns the totals and holdings of an exported cap table without ids.
// Treasury shares, which count as issued, are excluded, because the format has no
// object for them.
func (s *shell) outline(t *testing.T, id string, more ...string) string {
	t.Helper()
	var table struct {
		Totals     struct{ Authorized, Outstanding, FullyDiluted, Invested string }
		Securities []struct{ Name, Authorized, Outstanding string }
		Holders    []struct{ Name, Shares, Invested string }
	}
	text := s.run(t, append([]string{"export", id, "--format", "json"}, more...)...)
	if err := json.Unmarshal([]byte(text), &table); err != nil {
		t.Fatalf("%v in %.2000s", err, text)
	}
	lines := []string{fmt.Sprint(table.Totals)}
	for _, security := range table.Securities {
		lines = append(lines, fmt.Sprint(security))
	}
	for _, holder := range table.Holders {
		lines = append(lines, fmt.Sprint(holder))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// unpacked extracts an archive to a folder.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	r, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	folder := t.TempDir()
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(f.Name)), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

var takenInto = regexp.MustCompile(`into organization ([0-9a-f-]{36})`)

func TestExportedPackageImportsWithTheSameTotals(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	archive := filepath.Join(s.directory, "demo.ocf.zip")
	s.run(t, "export", id, "--output", archive)
	if info, err := os.Stat(archive); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the package is accessible to other users: %v, %v", info, err)
	}
	before := s.run(t, "verify")
	mustContain(t, s.run(t, "import", "ocf", archive, "--owner", demoEmail, "--dry-run"), "would be imported")
	if after := s.run(t, "verify"); after != before {
		t.Errorf("a dry run changed the store:\n%s\n%s", before, after)
	}
	for _, path := range []string{archive, unpacked(t, archive)} {
		output := s.run(t, "import", "ocf", path, "--owner", demoEmail, "--name", "Copy", "--currency", "USD")
		found := takenInto.FindStringSubmatch(output)
		if found == nil {
			t.Fatalf("no organization is named: %s", output)
		}
		if want, got := s.outline(t, id), s.outline(t, found[1]); want != got {
			t.Errorf("the copy's table is\n%s\nwant\n%s", got, want)
		}
	}
	mustContain(t, s.run(t, "verify"), "3 organizations checked, 0 with faults")
}

func TestTableIsExportedAsOfADay(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	if then := s.outline(t, id, "--as-of", "1999-12-31"); strings.Contains(then, "Ada") || !strings.Contains(s.outline(t, id), "Ada") {
		t.Errorf("the company had holders before it was founded:\n%s", then)
	}
	mustContain(t, s.refused(t, statusFailed, "export", id, "--as-of", "2024-02-30"), "--as-of 2024-02-30")
	mustContain(t, s.refused(t, statusMisuse, "export", id, "--format", "xml"), "--format")
	mustContain(t, s.refused(t, statusFailed, "export", id, "-o", filepath.Join(s.directory, "none", "file")), "no such file")
}

func TestRefusedImportStoresNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	archive := filepath.Join(s.directory, "demo.ocf.zip")
	s.run(t, "export", id, "-o", archive)
	folder := unpacked(t, archive)
	files, err := filepath.Glob(filepath.Join(folder, "*ransaction*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the package has no transactions: %v", err)
	}
	damaged := files[0]
	text, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	dangling := regexp.MustCompile(`"stakeholder_id": ?"[^"]+"`).ReplaceAllString(string(text), `"stakeholder_id": "nobody"`)
	if err := os.WriteFile(damaged, []byte(dangling), 0o600); err != nil || dangling == string(text) {
		t.Fatalf("the package is as it was: %v", err)
	}
	before := s.run(t, "verify")
	for _, test := range []struct {
		claim string
		args  []string
		want  string
	}{
		{"dangling references", []string{folder, "--owner", demoEmail}, errRefused.Error()},
		{"no owner", []string{archive}, errOwner.Error()},
		{"an unknown owner", []string{archive, "--owner", "x@example.com"}, "--owner x@example.com"},
		{"an invalid organization id", []string{archive, "--organization", "x"}, "--organization: "},
		{"a file that is no package", []string{s.file(t, "x.txt", "x"), "--owner", demoEmail}, "neither a folder nor a .zip"},
		{"an empty folder", []string{t.TempDir(), "--owner", demoEmail}, errRefused.Error()},
	} {
		output := s.refused(t, statusFailed, append([]string{"import", "ocf"}, test.args...)...)
		mustContain(t, output, test.want)
		if test.claim == "dangling references" && strings.Count(output, "nobody") < 3 {
			t.Errorf("not every finding is listed:\n%s", output)
		}
	}
	if after := s.run(t, "verify"); after != before {
		t.Errorf("a refused import changed the store:\n%s\n%s", before, after)
	}
}
