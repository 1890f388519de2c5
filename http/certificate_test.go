package http_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"equity/captable"
	"equity/certificate"
	"equity/http/apitest"
)

// pages counts the pages of a PDF.
func pages(pdf string) int {
	return strings.Count(pdf, "/Type /Page\n") + strings.Count(pdf, "/Type /Page ") + strings.Count(pdf, "/Type /Page>")
}

// rendered returns the PDF of a document from the certificate package. Rendering is
// deterministic, so tests compare whole answers.
func rendered(t *testing.T, document certificate.Document) string {
	t.Helper()
	content, err := certificate.NewRenderer().Render(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestCertificateIsRenderedFromTheShareholding(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Must(t, "PATCH", f.Home, `{"legalName":"Analytical Engines, Inc.","jurisdiction":"US-DE"}`, 200)
	f.Must(t, "PUT", f.Home+"/shareholding/config", `{"equityName":"shares","fractional":false,"certificateSignatories":`+
		`[{"name":"Charles Babbage","title":"Secretary"}],"numbering":"perSecurity","capitalAccounts":false}`, 200)
	legend := f.NewLegend(t, `{"name":"Securities Act","text":"Not registered.","default":true}`)
	own := f.NewLegend(t, `{"name":"Refusal","text":"First refusal."}`)
	plain := f.Issue(t, f.NewHolder(t, "Émilie Łukasiewicz 田中"), "1234", `"pricePerShare":"0.5"`, `"consideration":{"cash":"617"}`)
	marked := f.Issue(t, f.NewHolder(t, "Bob"), "5", `"legends":["`+own+`"]`)
	want := certificate.Document{
		Organization: "Analytical Engines, Inc.", Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "CS-1",
		Holder: "Émilie Łukasiewicz 田中", Shares: "1234", Security: "Common Stock", ParValue: "$0.0001", FullyPaid: true, IssueDate: "2026-01-01",
		Legends:     []certificate.Legend{{Name: "Securities Act", Text: "Not registered."}},
		Signatories: []certificate.Signatory{{Name: "Charles Babbage", Title: "Secretary"}},
		VerifyURL:   "https://equity.example.com" + printedAddress(t, f, plain),
	}
	got := f.Must(t, "GET", plain+"/certificate", "", 200)
	if got.Body != rendered(t, want) || !strings.HasPrefix(got.Body, "%PDF-") || pages(got.Body) != 1 {
		t.Errorf("the certificate differs: %d pages of %.20q", pages(got.Body), got.Body)
	}
	if name := got.Header.Get("Content-Disposition"); name != "attachment; filename=CS-1.pdf" {
		t.Errorf("the content disposition is %s", name)
	}
	f.Issue(t, f.NewHolder(t, "Cleo"), "1")
	f.Must(t, "GET", plain+"/certificate", "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))

	want.Kind = certificate.Copy
	copied := f.Must(t, "GET", plain+"/certificate/copy", "", 200)
	if copied.Body != rendered(t, want) || copied.Header.Get("Content-Disposition") != `attachment; filename="CS-1 copy.pdf"` {
		t.Errorf("the copy differs: %s", copied.Header.Get("Content-Disposition"))
	}
	f.Must(t, "DELETE", plain, `{"reason":"By mistake."}`, 200)
	want.Ended = "VOIDED"
	if got := f.Must(t, "GET", plain+"/certificate", "", http.StatusConflict); got.Text(t, "details", "status") != "voided" {
		t.Errorf("certificate of voided shares: %s", got.Body)
	}
	if f.Must(t, "GET", plain+"/certificate/copy", "", 200).Body != rendered(t, want) {
		t.Error("the copy of a voided certificate differs")
	}
	other := certificate.Document{
		Organization: want.Organization, Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "CS-2", Holder: "Bob", Shares: "5",
		Security: "Common Stock", ParValue: "$0.0001", IssueDate: "2026-01-01",
		Legends:     []certificate.Legend{{Name: "Refusal", Text: "First refusal."}},
		Signatories: want.Signatories, VerifyURL: "https://equity.example.com" + printedAddress(t, f, marked),
	}
	if f.Must(t, "GET", marked+"/certificate", "", 200).Body != rendered(t, other) {
		t.Error("the certificate with its own legend differs")
	}
	specimen := f.Must(t, "GET", f.Home+"/legend/"+legend+"/certificate", "", 200)
	if specimen.Body != rendered(t, certificate.Document{
		Kind: certificate.Specimen, Organization: want.Organization, Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "SPECIMEN",
		Holder: "Specimen Holder", Shares: "1000", Security: "Common Stock", Legends: want.Legends, Signatories: want.Signatories,
	}) {
		t.Error("the specimen differs")
	}
	f.Must(t, "GET", f.Home+"/legend/"+legend+"/certificate", "", http.StatusNotModified, "If-None-Match", specimen.Header.Get("ETag"))
}

func TestCertificateCheckShowsStatusOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	held := f.Issue(t, f.NewHolder(t, "Zoe Holder"), "123456")
	address := printedAddress(t, f, held)
	anonymous := b.Anonymous()
	current := anonymous.Must(t, "GET", address, "", 200)
	if current.Get(t, "current") != true || current.Get(t, "replaced") != false || current.Text(t, "certificate") != "CS-1" ||
		current.Text(t, "organizationName") != "Analytical Engines" || current.Text(t, "securityName") != "Common Stock" ||
		current.Text(t, "status") != "active" || current.Text(t, "issueDate") != "2026-01-01" {
		t.Errorf("a current certificate: %s", current.Body)
	}
	page := anonymous.Must(t, "GET", address, "", 200, "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	if !strings.Contains(page.Body, "This certificate is current") || !strings.Contains(page.Body, `<main class="holds">`) || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") ||
		!strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page of a current certificate: %s", page.Body)
	}
	for _, shown := range []string{current.Body, page.Body} {
		for _, secret := range []string{"Zoe", "123456", apitest.IDOf(held), f.ID, f.User.Email} {
			if strings.Contains(shown, secret) {
				t.Errorf("the answer reveals %s: %s", secret, shown)
			}
		}
	}
	f.Must(t, "PATCH", held, `{"shareholderName":"Zoe Married"}`, 200)
	replaced := anonymous.Must(t, "GET", address, "", 200)
	if replaced.Get(t, "current") != false || replaced.Get(t, "replaced") != true {
		t.Errorf("a certificate with a former name: %s", replaced.Body)
	}
	if page := anonymous.Must(t, "GET", address, "", 200, "Accept", "text/html"); !strings.Contains(page.Body, "was replaced") {
		t.Errorf("the page of a certificate with a former name: %s", page.Body)
	}
	fresh := printedAddress(t, f, held)
	if got := anonymous.Must(t, "GET", fresh, "", 200); got.Get(t, "current") != true {
		t.Errorf("a certificate with the new name: %s", got.Body)
	}
	f.Must(t, "POST", held+"/cancel", `{"date":"2026-02-01","reason":"x"}`, 200)
	ended := anonymous.Must(t, "GET", fresh, "", 200)
	if ended.Get(t, "current") != false || ended.Text(t, "status") != "cancelled" || ended.Text(t, "endDate") != "2026-02-01" {
		t.Errorf("a certificate of cancelled shares: %s", ended.Body)
	}
	for _, code := range []string{"00000000", strings.Repeat("A", 32), "x." + strings.Repeat("A", 40)} {
		got := anonymous.Send(t, "GET", "/v1/certificate/"+code, "")
		if got.Status != 404 && got.Status != 400 {
			t.Errorf("%s: %d %s", code, got.Status, got.Body)
		}
	}
	if got := anonymous.Must(t, "GET", "/v1/certificate/"+strings.Repeat("A", 32), "", 404, "Accept", "text/html"); !strings.Contains(got.Body, `<main class="gone">`) ||
		!strings.Contains(got.Body, "<h1>Unknown certificate</h1>") {
		t.Errorf("the page of an unknown certificate: %s", got.Body)
	}
}

// printedAddress returns the path in the QR code of the shareholding's certificate. The path
// must stay valid as long as printed certificates exist.
func printedAddress(tb testing.TB, f *apitest.Firm, held string) string {
	tb.Helper()
	record := f.Must(tb, "GET", held, "", 200)
	id, err := captable.ParseID[captable.Shareholding](record.Text(tb, "id"))
	if err != nil {
		tb.Fatal(err)
	}
	facts := []string{"certificate", "shareholderName", "security", "shares", "issueDate"}
	for i, name := range facts {
		facts[i] = record.Text(tb, name)
	}
	sum := sha256.Sum256([]byte(strings.Join(facts, "\x00")))
	return "/v1/certificate/" + base64.RawURLEncoding.EncodeToString(append(id[:], sum[:8]...))
}
