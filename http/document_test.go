package http_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"equity/http/apitest"
)

// listDocuments returns the names in a folder as the client sees them, separated by spaces.
func listDocuments(tb testing.TB, c *apitest.Client, home, query string) string {
	tb.Helper()
	var names []string
	items, _ := c.Must(tb, "GET", home+"/document"+query, "", http.StatusOK).Get(tb).([]any)
	for _, item := range items {
		record, _ := item.(map[string]any)
		names = append(names, apitest.TextOf(record, "name"))
	}
	return strings.Join(names, " ")
}

func TestUploadedDocumentIsListedAndDownloaded(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		record := f.PutDocument(t, f.Home, "Plan.txt", "The plan.")
		sum := sha256.Sum256([]byte("The plan."))
		if got, want := apitest.TextOf(record, "sha256"), hex.EncodeToString(sum[:]); got != want {
			t.Errorf("hash %s, want %s", got, want)
		}
		at := f.Home + "/document/" + apitest.TextOf(record, "id")
		got := f.Must(t, "GET", at+"/content", "", http.StatusOK)
		if got.Body != "The plan." || got.Header.Get("ETag") != `"`+apitest.TextOf(record, "sha256")+`"` {
			t.Errorf("%q %v", got.Body, got.Header)
		}
		if names := listDocuments(t, f.Client, f.Home, ""); names != "Plan.txt" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestUploadOfSeveralFilesIsAllOrNothing(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	f.Upload(t, f.Home+"/document/many", http.StatusCreated, []apitest.File{{Name: "A.txt", Content: "A"}, {Name: "B.txt", Content: "B"}}, "path", "Legal/2026")
	if names := listDocuments(t, f.Client, f.Home, "?parentFolder=root"); names != "Legal" {
		t.Errorf("listed: %s", names)
	}
	if names := listDocuments(t, f.Client, f.Home, ""); names != "2026 Legal A.txt B.txt" {
		t.Errorf("listed of all folders: %s", names)
	}
	f.Upload(t, f.Home+"/document/many", http.StatusConflict, []apitest.File{{Name: "C.txt", Content: "C"}, {Name: "A.txt", Content: "A"}}, "path", "Legal/2026", "onConflict", "refuse")
	items, _ := f.Must(t, "GET", f.Home+"/document?parentFolder=root", "", http.StatusOK).Get(t).([]any)
	legal, _ := items[0].(map[string]any)
	inside, _ := f.Must(t, "GET", f.Home+"/document?parentFolder="+apitest.TextOf(legal, "id"), "", http.StatusOK).Get(t).([]any)
	year, _ := inside[0].(map[string]any)
	if names := listDocuments(t, f.Client, f.Home, "?parentFolder="+apitest.TextOf(year, "id")); names != "A.txt B.txt" {
		t.Errorf("listed: %s", names)
	}
}

func TestConflictsOfNames(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	first := f.PutDocument(t, f.Home, "Plan.txt", "One")
	second := f.PutDocument(t, f.Home, "PLAN.txt", "Two")
	if apitest.TextOf(first, "id") != apitest.TextOf(second, "id") || second["versionNumber"] != 2.0 {
		t.Errorf("no version: %v", second)
	}
	renamed := f.PutDocument(t, f.Home, "Plan.txt", "Three", "onConflict", "rename")
	if apitest.TextOf(renamed, "name") != "Plan (2).txt" {
		t.Errorf("name %s", apitest.TextOf(renamed, "name"))
	}
	at := f.Home + "/document/" + apitest.TextOf(first, "id")
	if got := f.Must(t, "GET", at+"/content?versionNumber=1", "", http.StatusOK); got.Body != "One" {
		t.Errorf("version 1: %q", got.Body)
	}
	if versions := f.Must(t, "GET", at+"/version", "", http.StatusOK).List(t, "data"); len(versions) != 2 {
		t.Errorf("%d versions", len(versions))
	}
	f.Must(t, "GET", at+"/content?versionNumber=3", "", http.StatusNotFound)
}

func TestRangesOfContent(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	record := f.PutDocument(t, f.Home, "Digits.txt", "0123456789")
	at, tag := f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", `"`+apitest.TextOf(record, "sha256")+`"`
	for _, one := range []struct {
		claim, header string
		status        int
		body, covers  string
		more          []string
	}{
		{"a range is served", "bytes=2-4", http.StatusPartialContent, "234", "bytes 2-4/10", nil},
		{"an open range ends with the content", "bytes=7-", http.StatusPartialContent, "789", "bytes 7-9/10", nil},
		{"a suffix is served", "bytes=-2", http.StatusPartialContent, "89", "bytes 8-9/10", nil},
		{"a range beyond the end is shortened", "bytes=8-99", http.StatusPartialContent, "89", "bytes 8-9/10", nil},
		{"several ranges return all bytes", "bytes=0-1,3-4", http.StatusOK, "0123456789", "", nil},
		{"another unit returns all bytes", "lines=0-1", http.StatusOK, "0123456789", "", nil},
		{"a matching If-Range keeps the range", "bytes=0-0", http.StatusPartialContent, "0", "bytes 0-0/10", []string{"If-Range", tag}},
		{"another If-Range returns all bytes", "bytes=0-0", http.StatusOK, "0123456789", "", []string{"If-Range", `"other"`}},
	} {
		got := f.Must(t, "GET", at, "", one.status, append([]string{"Range", one.header}, one.more...)...)
		if got.Body != one.body || got.Header.Get("Content-Range") != one.covers || got.Header.Get("Content-Length") != strconv.Itoa(len(one.body)) {
			t.Errorf("%s: %q %v", one.claim, got.Body, got.Header)
		}
	}
	beyond := f.Must(t, "GET", at, "", http.StatusRequestedRangeNotSatisfiable, "Range", "bytes=10-")
	if covers := beyond.Header.Get("Content-Range"); covers != "bytes */10" {
		t.Errorf("beyond the end: %q", covers)
	}
	f.Must(t, "GET", at, "", http.StatusNotModified, "If-None-Match", tag)
	f.Must(t, "GET", at, "", http.StatusOK, "If-None-Match", `"other"`)
}

func TestHeadersOfContent(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for _, one := range []struct{ name, content, suffix, disposition string }{
		{"Plan.pdf", "%PDF-1.7", "", "attachment"},
		{"Plan.pdf", "%PDF-1.7", "/Plan.pdf", "inline"},
		{"Page.html", "<script>alert(1)</script>", "/Page.html", "attachment"},
		{"Image.svg", "<svg onload=alert(1) xmlns='http://www.w3.org/2000/svg'/>", "/Image.svg", "attachment"},
		{"Übersicht.txt", "Text", "", "attachment; filename*=utf-8''%C3%9Cbersicht.txt"},
	} {
		record := f.PutDocument(t, f.Home, one.name, one.content)
		got := f.Must(t, "GET", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content"+one.suffix, "", http.StatusOK)
		if !strings.HasPrefix(got.Header.Get("Content-Disposition"), one.disposition) {
			t.Errorf("%s%s: %s", one.name, one.suffix, got.Header.Get("Content-Disposition"))
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'",
			"Cache-Control": "private, no-cache", "Accept-Ranges": "bytes",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %s is %q", one.name, name, got.Header.Get(name))
			}
		}
	}
}

func TestHeadOfContentNamesItsLength(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	record := f.PutDocument(t, f.Home, "Plan.txt", "The plan.")
	got := f.Must(t, "HEAD", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusOK)
	if got.Header.Get("Content-Length") != "9" {
		t.Errorf("%v", got.Header)
	}
}
