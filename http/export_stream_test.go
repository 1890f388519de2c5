package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// brokenJournal is a journal whose rows cannot be scanned.
type brokenJournal struct{ api.Journal }

func (brokenJournal) Scan(context.Context, organization.ID, uint64, uint64, func(messages.Row) error) error {
	return errBroken
}

// brokenWriter is a connection that breaks within the body.
type brokenWriter struct {
	*httptest.ResponseRecorder
	written int
}

func (w *brokenWriter) Write(bytes []byte) (int, error) {
	if w.written += len(bytes); w.written > 100 {
		return 0, errBroken
	}
	return w.ResponseRecorder.Write(bytes)
}

func TestExportedPackageIsStreamed(t *testing.T) {
	t.Parallel()
	owner := setup(t).person(t, "owner@example.com")
	path := owner.company(t) + "/captable?format=ocf"
	got := owner.must(t, "GET", path, "", http.StatusOK)
	if length := got.header.Get("Content-Length"); length != "" {
		t.Errorf("the length %s was known before the first byte", length)
	}
	owner.must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))
}

func TestExportOfAnUnreadableJournalIsRefusedBeforeItsFirstByte(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Journal = brokenJournal{s.Journal} })
	owner := b.person(t, "owner@example.com")
	got := owner.must(t, "GET", owner.company(t)+"/captable?format=ocf", "", http.StatusServiceUnavailable)
	if got.header.Get("Content-Type") == "application/zip" || got.header.Get("Content-Disposition") != "" {
		t.Errorf("%v", got.header)
	}
}

func TestExportThatBreaksOffAbortsItsConnection(t *testing.T) {
	t.Parallel()
	owner := setup(t).person(t, "owner@example.com")
	r := httptest.NewRequestWithContext(t.Context(), "GET", owner.company(t)+"/captable?format=ocf", http.NoBody)
	r.Header.Set("Cookie", owner.cookie)
	defer func() {
		if reason := recover(); reason != http.ErrAbortHandler { //nolint:errorlint,err113 // compared as in net/http
			t.Errorf("got %v", reason)
		}
	}()
	owner.server.ServeHTTP(&brokenWriter{ResponseRecorder: httptest.NewRecorder()}, r)
}
