package http_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// listed returns the names in a folder as the client sees them, separated by spaces.
func (c *client) listed(tb testing.TB, home, query string) string {
	tb.Helper()
	var names []string
	items, _ := c.must(tb, "GET", home+"/document"+query, "", http.StatusOK).get(tb).([]any)
	for _, item := range items {
		record, _ := item.(map[string]any)
		names = append(names, textOf(record, "name"))
	}
	return strings.Join(names, " ")
}

func TestUploadedDocumentIsListedAndDownloaded(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		record := f.put(t, f.home, "Plan.txt", "The plan.")
		sum := sha256.Sum256([]byte("The plan."))
		if got, want := textOf(record, "sha256"), hex.EncodeToString(sum[:]); got != want {
			t.Errorf("hash %s, want %s", got, want)
		}
		at := f.home + "/document/" + textOf(record, "id")
		got := f.must(t, "GET", at+"/content", "", http.StatusOK)
		if got.body != "The plan." || got.header.Get("ETag") != `"`+textOf(record, "sha256")+`"` {
			t.Errorf("%q %v", got.body, got.header)
		}
		if names := f.listed(t, f.home, ""); names != "Plan.txt" {
			t.Errorf("listed: %s", names)
		}
	})
}

func TestUploadOfSeveralFilesIsAllOrNothing(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	f.store(t, f.home+"/document/many", http.StatusCreated, []upload{{"A.txt", "A"}, {"B.txt", "B"}}, "path", "Legal/2026")
	if names := f.listed(t, f.home, "?parentFolder=root"); names != "Legal" {
		t.Errorf("listed: %s", names)
	}
	if names := f.listed(t, f.home, ""); names != "2026 Legal A.txt B.txt" {
		t.Errorf("listed of all folders: %s", names)
	}
	f.store(t, f.home+"/document/many", http.StatusConflict, []upload{{"C.txt", "C"}, {"A.txt", "A"}}, "path", "Legal/2026", "onConflict", "refuse")
	items, _ := f.must(t, "GET", f.home+"/document?parentFolder=root", "", http.StatusOK).get(t).([]any)
	legal, _ := items[0].(map[string]any)
	inside, _ := f.must(t, "GET", f.home+"/document?parentFolder="+textOf(legal, "id"), "", http.StatusOK).get(t).([]any)
	year, _ := inside[0].(map[string]any)
	if names := f.listed(t, f.home, "?parentFolder="+textOf(year, "id")); names != "A.txt B.txt" {
		t.Errorf("listed: %s", names)
	}
}

func TestConflictsOfNames(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	first := f.put(t, f.home, "Plan.txt", "One")
	second := f.put(t, f.home, "PLAN.txt", "Two")
	if textOf(first, "id") != textOf(second, "id") || second["versionNumber"] != 2.0 {
		t.Errorf("no version: %v", second)
	}
	renamed := f.put(t, f.home, "Plan.txt", "Three", "onConflict", "rename")
	if textOf(renamed, "name") != "Plan (2).txt" {
		t.Errorf("name %s", textOf(renamed, "name"))
	}
	at := f.home + "/document/" + textOf(first, "id")
	if got := f.must(t, "GET", at+"/content?versionNumber=1", "", http.StatusOK); got.body != "One" {
		t.Errorf("version 1: %q", got.body)
	}
	if versions := f.must(t, "GET", at+"/version", "", http.StatusOK).list(t, "data"); len(versions) != 2 {
		t.Errorf("%d versions", len(versions))
	}
	f.must(t, "GET", at+"/content?versionNumber=3", "", http.StatusNotFound)
}

func TestRangesOfContent(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	record := f.put(t, f.home, "Digits.txt", "0123456789")
	at, tag := f.home+"/document/"+textOf(record, "id")+"/content", `"`+textOf(record, "sha256")+`"`
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
		got := f.must(t, "GET", at, "", one.status, append([]string{"Range", one.header}, one.more...)...)
		if got.body != one.body || got.header.Get("Content-Range") != one.covers || got.header.Get("Content-Length") != strconv.Itoa(len(one.body)) {
			t.Errorf("%s: %q %v", one.claim, got.body, got.header)
		}
	}
	beyond := f.must(t, "GET", at, "", http.StatusRequestedRangeNotSatisfiable, "Range", "bytes=10-")
	if covers := beyond.header.Get("Content-Range"); covers != "bytes */10" {
		t.Errorf("beyond the end: %q", covers)
	}
	f.must(t, "GET", at, "", http.StatusNotModified, "If-None-Match", tag)
	f.must(t, "GET", at, "", http.StatusOK, "If-None-Match", `"other"`)
}

func TestHeadersOfContent(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for _, one := range []struct{ name, content, suffix, disposition string }{
		{"Plan.pdf", "%PDF-1.7", "", "attachment"},
		{"Plan.pdf", "%PDF-1.7", "/Plan.pdf", "inline"},
		{"Page.html", "<script>alert(1)</script>", "/Page.html", "attachment"},
		{"Image.svg", "<svg onload=alert(1) xmlns='http://www.w3.org/2000/svg'/>", "/Image.svg", "attachment"},
		{"Übersicht.txt", "Text", "", "attachment; filename*=utf-8''%C3%9Cbersicht.txt"},
	} {
		record := f.put(t, f.home, one.name, one.content)
		got := f.must(t, "GET", f.home+"/document/"+textOf(record, "id")+"/content"+one.suffix, "", http.StatusOK)
		if !strings.HasPrefix(got.header.Get("Content-Disposition"), one.disposition) {
			t.Errorf("%s%s: %s", one.name, one.suffix, got.header.Get("Content-Disposition"))
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'",
			"Cache-Control": "private, no-cache", "Accept-Ranges": "bytes",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q", one.name, name, got.header.Get(name))
			}
		}
	}
}

func TestHeadOfContentNamesItsLength(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	record := f.put(t, f.home, "Plan.txt", "The plan.")
	got := f.must(t, "HEAD", f.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusOK)
	if got.header.Get("Content-Length") != "9" {
		t.Errorf("%v", got.header)
	}
}
