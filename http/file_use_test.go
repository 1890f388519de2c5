package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// fileUses lists requests that name a file: the method, the path and the body, with {file} for the file, and the pointer of the field.
func fileUses(tb testing.TB, f *apitest.Firm) [][4]string {
	tb.Helper()
	plan := f.NewPlan(tb, "Plan", "1000")
	held := f.GrantOption(tb, plan.Header.Get("Location"), f.NewHolder(tb, "Ada"), "10", "")
	return [][4]string{
		{"PATCH", f.Home, `{"logo":"{file}"}`, "/logo"},
		{"POST", f.Home + "/plan", `{"name":"Other","documents":[{"kind":"plan","file":"{file}"}]}`, "/documents/0/file"},
		{"PUT", "/v1/valuation", `{"organization":"` + f.ID + `","type":"board","effectiveDate":"2026-01-01","security":"` + f.Common + `","pricePerShare":{"amount":"1","currency":"USD"},"document":"{file}"}`, "/document"},
		{"PATCH", held, `{"agreement":"{file}"}`, "/agreement"},
		{"PUT", f.Home + "/shareholding/config", `{"equityName":"shares","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","operatingAgreement":{"file":"{file}","date":"2026-01-01"},"capitalAccounts":false}`, "/operatingAgreement/file"},
	}
}

func TestRecordsNameExistingFilesOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	erased := f.StoreFile(t)
	f.Must(t, "DELETE", "/v1/file/"+erased+"/content", `{"reason":"Uploaded by mistake."}`, http.StatusNoContent)
	trashed := f.PutDocument(t, f.Home, "Old.txt", "old")
	f.Must(t, "DELETE", f.Home+"/document/"+apitest.TextOf(trashed, "id"), "", http.StatusNoContent)
	for _, use := range fileUses(t, f) {
		for _, file := range []string{"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", other.StoreFile(t), erased, apitest.TextOf(trashed, "file")} {
			got := f.Must(t, use[0], use[1], strings.ReplaceAll(use[2], "{file}", file), http.StatusBadRequest)
			if !strings.Contains(got.Body, use[3]) || !strings.Contains(got.Body, "unknownReference") {
				t.Errorf("%s %s: %s", use[0], use[1], got.Body)
			}
		}
	}
}

func TestLogoIsAPicture(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	for name, content := range map[string]string{"Bylaws.pdf": "%PDF-1.7", "Notes.txt": "notes", "Logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"} {
		file := f.Upload(t, f.Home+"/file", http.StatusCreated, []apitest.File{{Name: name, Content: content}}).Text(t, "id")
		got := f.Must(t, "PATCH", f.Home, `{"logo":"`+file+`"}`, http.StatusBadRequest)
		if !strings.Contains(got.Body, `"/logo"`) || !strings.Contains(got.Body, `"mediaType"`) {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
}

func TestFileOfARecordCannotBeErasedOrDeleted(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	for i, use := range fileUses(t, f) {
		document := f.PutDocument(t, f.Home, string(rune('A'+i))+".png", apitest.Picture)
		got := f.Send(t, use[0], use[1], strings.ReplaceAll(use[2], "{file}", apitest.TextOf(document, "file")))
		if got.Status/100 != 2 {
			t.Fatalf("%s %s: %d %s", use[0], use[1], got.Status, got.Body)
		}
		if got := f.Must(
			t, "DELETE", f.Home+"/document/"+apitest.TextOf(document, "id"), "", http.StatusConflict,
		); got.Text(t, "code") != "inUse" {
			t.Errorf("%s: %s", use[3], got.Body)
		}
		if got := f.Must(t, "DELETE", "/v1/file/"+apitest.TextOf(document, "file")+"/content", `{"reason":"r"}`, http.StatusConflict); got.Text(t, "code") != "inUse" {
			t.Errorf("%s: %s", use[3], got.Body)
		}
	}
}

func TestFileIsReadableForTheReadersOfItsRecord(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	holder, guest := b.NewPerson(t, "holder@example.com"), b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, holder, "Guest")
	f.Join(t, f.Home, guest, "Guest")
	plan := f.NewPlan(t, "2026", "1000", `"documents":[{"kind":"plan","file":"`+f.StoreFile(t)+`"}]`)
	paper := fileOf(t, plan)
	agreement := f.StoreFile(t)
	held := f.GrantOption(t, plan.Header.Get("Location"), holder.Holder, "10", "")
	f.Must(t, "PATCH", held, `{"agreement":"`+agreement+`"}`, http.StatusOK)
	logo := f.StoreFile(t)
	f.Must(t, "PATCH", f.Home, `{"logo":"`+logo+`"}`, http.StatusOK)
	for file, guests := range map[string]int{
		paper: http.StatusNotFound, agreement: http.StatusNotFound, logo: http.StatusOK, f.StoreFile(t): http.StatusNotFound,
	} {
		guest.Must(t, "GET", "/v1/file/"+file+"/content", "", guests)
	}
	for _, file := range []string{paper, agreement, logo} {
		holder.Must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusOK)
	}
	holder.Must(t, "GET", "/v1/file/"+f.StoreFile(t)+"/content", "", http.StatusNotFound)
}

// fileOf returns the file of the first document of a plan.
func fileOf(tb testing.TB, a apitest.Answer) string {
	tb.Helper()
	documents := a.List(tb, "documents")
	first, _ := documents[0].(map[string]any)
	return apitest.TextOf(first, "file")
}
