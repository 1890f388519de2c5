package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestFolderIsNotMovedIntoItself(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		outer := f.NewFolder(t, f.Home, "Outer", "")
		inner := f.NewFolder(t, f.Home, "Inner", outer)
		at := f.Home + "/document/"
		for _, target := range []string{outer, inner} {
			got := f.Must(t, "POST", at+outer+"/move", `{"parentFolder":"`+target+`"}`, http.StatusConflict)
			if got.Text(t, "code") != "folderCycle" {
				t.Errorf("%s", got.Body)
			}
		}
		f.Must(t, "POST", at+inner+"/move", `{"parentFolder":null,"name":"Free"}`, http.StatusOK)
		if names := listDocuments(t, f.Client, f.Home, ""); names != "Free Outer" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestMoveIntoADocumentIsRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	folder, document := f.NewFolder(t, f.Home, "Legal", ""), apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	got := f.Must(t, "POST", f.Home+"/document/"+folder+"/move", `{"parentFolder":"`+document+`"}`, http.StatusBadRequest)
	if !strings.Contains(got.Body, `"/parentFolder"`) {
		t.Errorf("%s", got.Body)
	}
	f.Must(t, "GET", f.Home+"/document/"+folder+"/content", "", http.StatusConflict)
}

func TestDeletedFolderIsRestoredWithItsContent(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		folder := f.NewFolder(t, f.Home, "Legal", "")
		plan := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x", "parentFolder", folder), "id")
		f.Must(t, "DELETE", f.Home+"/document/"+folder, "", http.StatusNoContent)
		f.Must(t, "GET", plan+"/content", "", http.StatusNotFound)
		if names := listDocuments(t, f.Client, f.Home, ""); names != "" {
			t.Errorf("listed: %s", names)
		}
		if names := listDocuments(t, f.Client, f.Home, "?deleted=true"); names != "Legal" {
			t.Errorf("deleted: %s", names)
		}
		f.Must(t, "POST", f.Home+"/document/"+folder+"/restore", "", http.StatusOK)
		f.Must(t, "GET", plan+"/content", "", http.StatusOK)
	})
}

func TestRestrictedFolderIsHidden(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor, guest := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com"), b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	member := f.Join(t, f.Home, guest, "Guest")
	folder := f.NewFolder(t, f.Home, "Board", "")
	minutes := f.PutDocument(t, f.Home, "Minutes.txt", "x", "parentFolder", folder)
	f.PutDocument(t, f.Home, "Open.txt", "y")
	f.Must(t, "PUT", f.Home+"/document/"+folder+"/access", `{"mode":"restricted","members":["`+member+`"]}`, http.StatusOK)
	at := f.Home + "/document/" + apitest.TextOf(minutes, "id")
	for _, path := range []string{
		at + "/content", at + "/version", f.Home + "/document?parentFolder=" + folder,
		"/v1/file/" + apitest.TextOf(minutes, "file") + "/content",
	} {
		auditor.Must(t, "GET", path, "", http.StatusNotFound)
	}
	if names := listDocuments(t, auditor, f.Home, ""); names != "Open.txt" {
		t.Errorf("the auditor sees %s", names)
	}
	if names := listDocuments(t, guest, f.Home, "?parentFolder=root"); names != "Board" {
		t.Errorf("the guest sees %s", names)
	}
	guest.Must(t, "GET", at+"/content/Minutes.txt", "", http.StatusOK)
	f.Must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestWatermarkedDocumentIsNeverServedUnstamped(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	record := f.PutDocument(t, f.Home, "Plan.pdf", "%PDF-1.7")
	at := f.Home + "/document/" + apitest.TextOf(record, "id")
	f.Must(t, "PUT", at+"/access", `{"mode":"inherit","watermark":true}`, http.StatusOK)
	for _, path := range []string{at + "/content", at + "/content/Plan.pdf", "/v1/file/" + apitest.TextOf(record, "file") + "/content"} {
		if got := f.Must(t, "GET", path, "", http.StatusConflict); got.Text(t, "code") != "notStampable" {
			t.Errorf("%s", got.Body)
		}
	}
}

func TestWatermarkedPDFNamesItsReader(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.pdf", pdf(t)), "id")
	plain := auditor.Must(t, "GET", at+"/content", "", http.StatusOK)
	f.Must(t, "PUT", at+"/access", `{"mode":"inherit","download":true,"watermark":true}`, http.StatusOK)
	stamped := auditor.Must(t, "GET", at+"/content/Plan.pdf", "", http.StatusOK, "Range", "bytes=0-9")
	if stamped.Header.Get("ETag") == plain.Header.Get("ETag") || stamped.Header.Get("Accept-Ranges") != "" {
		t.Errorf("%v", stamped.Header)
	}
	if words := pdfWords(t, stamped.Body); !strings.Contains(words, "auditor@example.com") || strings.Contains(words, "owner@example.com") {
		t.Error(words)
	}
}

func TestDocumentWithoutDownloadIsDisplayedOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	f.Must(t, "PUT", at+"/access", `{"mode":"inherit","download":false}`, http.StatusOK)
	auditor.Must(t, "GET", at+"/content", "", http.StatusConflict)
	auditor.Must(t, "GET", at+"/content/Plan.txt", "", http.StatusOK)
	f.Must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestBadNamesAreRefusedWithTheField(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for _, name := range []string{".", "..", "a/b", `a\b`, " a", "a ", "a\u0000b", "a\u202eb", strings.Repeat("ä", 256)} {
		got := f.Must(t, "POST", f.Home+"/folder", `{"name":`+apitest.Quoted(t, name)+`}`, http.StatusBadRequest)
		if !strings.Contains(got.Body, `"pointer":"/name"`) {
			t.Errorf("%q: %s", name, got.Body)
		}
	}
	f.Upload(t, f.Home+"/document", http.StatusBadRequest, []apitest.File{{Name: strings.Repeat("x", 300), Content: "x"}})
	f.NewFolder(t, f.Home, strings.Repeat("ä", 255), "")
	f.NewFolder(t, f.Home, "Caf\u00e9", "")
	f.Must(t, "POST", f.Home+"/folder", `{"name":"CAFE\u0301"}`, http.StatusConflict)
}

func TestStaleMoveIsRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	at := f.Home + "/document/" + f.NewFolder(t, f.Home, "Legal", "")
	moved := f.Must(t, "POST", at+"/move", `{"name":"Board"}`, http.StatusOK)
	f.Must(t, "POST", at+"/move", `{"name":"Law"}`, http.StatusPreconditionFailed, "If-Match", `"1"`)
	f.Must(t, "POST", at+"/move", `{"name":"Law"}`, http.StatusOK, "If-Match", moved.Header.Get("ETag"))
}
