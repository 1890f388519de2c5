package http_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// searched returns the names that the client finds, with their folders.
func (c *client) searched(t *testing.T, home, text string) string {
	t.Helper()
	var found []string
	items, _ := c.must(t, "GET", home+"/document?search="+url.QueryEscape(text), "", http.StatusOK).get(t).([]any)
	for _, each := range items {
		record, _ := each.(map[string]any)
		name := textOf(record, "name")
		path, _ := record["path"].([]any)
		names := []string{name}
		for _, folder := range path {
			above, _ := folder.(map[string]any)
			names = append(names, textOf(above, "name"))
		}
		found = append(found, strings.Join(names, "<"))
	}
	return strings.Join(found, " ")
}

func TestDocumentsAreFoundByNameInAllFolders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor, guest := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com"), b.person(t, "guest@example.com")
	f.join(t, f.home, auditor, "Auditor")
	member := f.join(t, f.home, guest, "Guest")
	board := f.folder(t, f.home, "Board", f.folder(t, f.home, "Company", ""))
	f.put(t, f.home, "Minutes-2026.txt", "x", "parentFolder", board)
	given := f.put(t, f.home, "Minutes-guest.txt", "x", "parentFolder", board)
	f.put(t, f.home, "Open-minutes.txt", "y")
	f.must(t, "PUT", f.home+"/document/"+board+"/access", `{"mode":"restricted","members":[]}`, http.StatusOK)
	f.must(t, "PUT", f.home+"/document/"+textOf(given, "id")+"/access", `{"mode":"restricted","members":["`+member+`"]}`, http.StatusOK)
	for name, row := range map[string]struct {
		as   *client
		want string
	}{
		"owner":   {f.client, "Minutes-2026.txt<Company<Board Minutes-guest.txt<Company<Board Open-minutes.txt"},
		"auditor": {auditor, "Open-minutes.txt"},
		"guest":   {guest, "Minutes-guest.txt"},
	} {
		for range 2 { // the second answer may be a stored one
			if got := row.as.searched(t, f.home, "MINUTES"); got != row.want {
				t.Errorf("%s finds %s, not %s", name, got, row.want)
			}
		}
	}
	if got := f.searched(t, f.home, "2026 minutes"); got != "Minutes-2026.txt<Company<Board" {
		t.Error(got)
	}
	for _, other := range []string{"parentFolder=" + board, "parentFolder=root", "deleted=true"} {
		f.must(t, "GET", f.home+"/document?search=x&"+other, "", http.StatusBadRequest)
	}
	b.anonymous().must(t, "GET", f.home+"/document?search=minutes", "", http.StatusUnauthorized)
}

// An earlier state must not show documents that the caller may not read any more.
func TestSearchInAnEarlierStateHasThePresentAccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	id := textOf(f.put(t, f.home, "Minutes.txt", "x"), "id")
	before := f.must(t, "GET", f.home+"/journal?limit=1", "", http.StatusOK).list(t, "data")[0].(map[string]any)["sequence"]
	f.must(t, "PUT", f.home+"/document/"+id+"/access", `{"mode":"restricted","members":[]}`, http.StatusOK)
	known := fmt.Sprintf("minutes&knownAt=%v", before)
	if got := f.must(t, "GET", f.home+"/document?search="+known, "", http.StatusOK); !strings.Contains(got.body, "Minutes.txt") {
		t.Error(got.body)
	}
	if got := auditor.must(t, "GET", f.home+"/document?search="+known, "", http.StatusOK); got.body != "[]" && got.body != "[]\n" {
		t.Error(got.body)
	}
}

func TestSearchOfDocumentsIsBounded(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for n := range 51 {
		f.folder(t, f.home, fmt.Sprintf("Folder-%02d", n), "")
	}
	got := strings.Fields(f.searched(t, f.home, "folder"))
	if len(got) != 50 || got[0] != "Folder-00" || got[49] != "Folder-49" {
		t.Error(len(got), got)
	}
}

func TestOfficeSuiteIsNotSearched(t *testing.T) {
	t.Parallel()
	f := suite(t)
	if got := f.must(t, "GET", f.home+"/document?search=x", "", http.StatusConflict); got.text(t, "code") != "notInOfficeSuite" {
		t.Error(got.body)
	}
}
