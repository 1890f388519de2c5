package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// nestedPDF is a PDF whose page contains a list that is nested without end.
func nestedPDF() string {
	return "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[" + strings.Repeat("[", 500_000) + "]/Count 1>>endobj\n" +
		"trailer<</Root 1 0 R/Size 3>>\nstartxref\n0\n%%EOF"
}

func TestHostilePDFIsRefusedByNameWhileOthersAreServed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	watermarked := func(f *apitest.Firm, name, content string) string {
		at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, name, content), "id")
		f.Must(t, "PUT", at+"/access", `{"mode":"inherit","download":true,"watermark":true}`, http.StatusOK)
		return at + "/content"
	}
	hostile, harmless := watermarked(f, "Hostile.pdf", nestedPDF()), watermarked(other, "Plan.pdf", pdf(t))
	refused := f.Must(t, "GET", hostile, "", http.StatusConflict)
	if refused.Text(t, "code") != "notStampable" || !strings.Contains(refused.Text(t, "error"), "document") {
		t.Errorf("%s", refused.Body)
	}
	first := other.Must(t, "GET", harmless, "", http.StatusOK)
	if again := other.Must(t, "GET", harmless, "", http.StatusOK); again.Header.Get("ETag") != first.Header.Get("ETag") {
		t.Error("the second reading made another file")
	}
}
