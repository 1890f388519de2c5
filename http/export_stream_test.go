package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
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
	owner := apitest.Setup(t).NewPerson(t, "owner@example.com")
	path := owner.NewOrganization(t) + "/captable?format=ocf"
	got := owner.Must(t, "GET", path, "", http.StatusOK)
	if length := got.Header.Get("Content-Length"); length != "" {
		t.Errorf("the length %s was known before the first byte", length)
	}
	owner.Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))
}

func TestExportOfAnUnreadableJournalIsRefusedBeforeItsFirstByte(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Journal = brokenJournal{s.Journal} })
	owner := b.NewPerson(t, "owner@example.com")
	got := owner.Must(t, "GET", owner.NewOrganization(t)+"/captable?format=ocf", "", http.StatusServiceUnavailable)
	if got.Header.Get("Content-Type") == "application/zip" || got.Header.Get("Content-Disposition") != "" {
		t.Errorf("%v", got.Header)
	}
}

func TestExportThatBreaksOffAbortsItsConnection(t *testing.T) {
	t.Parallel()
	owner := apitest.Setup(t).NewPerson(t, "owner@example.com")
	r := httptest.NewRequestWithContext(t.Context(), "GET", owner.NewOrganization(t)+"/captable?format=ocf", http.NoBody)
	r.Header.Set("Cookie", owner.Cookie)
	defer func() {
		if reason := recover(); reason != http.ErrAbortHandler { //nolint:errorlint,err113 // compared as in net/http
			t.Errorf("got %v", reason)
		}
	}()
	owner.HTTP.ServeHTTP(&brokenWriter{ResponseRecorder: httptest.NewRecorder()}, r)
}
