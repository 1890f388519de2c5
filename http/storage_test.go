package http_test

import (
	"net/http"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
)

// onEachStorage runs a test with documents in a folder, at an S3 server and in the office suite.
func onEachStorage(t *testing.T, test func(t *testing.T, f *apitest.Firm)) {
	t.Helper()
	for name, open := range map[string]func(t *testing.T) *apitest.Firm{
		"folder": func(t *testing.T) *apitest.Firm { t.Helper(); return apitest.Setup(t).NewFirm(t, "owner@example.com") },
		"S3 server": func(t *testing.T) *apitest.Firm {
			t.Helper()
			objects := blobtest.Service(t)
			b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Objects = blob.NewGuarded(objects) })
			return b.NewFirm(t, "owner@example.com")
		},
		"office suite": func(t *testing.T) *apitest.Firm {
			t.Helper()
			return inOfficeSuite(t, apitest.Setup(t).NewFirm(t, "owner@example.com"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func TestStoragesKeepDocuments(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		record := f.PutDocument(t, f.Home, "Plan.txt", "0123456789")
		if apitest.TextOf(record, "type") != "file" || record["size"] != 10.0 || record["access"] == nil {
			t.Errorf("%v", record)
		}
		at := f.Home + "/document/" + apitest.TextOf(record, "id") + "/content"
		whole := f.Must(t, "GET", at, "", http.StatusOK)
		if whole.Body != "0123456789" || !strings.HasPrefix(whole.Header.Get("Content-Disposition"), "attachment") ||
			!strings.HasPrefix(whole.Header.Get("Content-Type"), "text/plain") || whole.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%q %v", whole.Body, whole.Header)
		}
		shown := f.Must(t, "GET", at+"/Plan.txt", "", http.StatusOK)
		if !strings.HasPrefix(shown.Header.Get("Content-Disposition"), "inline") {
			t.Errorf("%v", shown.Header)
		}
		tag := whole.Header.Get("ETag")
		f.Must(t, "GET", at, "", http.StatusNotModified, "If-None-Match", tag)
		for header, want := range map[string]string{"bytes=0-1": "01", "bytes=8-": "89", "bytes=-3": "789", "bytes=4-4": "4"} {
			part := f.Must(t, "GET", at, "", http.StatusPartialContent, "Range", header, "If-Range", tag)
			if part.Body != want || !strings.HasSuffix(part.Header.Get("Content-Range"), "/10") {
				t.Errorf("%s: %q %v", header, part.Body, part.Header)
			}
		}
		f.Must(t, "GET", at, "", http.StatusRequestedRangeNotSatisfiable, "Range", "bytes=10-")
		if stale := f.Must(t, "GET", at, "", http.StatusOK, "Range", "bytes=0-1", "If-Range", `"stale"`); stale.Body != "0123456789" {
			t.Errorf("%q", stale.Body)
		}
		if several := f.Must(t, "GET", at, "", http.StatusOK, "Range", "bytes=0-1,3-4"); several.Body != "0123456789" {
			t.Errorf("%q", several.Body)
		}
	})
}

func TestStoragesPreviewDocuments(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan A.txt", "x"), "id")
		if got := f.Must(t, "GET", at+"/preview", "", http.StatusOK); !strings.HasPrefix(got.Text(t, "url"), "http") || got.Text(t, "expiresAt") == "" {
			t.Errorf("%s", got.Body)
		}
		f.MustFail(t, "GET", f.Home+"/document/"+f.NewFolder(t, f.Home, "Legal", "")+"/preview", "", http.StatusConflict, "isFolder")
	})
}

