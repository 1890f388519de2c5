package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// nestedPDF is a PDF whose page contains a list that is nested without end.
func nestedPDF() string {
	return "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[" + strings.Repeat("[", 500_000) + "]/Count 1>>endobj\n" +
		"trailer<</Root 1 0 R/Size 3>>\nstartxref\n0\n%%EOF"
}

func TestHostilePDFIsRefusedByNameWhileOthersAreServed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	watermarked := func(f *firm, name, content string) string {
		at := f.home + "/document/" + textOf(f.put(t, f.home, name, content), "id")
		f.must(t, "PUT", at+"/access", `{"mode":"inherit","download":true,"watermark":true}`, http.StatusOK)
		return at + "/content"
	}
	hostile, harmless := watermarked(f, "Hostile.pdf", nestedPDF()), watermarked(other, "Plan.pdf", pdf(t))
	refused := f.must(t, "GET", hostile, "", http.StatusConflict)
	if refused.text(t, "code") != "notStampable" || !strings.Contains(refused.text(t, "error"), "document") {
		t.Errorf("%s", refused.body)
	}
	first := other.must(t, "GET", harmless, "", http.StatusOK)
	if again := other.must(t, "GET", harmless, "", http.StatusOK); again.header.Get("ETag") != first.header.Get("ETag") {
		t.Error("the second reading made another file")
	}
}
