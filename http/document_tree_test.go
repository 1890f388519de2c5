package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestFolderIsNotMovedIntoItself(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		outer := f.folder(t, f.home, "Outer", "")
		inner := f.folder(t, f.home, "Inner", outer)
		at := f.home + "/document/"
		for _, target := range []string{outer, inner} {
			got := f.must(t, "POST", at+outer+"/move", `{"parentFolder":"`+target+`"}`, http.StatusConflict)
			if got.text(t, "code") != "folderCycle" {
				t.Errorf("%s", got.body)
			}
		}
		f.must(t, "POST", at+inner+"/move", `{"parentFolder":null,"name":"Free"}`, http.StatusOK)
		if names := f.listed(t, f.home, ""); names != "Free Outer" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestMoveIntoADocumentIsRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	folder, document := f.folder(t, f.home, "Legal", ""), textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	got := f.must(t, "POST", f.home+"/document/"+folder+"/move", `{"parentFolder":"`+document+`"}`, http.StatusBadRequest)
	if !strings.Contains(got.body, `"/parentFolder"`) {
		t.Errorf("%s", got.body)
	}
	f.must(t, "GET", f.home+"/document/"+folder+"/content", "", http.StatusConflict)
}

func TestDeletedFolderIsRestoredWithItsContent(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		folder := f.folder(t, f.home, "Legal", "")
		plan := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x", "parentFolder", folder), "id")
		f.must(t, "DELETE", f.home+"/document/"+folder, "", http.StatusNoContent)
		f.must(t, "GET", plan+"/content", "", http.StatusNotFound)
		if names := f.listed(t, f.home, ""); names != "" {
			t.Errorf("listed: %s", names)
		}
		if names := f.listed(t, f.home, "?deleted=true"); names != "Legal" {
			t.Errorf("deleted: %s", names)
		}
		f.must(t, "POST", f.home+"/document/"+folder+"/restore", "", http.StatusOK)
		f.must(t, "GET", plan+"/content", "", http.StatusOK)
	})
}

func TestRestrictedFolderIsHidden(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor, guest := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com"), b.person(t, "guest@example.com")
	f.join(t, f.home, auditor, "Auditor")
	member := f.join(t, f.home, guest, "Guest")
	folder := f.folder(t, f.home, "Board", "")
	minutes := f.put(t, f.home, "Minutes.txt", "x", "parentFolder", folder)
	f.put(t, f.home, "Open.txt", "y")
	f.must(t, "PUT", f.home+"/document/"+folder+"/access", `{"mode":"restricted","members":["`+member+`"]}`, http.StatusOK)
	at := f.home + "/document/" + textOf(minutes, "id")
	for _, path := range []string{
		at + "/content", at + "/version", f.home + "/document?parentFolder=" + folder, "/v1/file/" + textOf(minutes, "file") + "/content",
	} {
		auditor.must(t, "GET", path, "", http.StatusNotFound)
	}
	if names := auditor.listed(t, f.home, ""); names != "Open.txt" {
		t.Errorf("the auditor sees %s", names)
	}
	if names := guest.listed(t, f.home, "?parentFolder=root"); names != "Board" {
		t.Errorf("the guest sees %s", names)
	}
	guest.must(t, "GET", at+"/content/Minutes.txt", "", http.StatusOK)
	f.must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestWatermarkedDocumentIsNeverServedUnstamped(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	record := f.put(t, f.home, "Plan.pdf", "%PDF-1.7")
	at := f.home + "/document/" + textOf(record, "id")
	f.must(t, "PUT", at+"/access", `{"mode":"inherit","watermark":true}`, http.StatusOK)
	for _, path := range []string{at + "/content", at + "/content/Plan.pdf", "/v1/file/" + textOf(record, "file") + "/content"} {
		if got := f.must(t, "GET", path, "", http.StatusConflict); got.text(t, "code") != "notStampable" {
			t.Errorf("%s", got.body)
		}
	}
}

func TestWatermarkedPDFNamesItsReader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.pdf", pdf(t)), "id")
	plain := auditor.must(t, "GET", at+"/content", "", http.StatusOK)
	f.must(t, "PUT", at+"/access", `{"mode":"inherit","download":true,"watermark":true}`, http.StatusOK)
	stamped := auditor.must(t, "GET", at+"/content/Plan.pdf", "", http.StatusOK, "Range", "bytes=0-9")
	if stamped.header.Get("ETag") == plain.header.Get("ETag") || stamped.header.Get("Accept-Ranges") != "" {
		t.Errorf("%v", stamped.header)
	}
	if words := pdfWords(t, stamped.body); !strings.Contains(words, "auditor@example.com") || strings.Contains(words, "owner@example.com") {
		t.Error(words)
	}
}

func TestDocumentWithoutDownloadIsDisplayedOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	f.must(t, "PUT", at+"/access", `{"mode":"inherit","download":false}`, http.StatusOK)
	auditor.must(t, "GET", at+"/content", "", http.StatusConflict)
	auditor.must(t, "GET", at+"/content/Plan.txt", "", http.StatusOK)
	f.must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestBadNamesAreRefusedWithTheField(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for _, name := range []string{".", "..", "a/b", `a\b`, " a", "a ", "a\u0000b", "a\u202eb", strings.Repeat("ä", 256)} {
		got := f.must(t, "POST", f.home+"/folder", `{"name":`+quoted(t, name)+`}`, http.StatusBadRequest)
		if !strings.Contains(got.body, `"pointer":"/name"`) {
			t.Errorf("%q: %s", name, got.body)
		}
	}
	f.store(t, f.home+"/document", http.StatusBadRequest, []upload{{strings.Repeat("x", 300), "x"}})
	f.folder(t, f.home, strings.Repeat("ä", 255), "")
	f.folder(t, f.home, "Caf\u00e9", "")
	f.must(t, "POST", f.home+"/folder", `{"name":"CAFE\u0301"}`, http.StatusConflict)
}

func TestStaleMoveIsRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	at := f.home + "/document/" + f.folder(t, f.home, "Legal", "")
	moved := f.must(t, "POST", at+"/move", `{"name":"Board"}`, http.StatusOK)
	f.must(t, "POST", at+"/move", `{"name":"Law"}`, http.StatusPreconditionFailed, "If-Match", `"1"`)
	f.must(t, "POST", at+"/move", `{"name":"Law"}`, http.StatusOK, "If-Match", moved.header.Get("ETag"))
}