func TestStoragesKeepFolders(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		legal := f.NewFolder(t, f.Home, "Legal", "")
		f.MustFail(t, "POST", f.Home+"/folder", `{"name":"LEGAL","parentFolder":null}`, http.StatusConflict, "nameTaken")
		f.Upload(t, f.Home+"/document/many", http.StatusCreated, []apitest.File{{Name: "B.txt", Content: "B"}, {Name: "a.txt", Content: "A"}}, "path", "Legal/2026")
		if names := listDocuments(t, f.Client, f.Home, "?parentFolder="+legal); names != "2026" {
			t.Errorf("listed: %s", names)
		}
		items, _ := f.Must(t, "GET", f.Home+"/document?parentFolder="+legal, "", http.StatusOK).Get(t).([]any)
		year, _ := items[0].(map[string]any)
		inside := "?parentFolder=" + apitest.TextOf(year, "id")
		if apitest.TextOf(year, "parentFolder") != legal || listDocuments(t, f.Client, f.Home, inside) != "a.txt B.txt" {
			t.Errorf("%v %s", year, listDocuments(t, f.Client, f.Home, inside))
		}
		f.PutDocument(t, f.Home, "Top.txt", "x")
		if names := listDocuments(t, f.Client, f.Home, "?parentFolder=root"); names != "Legal Top.txt" {
			t.Errorf("listed: %s", names)
		}
		f.MustFail(t, "GET", f.Home+"/document/"+legal+"/content", "", http.StatusConflict, "isFolder")
	})
}

func TestStoragesMoveAndDelete(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		legal, at := f.NewFolder(t, f.Home, "Legal", ""),
			f.Home+"/document/"+apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
		moved := f.Must(t, "POST", at+"/move", `{"name":"Old.txt","parentFolder":"`+legal+`"}`, http.StatusOK)
		if moved.Text(t, "name") != "Old.txt" || moved.Text(t, "parentFolder") != legal || listDocuments(t, f.Client, f.Home, "?parentFolder=root") != "Legal" {
			t.Errorf("%s", moved.Body)
		}
		if back := f.Must(t, "POST", at+"/move", `{"parentFolder":null}`, http.StatusOK); back.Text(t, "name") != "Old.txt" {
			t.Errorf("%s", back.Body)
		}
		f.PutDocument(t, f.Home, "Taken.txt", "x")
		f.MustFail(t, "POST", at+"/move", `{"name":"taken.txt"}`, http.StatusConflict, "nameTaken")
		f.MustFail(t, "POST", at+"/move", `{"name":"New.txt"}`, http.StatusPreconditionFailed, "stale", "If-Match", `"4000"`)
		f.Must(t, "DELETE", at, "", http.StatusNoContent)
		f.Must(t, "GET", at+"/content", "", http.StatusNotFound)
		if names := listDocuments(t, f.Client, f.Home, ""); names != "Legal Taken.txt" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestStoragesTreatNamesThatExist(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		first := f.PutDocument(t, f.Home, "Plan.txt", "first")
		second := f.PutDocument(t, f.Home, "Plan.txt", "second") // a new version
		if apitest.TextOf(first, "id") != apitest.TextOf(second, "id") || listDocuments(t, f.Client, f.Home, "") != "Plan.txt" {
			t.Errorf("%v is not a version of %v", second, first)
		}
		if got := f.Must(t, "GET", f.Home+"/document/"+apitest.TextOf(first, "id")+"/content", "", http.StatusOK); got.Body != "second" {
			t.Errorf("%q", got.Body)
		}
		f.Upload(t, f.Home+"/document", http.StatusConflict, []apitest.File{{Name: "plan.txt", Content: "third"}}, "onConflict", "refuse")
		renamed := f.PutDocument(t, f.Home, "Plan.txt", "fourth", "onConflict", "rename")
		if apitest.TextOf(renamed, "id") == apitest.TextOf(first, "id") || apitest.TextOf(renamed, "name") == "Plan.txt" {
			t.Errorf("%v", renamed)
		}
	})
}

