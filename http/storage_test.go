package http_test

import (
	"net/http"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
)

// onEachStorage runs a test with documents in a folder, at an S3 server and in the office suite.
func onEachStorage(t *testing.T, test func(t *testing.T, f *firm)) {
	t.Helper()
	for name, open := range map[string]func(t *testing.T) *firm{
		"folder": func(t *testing.T) *firm { t.Helper(); return setup(t).firm(t, "owner@example.com") },
		"S3 server": func(t *testing.T) *firm {
			t.Helper()
			objects := blobtest.Service(t)
			b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Objects = blob.NewGuarded(objects) })
			return b.firm(t, "owner@example.com")
		},
		"office suite": func(t *testing.T) *firm { t.Helper(); return setup(t).firm(t, "owner@example.com").inOfficeSuite(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func TestStoragesKeepDocuments(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		record := f.put(t, f.home, "Plan.txt", "0123456789")
		if textOf(record, "type") != "file" || record["size"] != 10.0 || record["access"] == nil {
			t.Errorf("%v", record)
		}
		at := f.home + "/document/" + textOf(record, "id") + "/content"
		whole := f.must(t, "GET", at, "", http.StatusOK)
		if whole.body != "0123456789" || !strings.HasPrefix(whole.header.Get("Content-Disposition"), "attachment") ||
			!strings.HasPrefix(whole.header.Get("Content-Type"), "text/plain") || whole.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%q %v", whole.body, whole.header)
		}
		shown := f.must(t, "GET", at+"/Plan.txt", "", http.StatusOK)
		if !strings.HasPrefix(shown.header.Get("Content-Disposition"), "inline") {
			t.Errorf("%v", shown.header)
		}
		tag := whole.header.Get("ETag")
		f.must(t, "GET", at, "", http.StatusNotModified, "If-None-Match", tag)
		for header, want := range map[string]string{"bytes=0-1": "01", "bytes=8-": "89", "bytes=-3": "789", "bytes=4-4": "4"} {
			part := f.must(t, "GET", at, "", http.StatusPartialContent, "Range", header, "If-Range", tag)
			if part.body != want || !strings.HasSuffix(part.header.Get("Content-Range"), "/10") {
				t.Errorf("%s: %q %v", header, part.body, part.header)
			}
		}
		f.must(t, "GET", at, "", http.StatusRequestedRangeNotSatisfiable, "Range", "bytes=10-")
		if stale := f.must(t, "GET", at, "", http.StatusOK, "Range", "bytes=0-1", "If-Range", `"stale"`); stale.body != "0123456789" {
			t.Errorf("%q", stale.body)
		}
		if several := f.must(t, "GET", at, "", http.StatusOK, "Range", "bytes=0-1,3-4"); several.body != "0123456789" {
			t.Errorf("%q", several.body)
		}
	})
}

func TestStoragesPreviewDocuments(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan A.txt", "x"), "id")
		if got := f.must(t, "GET", at+"/preview", "", http.StatusOK); !strings.HasPrefix(got.text(t, "url"), "http") || got.text(t, "expiresAt") == "" {
			t.Errorf("%s", got.body)
		}
		f.fails(t, "GET", f.home+"/document/"+f.folder(t, f.home, "Legal", "")+"/preview", "", http.StatusConflict, "isFolder")
	})
}

func TestStoragesKeepFolders(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		legal := f.folder(t, f.home, "Legal", "")
		f.fails(t, "POST", f.home+"/folder", `{"name":"LEGAL","parentFolder":null}`, http.StatusConflict, "nameTaken")
		f.store(t, f.home+"/document/many", http.StatusCreated, []upload{{"B.txt", "B"}, {"a.txt", "A"}}, "path", "Legal/2026")
		if names := f.listed(t, f.home, "?parentFolder="+legal); names != "2026" {
			t.Errorf("listed: %s", names)
		}
		items, _ := f.must(t, "GET", f.home+"/document?parentFolder="+legal, "", http.StatusOK).get(t).([]any)
		year, _ := items[0].(map[string]any)
		inside := "?parentFolder=" + textOf(year, "id")
		if textOf(year, "parentFolder") != legal || f.listed(t, f.home, inside) != "a.txt B.txt" {
			t.Errorf("%v %s", year, f.listed(t, f.home, inside))
		}
		f.put(t, f.home, "Top.txt", "x")
		if names := f.listed(t, f.home, "?parentFolder=root"); names != "Legal Top.txt" {
			t.Errorf("listed: %s", names)
		}
		f.fails(t, "GET", f.home+"/document/"+legal+"/content", "", http.StatusConflict, "isFolder")
	})
}

