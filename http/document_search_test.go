package http_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/http/apitest"
)

// searchDocuments returns the names that the client finds, with their folders.
func searchDocuments(t *testing.T, c *apitest.Client, home, text string) string {
	t.Helper()
	var found []string
	items, _ := c.Must(t, "GET", home+"/document?search="+url.QueryEscape(text), "", http.StatusOK).Get(t).([]any)
	for _, each := range items {
		record, _ := each.(map[string]any)
		name := apitest.TextOf(record, "name")
		path, _ := record["path"].([]any)
		names := []string{name}
		for _, folder := range path {
			above, _ := folder.(map[string]any)
			names = append(names, apitest.TextOf(above, "name"))
		}
		found = append(found, strings.Join(names, "<"))
	}
	return strings.Join(found, " ")
}

func TestDocumentsAreFoundByNameInAllFolders(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor, guest := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com"), b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	member := f.Join(t, f.Home, guest, "Guest")
	board := f.NewFolder(t, f.Home, "Board", f.NewFolder(t, f.Home, "Company", ""))
	f.PutDocument(t, f.Home, "Minutes-2026.txt", "x", "parentFolder", board)
	given := f.PutDocument(t, f.Home, "Minutes-guest.txt", "x", "parentFolder", board)
	f.PutDocument(t, f.Home, "Open-minutes.txt", "y")
	f.Must(t, "PUT", f.Home+"/document/"+board+"/access", `{"mode":"restricted","members":[]}`, http.StatusOK)
	f.Must(t, "PUT", f.Home+"/document/"+apitest.TextOf(given, "id")+"/access", `{"mode":"restricted","members":["`+member+`"]}`, http.StatusOK)
	for name, row := range map[string]struct {
		as   *apitest.Client
		want string
	}{
		"owner":   {f.Client, "Minutes-2026.txt<Company<Board Minutes-guest.txt<Company<Board Open-minutes.txt"},
		"auditor": {auditor, "Open-minutes.txt"},
		"guest":   {guest, "Minutes-guest.txt"},
	} {
		for range 2 { // the second answer may be a stored one
			if got := searchDocuments(t, row.as, f.Home, "MINUTES"); got != row.want {
				t.Errorf("%s finds %s, not %s", name, got, row.want)
			}
		}
	}
	if got := searchDocuments(t, f.Client, f.Home, "2026 minutes"); got != "Minutes-2026.txt<Company<Board" {
		t.Error(got)
	}
	for _, other := range []string{"parentFolder=" + board, "parentFolder=root", "deleted=true"} {
		f.Must(t, "GET", f.Home+"/document?search=x&"+other, "", http.StatusBadRequest)
	}
	b.Anonymous().Must(t, "GET", f.Home+"/document?search=minutes", "", http.StatusUnauthorized)
}

// An earlier state must not show documents that the caller may not read any more.
func TestSearchInAnEarlierStateHasThePresentAccess(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Minutes.txt", "x"), "id")
	before := f.Must(t, "GET", f.Home+"/journal?limit=1", "", http.StatusOK).List(t, "data")[0].(map[string]any)["sequence"]
	f.Must(t, "PUT", f.Home+"/document/"+id+"/access", `{"mode":"restricted","members":[]}`, http.StatusOK)
	known := fmt.Sprintf("minutes&knownAt=%v", before)
	if got := f.Must(t, "GET", f.Home+"/document?search="+known, "", http.StatusOK); !strings.Contains(got.Body, "Minutes.txt") {
		t.Error(got.Body)
	}
	if got := auditor.Must(t, "GET", f.Home+"/document?search="+known, "", http.StatusOK); got.Body != "[]" && got.Body != "[]\n" {
		t.Error(got.Body)
	}
}

func TestSearchOfDocumentsIsBounded(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for n := range 51 {
		f.NewFolder(t, f.Home, fmt.Sprintf("Folder-%02d", n), "")
	}
	got := strings.Fields(searchDocuments(t, f.Client, f.Home, "folder"))
	if len(got) != 50 || got[0] != "Folder-00" || got[49] != "Folder-49" {
		t.Error(len(got), got)
	}
}

func TestOfficeSuiteIsNotSearched(t *testing.T) {
	t.Parallel()
	f := suite(t)
	if got := f.Must(t, "GET", f.Home+"/document?search=x", "", http.StatusConflict); got.Text(t, "code") != "notInOfficeSuite" {
		t.Error(got.Body)
	}
}