func TestStoragesRecordTheChanges(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		before := f.JournalLength(t)
		folder := f.NewFolder(t, f.Home, "Legal", "")
		record := f.PutDocument(t, f.Home, "Plan.txt", "The plan.", "parentFolder", folder)
		at := f.Home + "/document/" + apitest.TextOf(record, "id")
		f.Must(t, "POST", at+"/move", `{"name":"Old.txt"}`, http.StatusOK)
		f.Must(t, "DELETE", at, "", http.StatusNoContent)
		body := f.Must(t, "GET", f.Home+"/journal?limit=200", "", http.StatusOK).Body
		for _, event := range []string{"folderCreated", "fileStored", "documentAdded", "documentMoved", "documentDeleted"} {
			if !strings.Contains(body, `"`+event+`"`) {
				t.Errorf("the journal has no event %s", event)
			}
		}
		if got := f.JournalLength(t) - before; got != 5 {
			t.Errorf("%d events", got)
		}
	})
}

func TestDryRunOfAStorageChangesNothing(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		at, before := f.Home+"/document/"+apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id"), f.JournalLength(t)
		body, kind := apitest.Form(t, []apitest.File{{Name: "New.txt", Content: "x"}})
		f.Must(t, "POST", f.Home+"/document?dryRun=true", body, http.StatusOK, "Content-Type", kind)
		f.Must(t, "POST", f.Home+"/folder?dryRun=true", `{"name":"Legal","parentFolder":null}`, http.StatusOK)
		f.Must(t, "POST", at+"/move?dryRun=true", `{"name":"Old.txt"}`, http.StatusOK)
		f.Must(t, "DELETE", at+"?dryRun=true", "", http.StatusOK)
		if names := listDocuments(t, f.Client, f.Home, ""); names != "Plan.txt" || f.JournalLength(t) != before {
			t.Errorf("listed: %s, %d events", names, f.JournalLength(t)-before)
		}
	})
}

func TestRepeatedRequestToAStorageHasOneEffect(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		body, kind := apitest.Form(t, []apitest.File{{Name: "Plan.txt", Content: "x"}}, "onConflict", "refuse")
		send := func() apitest.Answer {
			return f.Must(t, "POST", f.Home+"/document", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "upload")
		}
		if first, second := send(), send(); first.Body != second.Body {
			t.Errorf("%s\n%s", first.Body, second.Body)
		}
		folder := func() apitest.Answer {
			return f.Must(t, "POST", f.Home+"/folder", `{"name":"Legal","parentFolder":null}`, http.StatusCreated, "Idempotency-Key", "folder")
		}
		if first, second := folder(), folder(); first.Body != second.Body {
			t.Errorf("%s\n%s", first.Body, second.Body)
		}
	})
}

func TestRepeatedMoveReturnsItsFirstAnswer(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
		tag := f.Must(t, "POST", at+"/move", `{"name":"Old.txt"}`, http.StatusOK).Header.Get("ETag")
		move := func() apitest.Answer {
			return f.Must(t, "POST", at+"/move", `{"name":"New.txt"}`, http.StatusOK, "If-Match", tag, "Idempotency-Key", "move")
		}
		if first, second := move(), move(); first.Body != second.Body {
			t.Errorf("%s\n%s", first.Body, second.Body)
		}
	})
}

func TestDocumentsOfAStorageBelongToOneOrganization(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *apitest.Firm) {
		t.Helper()
		other := f.NewFirm(t, "other@example.com")
		if f.Office.Calls("root") > 0 {
			inOfficeSuite(t, other)
		}
		record := f.PutDocument(t, f.Home, "Plan.txt", "x")
		at := other.Home + "/document/" + apitest.TextOf(record, "id")
		other.Must(t, "GET", at+"/content", "", http.StatusNotFound)
		other.Must(t, "POST", at+"/move", `{"name":"Mine.txt"}`, http.StatusNotFound)
		other.Must(t, "DELETE", at, "", http.StatusNotFound)
		other.Must(t, "GET", other.Home+"/document?parentFolder="+f.NewFolder(t, f.Home, "Legal", ""), "", http.StatusNotFound)
		if names := listDocuments(t, other.Client, other.Home, ""); names != "" {
			t.Errorf("listed: %s", names)
		}
		f.Anonymous().Must(t, "GET", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusUnauthorized)
	})
}