func TestStoragesMoveAndDelete(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		legal, at := f.folder(t, f.home, "Legal", ""), f.home+"/document/"+textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
		moved := f.must(t, "POST", at+"/move", `{"name":"Old.txt","parentFolder":"`+legal+`"}`, http.StatusOK)
		if moved.text(t, "name") != "Old.txt" || moved.text(t, "parentFolder") != legal || f.listed(t, f.home, "?parentFolder=root") != "Legal" {
			t.Errorf("%s", moved.body)
		}
		if back := f.must(t, "POST", at+"/move", `{"parentFolder":null}`, http.StatusOK); back.text(t, "name") != "Old.txt" {
			t.Errorf("%s", back.body)
		}
		f.put(t, f.home, "Taken.txt", "x")
		f.fails(t, "POST", at+"/move", `{"name":"taken.txt"}`, http.StatusConflict, "nameTaken")
		f.fails(t, "POST", at+"/move", `{"name":"New.txt"}`, http.StatusPreconditionFailed, "stale", "If-Match", `"4000"`)
		f.must(t, "DELETE", at, "", http.StatusNoContent)
		f.must(t, "GET", at+"/content", "", http.StatusNotFound)
		if names := f.listed(t, f.home, ""); names != "Legal Taken.txt" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestStoragesTreatNamesThatExist(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		first := f.put(t, f.home, "Plan.txt", "first")
		second := f.put(t, f.home, "Plan.txt", "second") // a new version
		if textOf(first, "id") != textOf(second, "id") || f.listed(t, f.home, "") != "Plan.txt" {
			t.Errorf("%v is not a version of %v", second, first)
		}
		if got := f.must(t, "GET", f.home+"/document/"+textOf(first, "id")+"/content", "", http.StatusOK); got.body != "second" {
			t.Errorf("%q", got.body)
		}
		f.store(t, f.home+"/document", http.StatusConflict, []upload{{"plan.txt", "third"}}, "onConflict", "refuse")
		renamed := f.put(t, f.home, "Plan.txt", "fourth", "onConflict", "rename")
		if textOf(renamed, "id") == textOf(first, "id") || textOf(renamed, "name") == "Plan.txt" {
			t.Errorf("%v", renamed)
		}
	})
}

func TestStoragesRecordTheChanges(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		before := f.journalLength(t)
		folder := f.folder(t, f.home, "Legal", "")
		record := f.put(t, f.home, "Plan.txt", "The plan.", "parentFolder", folder)
		at := f.home + "/document/" + textOf(record, "id")
		f.must(t, "POST", at+"/move", `{"name":"Old.txt"}`, http.StatusOK)
		f.must(t, "DELETE", at, "", http.StatusNoContent)
		body := f.must(t, "GET", f.home+"/journal?limit=200", "", http.StatusOK).body
		for _, event := range []string{"folderCreated", "fileStored", "documentAdded", "documentMoved", "documentDeleted"} {
			if !strings.Contains(body, `"`+event+`"`) {
				t.Errorf("the journal has no event %s", event)
			}
		}
		if got := f.journalLength(t) - before; got != 5 {
			t.Errorf("%d events", got)
		}
	})
}

func TestDryRunOfAStorageChangesNothing(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		at, before := f.home+"/document/"+textOf(f.put(t, f.home, "Plan.txt", "x"), "id"), f.journalLength(t)
		body, kind := form(t, []upload{{"New.txt", "x"}})
		f.must(t, "POST", f.home+"/document?dryRun=true", body, http.StatusOK, "Content-Type", kind)
		f.must(t, "POST", f.home+"/folder?dryRun=true", `{"name":"Legal","parentFolder":null}`, http.StatusOK)
		f.must(t, "POST", at+"/move?dryRun=true", `{"name":"Old.txt"}`, http.StatusOK)
		f.must(t, "DELETE", at+"?dryRun=true", "", http.StatusOK)
		if names := f.listed(t, f.home, ""); names != "Plan.txt" || f.journalLength(t) != before {
			t.Errorf("listed: %s, %d events", names, f.journalLength(t)-before)
		}
	})
}

func TestRepeatedRequestToAStorageHasOneEffect(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		body, kind := form(t, []upload{{"Plan.txt", "x"}}, "onConflict", "refuse")
		send := func() answer {
			return f.must(t, "POST", f.home+"/document", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "upload")
		}
		if first, second := send(), send(); first.body != second.body {
			t.Errorf("%s\n%s", first.body, second.body)
		}
		folder := func() answer {
			return f.must(t, "POST", f.home+"/folder", `{"name":"Legal","parentFolder":null}`, http.StatusCreated, "Idempotency-Key", "folder")
		}
		if first, second := folder(), folder(); first.body != second.body {
			t.Errorf("%s\n%s", first.body, second.body)
		}
	})
}

func TestRepeatedMoveReturnsItsFirstAnswer(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
		tag := f.must(t, "POST", at+"/move", `{"name":"Old.txt"}`, http.StatusOK).header.Get("ETag")
		move := func() answer {
			return f.must(t, "POST", at+"/move", `{"name":"New.txt"}`, http.StatusOK, "If-Match", tag, "Idempotency-Key", "move")
		}
		if first, second := move(), move(); first.body != second.body {
			t.Errorf("%s\n%s", first.body, second.body)
		}
	})
}

func TestDocumentsOfAStorageBelongToOneOrganization(t *testing.T) {
	t.Parallel()
	onEachStorage(t, func(t *testing.T, f *firm) {
		t.Helper()
		other := f.firm(t, "other@example.com")
		if f.office.Calls("root") > 0 {
			other.inOfficeSuite(t)
		}
		record := f.put(t, f.home, "Plan.txt", "x")
		at := other.home + "/document/" + textOf(record, "id")
		other.must(t, "GET", at+"/content", "", http.StatusNotFound)
		other.must(t, "POST", at+"/move", `{"name":"Mine.txt"}`, http.StatusNotFound)
		other.must(t, "DELETE", at, "", http.StatusNotFound)
		other.must(t, "GET", other.home+"/document?parentFolder="+f.folder(t, f.home, "Legal", ""), "", http.StatusNotFound)
		if names := other.listed(t, other.home, ""); names != "" {
			t.Errorf("listed: %s", names)
		}
		f.anonymous().must(t, "GET", f.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusUnauthorized)
	})
}
