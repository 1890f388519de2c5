package http_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"equity/captable"
	"equity/certificate"
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.must(t, "PATCH", f.home, `{"legalName":"Analytical Engines, Inc.","jurisdiction":"US-DE"}`, 200)
	f.must(t, "PUT", f.home+"/shareholding/config", `{"equityName":"shares","fractional":false,"certificateSignatories":`+
		`[{"name":"Charles Babbage","title":"Secretary"}],"numbering":"perSecurity","capitalAccounts":false}`, 200)
	legend := f.legend(t, `{"name":"Securities Act","text":"Not registered.","default":true}`)
	own := f.legend(t, `{"name":"Refusal","text":"First refusal."}`)
	plain := f.issue(t, f.holder(t, "Émilie Łukasiewicz 田中"), "1234", `"pricePerShare":"0.5"`, `"consideration":{"cash":"617"}`)
	marked := f.issue(t, f.holder(t, "Bob"), "5", `"legends":["`+own+`"]`)
	want := certificate.Document{
		Organization: "Analytical Engines, Inc.", Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "CS-1",
		Holder: "Émilie Łukasiewicz 田中", Shares: "1234", Security: "Common Stock", ParValue: "$0.0001", FullyPaid: true, IssueDate: "2026-01-01",
		Legends:     []certificate.Legend{{Name: "Securities Act", Text: "Not registered."}},
		Signatories: []certificate.Signatory{{Name: "Charles Babbage", Title: "Secretary"}},
		VerifyURL:   "https://equity.example.com" + f.printedAddress(t, plain),
	}
	got := f.must(t, "GET", plain+"/certificate", "", 200)
	if got.body != rendered(t, want) || !strings.HasPrefix(got.body, "%PDF-") || pages(got.body) != 1 {
		t.Errorf("the certificate differs: %d pages of %.20q", pages(got.body), got.body)
	}
	if name := got.header.Get("Content-Disposition"); name != "attachment; filename=CS-1.pdf" {
		t.Errorf("the content disposition is %s", name)
	}
	f.issue(t, f.holder(t, "Cleo"), "1")
	f.must(t, "GET", plain+"/certificate", "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))

	want.Kind = certificate.Copy
	copied := f.must(t, "GET", plain+"/certificate/copy", "", 200)
	if copied.body != rendered(t, want) || copied.header.Get("Content-Disposition") != `attachment; filename="CS-1 copy.pdf"` {
		t.Errorf("the copy differs: %s", copied.header.Get("Content-Disposition"))
	}
	f.must(t, "DELETE", plain, `{"reason":"By mistake."}`, 200)
	want.Ended = "VOIDED"
	if got := f.must(t, "GET", plain+"/certificate", "", http.StatusConflict); got.text(t, "details", "status") != "voided" {
		t.Errorf("certificate of voided shares: %s", got.body)
	}
	if f.must(t, "GET", plain+"/certificate/copy", "", 200).body != rendered(t, want) {
		t.Error("the copy of a voided certificate differs")
	}
	other := certificate.Document{
		Organization: want.Organization, Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "CS-2", Holder: "Bob", Shares: "5",
		Security: "Common Stock", ParValue: "$0.0001", IssueDate: "2026-01-01",
		Legends:     []certificate.Legend{{Name: "Refusal", Text: "First refusal."}},
		Signatories: want.Signatories, VerifyURL: "https://equity.example.com" + f.printedAddress(t, marked),
	}
	if f.must(t, "GET", marked+"/certificate", "", 200).body != rendered(t, other) {
		t.Error("the certificate with its own legend differs")
	}
	specimen := f.must(t, "GET", f.home+"/legend/"+legend+"/certificate", "", 200)
	if specimen.body != rendered(t, certificate.Document{
		Kind: certificate.Specimen, Organization: want.Organization, Jurisdiction: "Delaware", OrganizationType: "corporation", Number: "SPECIMEN",
		Holder: "Specimen Holder", Shares: "1000", Security: "Common Stock", Legends: want.Legends, Signatories: want.Signatories,
	}) {
		t.Error("the specimen differs")
	}
	f.must(t, "GET", f.home+"/legend/"+legend+"/certificate", "", http.StatusNotModified, "If-None-Match", specimen.header.Get("ETag"))
}

func TestCertificateCheckShowsStatusOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	held := f.issue(t, f.holder(t, "Zoe Holder"), "123456")
	address := f.printedAddress(t, held)
	anonymous := b.anonymous()
	current := anonymous.must(t, "GET", address, "", 200)
	if current.get(t, "current") != true || current.get(t, "replaced") != false || current.text(t, "certificate") != "CS-1" ||
		current.text(t, "organizationName") != "Analytical Engines" || current.text(t, "securityName") != "Common Stock" ||
		current.text(t, "status") != "active" || current.text(t, "issueDate") != "2026-01-01" {
		t.Errorf("a current certificate: %s", current.body)
	}
	page := anonymous.must(t, "GET", address, "", 200, "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	if !strings.Contains(page.body, "This certificate is current") || !strings.Contains(page.body, `<main class="holds">`) || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") ||
		!strings.Contains(page.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page of a current certificate: %s", page.body)
	}
	for _, shown := range []string{current.body, page.body} {
		for _, secret := range []string{"Zoe", "123456", last(held), f.id, f.user.Email} {
			if strings.Contains(shown, secret) {
				t.Errorf("the answer reveals %s: %s", secret, shown)
			}
		}
	}
	f.must(t, "PATCH", held, `{"shareholderName":"Zoe Married"}`, 200)
	replaced := anonymous.must(t, "GET", address, "", 200)
	if replaced.get(t, "current") != false || replaced.get(t, "replaced") != true {
		t.Errorf("a certificate with a former name: %s", replaced.body)
	}
	if page := anonymous.must(t, "GET", address, "", 200, "Accept", "text/html"); !strings.Contains(page.body, "was replaced") {
		t.Errorf("the page of a certificate with a former name: %s", page.body)
	}
	fresh := f.printedAddress(t, held)
	if got := anonymous.must(t, "GET", fresh, "", 200); got.get(t, "current") != true {
		t.Errorf("a certificate with the new name: %s", got.body)
	}
	f.must(t, "POST", held+"/cancel", `{"date":"2026-02-01","reason":"x"}`, 200)
	ended := anonymous.must(t, "GET", fresh, "", 200)
	if ended.get(t, "current") != false || ended.text(t, "status") != "cancelled" || ended.text(t, "endDate") != "2026-02-01" {
		t.Errorf("a certificate of cancelled shares: %s", ended.body)
	}
	for _, code := range []string{"00000000", strings.Repeat("A", 32), "x." + strings.Repeat("A", 40)} {
		got := anonymous.send(t, "GET", "/v1/certificate/"+code, "")
		if got.status != 404 && got.status != 400 {
			t.Errorf("%s: %d %s", code, got.status, got.body)
		}
	}
	if got := anonymous.must(t, "GET", "/v1/certificate/"+strings.Repeat("A", 32), "", 404, "Accept", "text/html"); !strings.Contains(got.body, `<main class="gone">`) ||
		!strings.Contains(got.body, "<h1>Unknown certificate</h1>") {
		t.Errorf("the page of an unknown certificate: %s", got.body)
	}
}

// printedAddress returns the path in the QR code of the shareholding's certificate. The path
// must stay valid as long as printed certificates exist.
func (f *firm) printedAddress(tb testing.TB, held string) string {
	tb.Helper()
	record := f.must(tb, "GET", held, "", 200)
	id, err := captable.ParseID[captable.Shareholding](record.text(tb, "id"))
	if err != nil {
		tb.Fatal(err)
	}
	facts := []string{"certificate", "shareholderName", "security", "shares", "issueDate"}
	for i, name := range facts {
		facts[i] = record.text(tb, name)
	}
	sum := sha256.Sum256([]byte(strings.Join(facts, "\x00")))
	return "/v1/certificate/" + base64.RawURLEncoding.EncodeToString(append(id[:], sum[:8]...))
}
