package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// uses lists requests that name a file: the method, the path and the body, with {file} for the file, and the pointer of the field.
func (f *firm) uses(tb testing.TB) [][4]string {
	tb.Helper()
	plan := f.plan(tb, "Plan", "1000")
	held := f.option(tb, plan.header.Get("Location"), f.holder(tb, "Ada"), "10", "")
	return [][4]string{
		{"PATCH", f.home, `{"logo":"{file}"}`, "/logo"},
		{"POST", f.home + "/plan", `{"name":"Other","documents":[{"kind":"plan","file":"{file}"}]}`, "/documents/0/file"},
		{"PUT", "/v1/valuation", `{"organization":"` + f.id + `","type":"board","effectiveDate":"2026-01-01","security":"` + f.common + `","pricePerShare":{"amount":"1","currency":"USD"},"document":"{file}"}`, "/document"},
		{"PATCH", held, `{"agreement":"{file}"}`, "/agreement"},
		{"PUT", f.home + "/shareholding/config", `{"equityName":"shares","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","operatingAgreement":{"file":"{file}","date":"2026-01-01"},"capitalAccounts":false}`, "/operatingAgreement/file"},
	}
}

func TestRecordsNameExistingFilesOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	erased := f.filed(t)
	f.must(t, "DELETE", "/v1/file/"+erased+"/content", `{"reason":"Uploaded by mistake."}`, http.StatusNoContent)
	trashed := f.put(t, f.home, "Old.txt", "old")
	f.must(t, "DELETE", f.home+"/document/"+textOf(trashed, "id"), "", http.StatusNoContent)
	for _, use := range f.uses(t) {
		for _, file := range []string{"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", other.filed(t), erased, textOf(trashed, "file")} {
			got := f.must(t, use[0], use[1], strings.ReplaceAll(use[2], "{file}", file), http.StatusBadRequest)
			if !strings.Contains(got.body, use[3]) || !strings.Contains(got.body, "unknownReference") {
				t.Errorf("%s %s: %s", use[0], use[1], got.body)
			}
		}
	}
}

func TestLogoIsAPicture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	for name, content := range map[string]string{"Bylaws.pdf": "%PDF-1.7", "Notes.txt": "notes", "Logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"} {
		file := f.store(t, f.home+"/file", http.StatusCreated, []upload{{name, content}}).text(t, "id")
		got := f.must(t, "PATCH", f.home, `{"logo":"`+file+`"}`, http.StatusBadRequest)
		if !strings.Contains(got.body, `"/logo"`) || !strings.Contains(got.body, `"mediaType"`) {
			t.Errorf("%s: %s", name, got.body)
		}
	}
}

func TestFileOfARecordCannotBeErasedOrDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	for i, use := range f.uses(t) {
		document := f.put(t, f.home, string(rune('A'+i))+".png", picture)
		got := f.send(t, use[0], use[1], strings.ReplaceAll(use[2], "{file}", textOf(document, "file")))
		if got.status/100 != 2 {
			t.Fatalf("%s %s: %d %s", use[0], use[1], got.status, got.body)
		}
		if got := f.must(t, "DELETE", f.home+"/document/"+textOf(document, "id"), "", http.StatusConflict); got.text(t, "code") != "inUse" {
			t.Errorf("%s: %s", use[3], got.body)
		}
		if got := f.must(t, "DELETE", "/v1/file/"+textOf(document, "file")+"/content", `{"reason":"r"}`, http.StatusConflict); got.text(t, "code") != "inUse" {
			t.Errorf("%s: %s", use[3], got.body)
		}
	}
}

func TestFileIsReadableForTheReadersOfItsRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	holder, guest := b.person(t, "holder@example.com"), b.person(t, "guest@example.com")
	f.join(t, f.home, holder, "Guest")
	f.join(t, f.home, guest, "Guest")
	plan := f.plan(t, "2026", "1000", `"documents":[{"kind":"plan","file":"`+f.filed(t)+`"}]`)
	paper := plan.fileOf(t)
	agreement := f.filed(t)
	held := f.option(t, plan.header.Get("Location"), holder.holder, "10", "")
	f.must(t, "PATCH", held, `{"agreement":"`+agreement+`"}`, http.StatusOK)
	logo := f.filed(t)
	f.must(t, "PATCH", f.home, `{"logo":"`+logo+`"}`, http.StatusOK)
	for file, guests := range map[string]int{
		paper: http.StatusNotFound, agreement: http.StatusNotFound, logo: http.StatusOK, f.filed(t): http.StatusNotFound,
	} {
		guest.must(t, "GET", "/v1/file/"+file+"/content", "", guests)
	}
	for _, file := range []string{paper, agreement, logo} {
		holder.must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusOK)
	}
	holder.must(t, "GET", "/v1/file/"+f.filed(t)+"/content", "", http.StatusNotFound)
}

// fileOf returns the file of the first document of a plan.
func (a answer) fileOf(tb testing.TB) string {
	tb.Helper()
	documents := a.list(tb, "documents")
	first, _ := documents[0].(map[string]any)
	return textOf(first, "file")
}
