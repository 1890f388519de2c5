package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns the text of every document of the repository by its path from this folder.
func documents(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 100 {
		t.Fatalf("only %d documents were found", len(found))
	}
	return found
}

func TestLinksBetweenDocumentsLeadToFiles(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	for name, text := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), found[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, found[1])
			}
		}
	}
}

// The decisions on the software and the rulings on the domain share their numbers.
func TestDecisionsAndRulingsAreListedInTheOrderOfTheirNumbers(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`(?m)^\| \d+ \| \[[^\]]+\]\((\d{4}-[^)]+)\) \| [^|]+ \|`)
	folders := make(map[string]string)
	for _, folder := range []string{"adr", "rulings"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "docs", folder, "[0-9]*.md"))
		if err != nil || len(files) == 0 {
			t.Fatalf("records of %s: %v, %v", folder, files, err)
		}
		index, err := os.ReadFile(filepath.Join("..", "..", "docs", folder, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		var listed, existing []string
		for _, found := range row.FindAllStringSubmatch(string(index), -1) {
			listed = append(listed, found[1])
		}
		for _, file := range files {
			name := filepath.Base(file)
			existing = append(existing, name)
			if other := folders[name[:4]]; other != "" {
				t.Errorf("the number of %s/%s is also used in %s", folder, name, other)
			}
			folders[name[:4]] = folder
		}
		if !slices.Equal(listed, existing) {
			t.Errorf("the index of %s lists %v; the records are %v", folder, listed, existing)
		}
	}
}

// A release has one short section, which users read.
func TestReleasesOfTheChangelogAreShort(t *testing.T) {
	t.Parallel()
	const most = 30
	text, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	if len(sections) == 0 {
		t.Fatal("the changelog has no release")
	}
	for _, section := range sections {
		name, content, _ := strings.Cut(section, "\n")
		lines := slices.DeleteFunc(strings.Split(content, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
		if len(lines) > most {
			t.Errorf("%s has %d lines; at most %d are permitted", name, len(lines), most)
		}
	}
}
