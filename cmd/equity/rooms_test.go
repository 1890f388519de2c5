package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBrowserAppKnowsEveryEvent compares the events with the list for which the browser app tests its sentences.
func TestBrowserAppKnowsEveryEvent(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../web/src/journal/events.json")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	if err := json.Unmarshal(content, &listed); err != nil {
		t.Fatal(err)
	}
	if types := schema().Types(); !slices.Equal(types, listed) {
		t.Errorf("web/src/journal/events.json should list %q", types)
	}
}

// TestEveryRoomIsListedAndDescribed compares the folders of rooms with the list of the program and with the table of the architecture.
func TestEveryRoomIsListedAndDescribed(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(filepath.Join("..", "..", "features"))
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, entry := range entries {
		folders = append(folders, entry.Name())
	}
	architecture, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `features/([a-z]+)` \\|").FindAllStringSubmatch(string(architecture), -1) {
		described[row[1]] = true
	}
	if got := slices.Sorted(maps.Keys(described)); !slices.Equal(got, folders) {
		t.Errorf("docs/architecture.md describes the rooms %q; the folders are %q", got, folders)
	}
	for _, path := range listsOfRooms() {
		list, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, line := range regexp.MustCompile(`(?m)^\t\t([a-z]+?)(?:test)?\.Room\(\),$`).FindAllStringSubmatch(string(list), -1) {
			listed = append(listed, line[1])
		}
		if slices.Sort(listed); !slices.Equal(listed, folders) {
			t.Errorf("%s lists %q; the folders are %q", path, listed, folders)
		}
	}
}

// TestRoomsExplainThemselves checks that the comment of each room states its data and its way from request to effect.
func TestRoomsExplainThemselves(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		room := roomOf(s.folder())
		if room == "" || s.path != "features/"+room+"/"+room+".go" {
			continue
		}
		comment := s.syntax.Doc.Text()
		for _, part := range []string{"Its data:", "From request to effect:"} {
			if !strings.Contains(comment, part) {
				t.Errorf("%s: the comment of the package has no part %q", s.path, part)
			}
		}
	}
}
