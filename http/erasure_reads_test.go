package http_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

// personalValues lists the personal data of the erased person.
func personalValues() []string {
	return []string{"ada.private@example.com", "+1 415 555 0199", "1815-12-10", "12 St James's Square"}
}

// contents returns the text of an answer and unpacks archives.
func (a answer) contents(tb testing.TB) string {
	tb.Helper()
	if !strings.HasPrefix(a.body, "PK") {
		return a.body
	}
	archive, err := zip.NewReader(bytes.NewReader([]byte(a.body)), int64(len(a.body)))
	if err != nil {
		tb.Fatal(err)
	}
	var all strings.Builder
	for _, part := range archive.File {
		opened, err := part.Open()
		if err != nil {
			tb.Fatal(err)
		}
		_, err = io.Copy(&all, opened)
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all.String()
}

// personalData returns the personal values found in an answer.
func (a answer) personalData(tb testing.TB) (found []string) {
	tb.Helper()
	text := strings.ToLower(a.contents(tb))
	for _, one := range personalValues() {
		if strings.Contains(text, strings.ToLower(one)) {
			found = append(found, one)
		}
	}
	return found
}

// reads returns the addresses of every read operation of the contract, with parameters for other
// dates, sequences and formats.
func (b *bundle) reads(ids map[string]string) (all []string) {
	variants := []string{
		"", "knownAt=" + ids["known"], "asOf=2026-03-02", "asOf=2026-02-01&knownAt=" + ids["known"], "limit=200",
		"format=csv", "format=xlsx", "format=ocf", "knownAt=" + ids["known"] + "&format=ocf", "kind=members&file=last",
		"kind=shareholdings&file=last", "status=removed", "status=joined&knownAt=" + ids["known"],
	}
	for template, item := range b.contract.doc.Paths.Map() {
		if item.Get == nil {
			continue
		}
		path := template
		for name, id := range ids {
			path = strings.ReplaceAll(path, "{"+name+"}", id)
		}
		declared := map[string]bool{}
		for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
			declared[p.Value.Name] = true
		}
		for _, variant := range variants {
			fits := true
			for parameter := range strings.SplitSeq(variant, "&") {
				name, _, _ := strings.Cut(parameter, "=")
				fits = fits && (name == "" || declared[name])
			}
			if fits {
				all = append(all, "/v1"+path+"?"+variant)
			}
		}
	}
	return all
}

// memberQuery returns a body of the query operation that asks for members.
func (b *bundle) memberQuery(ids map[string]string) string {
	in := `"organization":"` + ids["organization"] + `"`
	return `{"queries":[{"id":"1","operation":"listMembers","parameters":{` + in + `}},{"id":"2","operation":"listMembers","parameters":{` + in +
		`,"knownAt":"` + ids["known"] + `"}},{"id":"3","operation":"getMember","parameters":{` + in + `,"member":"` + ids["member"] + `"}}]}`
}

func TestErasedDataIsAbsentFromEveryRead(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		b := setupOn(t, store, changes...)
		f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada.private@example.com")
		member := f.join(t, f.home, ada, "Guest")
		f.must(t, "PATCH", f.home+"/member/"+member, `{"phone":"+1 415 555 0199","dateOfBirth":"1815-12-10","address":{"street1":"12 St James's Square"}}`, http.StatusOK)
		f.issue(t, ada.holder, "10")
		ada.must(t, "PATCH", "/v1/profile/"+ada.user.Entity.String(), `{"phone":"+1 415 555 0199"}`, http.StatusOK)
		f.must(
			t, "POST", f.home+"/import?kind=members", "fullName,email,phone\nAda,ada.private@example.com,+1 415 555 0199\n",
			http.StatusCreated, "Content-Type", csvKind,
		)
		other := f.company(t) // has her address only from a file and an invitation
		f.must(t, "POST", other+"/import?kind=members", "fullName,email\nEve,eve@example.com\n", http.StatusCreated, "Content-Type", csvKind)
		f.must(t, "POST", other+"/member/invite", `{"emails":["ada.private@example.com"],"roles":["Guest"]}`, http.StatusOK)
		refused, kind := spreadsheet(t, "members.csv", "fullName,email,externalId\nEve,eve@example.com,1\n ,ada.private@example.com,2\n")
		f.must(t, "POST", "/v1/organization/member/upload?partial=true&organization="+strings.TrimPrefix(other, "/v1/organization/"),
			refused, http.StatusCreated, "Content-Type", kind)

		ids := map[string]string{
			"organization": f.id, "member": member, "entity": ada.holder, "profile": ada.user.Entity.String(), "known": "12",
			"user": ada.user.ID.String(),
		}
		elsewhere := map[string]string{"organization": strings.TrimPrefix(other, "/v1/organization/"), "known": "3"}
		warm := map[string]answer{}
		addresses := append(b.reads(ids), b.reads(elsewhere)...)
		had := 0
		for range 2 { // the second round is answered from caches
			for _, address := range addresses {
				warm[address] = f.send(t, "GET", address, "")
				had += len(warm[address].personalData(t))
			}
		}
		if batch := f.must(t, "POST", "/v1/query", b.memberQuery(ids), http.StatusOK); had < 20 || len(batch.personalData(t)) == 0 {
			t.Fatalf("only %d personal fields were read before the erasure: %s", had, batch.body)
		}

		ada.must(t, "POST", "/v1/user/erase", erasureBody("ada.private@example.com"), http.StatusNoContent)
		for _, address := range addresses {
			if found := f.send(t, "GET", address, "").personalData(t); found != nil {
				t.Errorf("%s still contains %q", address, found)
			}
			before := warm[address]
			if tag := before.header.Get("ETag"); tag != "" && before.personalData(t) != nil {
				if got := f.send(t, "GET", address, "", "If-None-Match", tag); got.status == http.StatusNotModified {
					t.Errorf("%s answers 304 after the erasure", address)
				}
			}
		}
		if found := f.must(t, "POST", "/v1/query", b.memberQuery(ids), http.StatusOK).personalData(t); found != nil {
			t.Errorf("the query operation still contains %q", found)
		}
		address := store
		if b.db.Engine() == persistence.PostgreSQL {
			address = ""
		}
		if found := (answer{body: storetest.Dump(t, b.db, address)}).personalData(t); found != nil {
			t.Errorf("the store still contains %q", found)
		}
	})
}
