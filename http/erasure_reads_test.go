package http_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence"
	"equity/persistence/storetest"
)

// personalValues lists the personal data of the erased person.
func personalValues() []string {
	return []string{"ada.private@example.com", "+1 415 555 0199", "1815-12-10", "12 St James's Square"}
}

// contentsOf returns the text of an answer and unpacks archives.
func contentsOf(tb testing.TB, a apitest.Answer) string {
	tb.Helper()
	if !strings.HasPrefix(a.Body, "PK") {
		return a.Body
	}
	archive, err := zip.NewReader(bytes.NewReader([]byte(a.Body)), int64(len(a.Body)))
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

// personalDataOf returns the personal values found in an answer.
func personalDataOf(tb testing.TB, a apitest.Answer) (found []string) {
	tb.Helper()
	text := strings.ToLower(contentsOf(tb, a))
	for _, one := range personalValues() {
		if strings.Contains(text, strings.ToLower(one)) {
			found = append(found, one)
		}
	}
	return found
}

// readsOf returns the addresses of every read operation of the contract, with parameters for other
// dates, sequences and formats.
func readsOf(b *apitest.Server, ids map[string]string) (all []string) {
	variants := []string{
		"", "knownAt=" + ids["known"], "asOf=2026-03-02", "asOf=2026-02-01&knownAt=" + ids["known"], "limit=200",
		"format=csv", "format=xlsx", "format=ocf", "knownAt=" + ids["known"] + "&format=ocf", "kind=members&file=last",
		"kind=shareholdings&file=last", "status=removed", "status=joined&knownAt=" + ids["known"],
	}
	for template, item := range b.Contract.Doc.Paths.Map() {
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
func memberQuery(ids map[string]string) string {
	in := `"organization":"` + ids["organization"] + `"`
	return `{"queries":[{"id":"1","operation":"listMembers","parameters":{` + in + `}},{"id":"2","operation":"listMembers","parameters":{` + in +
		`,"knownAt":"` + ids["known"] + `"}},{"id":"3","operation":"getMember","parameters":{` + in + `,"member":"` + ids["member"] + `"}}]}`
}

func TestErasedDataIsAbsentFromEveryRead(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		b := apitest.SetupOn(t, store, changes...)
		f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada.private@example.com")
		member := f.Join(t, f.Home, ada, "Guest")
		f.Must(t, "PATCH", f.Home+"/member/"+member, `{"phone":"+1 415 555 0199","dateOfBirth":"1815-12-10","address":{"street1":"12 St James's Square"}}`, http.StatusOK)
		f.Issue(t, ada.Holder, "10")
		ada.Must(t, "PATCH", "/v1/profile/"+ada.User.Entity.String(), `{"phone":"+1 415 555 0199"}`, http.StatusOK)
		f.Must(
			t, "POST", f.Home+"/import?kind=members", "fullName,email,phone\nAda,ada.private@example.com,+1 415 555 0199\n",
			http.StatusCreated, "Content-Type", csvKind,
		)
		other := f.NewOrganization(t) // has her address only from a file and an invitation
		f.Must(t, "POST", other+"/import?kind=members", "fullName,email\nEve,eve@example.com\n", http.StatusCreated, "Content-Type", csvKind)
		f.Must(t, "POST", other+"/member/invite", `{"emails":["ada.private@example.com"],"roles":["Guest"]}`, http.StatusOK)
		refused, kind := spreadsheet(t, "members.csv", "fullName,email,externalId\nEve,eve@example.com,1\n ,ada.private@example.com,2\n")
		f.Must(t, "POST", "/v1/organization/member/upload?partial=true&organization="+strings.TrimPrefix(other, "/v1/organization/"),
			refused, http.StatusCreated, "Content-Type", kind)

		ids := map[string]string{
			"organization": f.ID, "member": member, "entity": ada.Holder, "profile": ada.User.Entity.String(), "known": "12",
			"user": ada.User.ID.String(),
		}
		elsewhere := map[string]string{"organization": strings.TrimPrefix(other, "/v1/organization/"), "known": "3"}
		warm := map[string]apitest.Answer{}
		addresses := append(readsOf(b, ids), readsOf(b, elsewhere)...)
		had := 0
		for range 2 { // the second round is answered from caches
			for _, address := range addresses {
				warm[address] = f.Send(t, "GET", address, "")
				had += len(personalDataOf(t, warm[address]))
			}
		}
		if batch := f.Must(t, "POST", "/v1/query", memberQuery(ids), http.StatusOK); had < 20 || len(personalDataOf(t, batch)) == 0 {
			t.Fatalf("only %d personal fields were read before the erasure: %s", had, batch.Body)
		}

		ada.Must(t, "POST", "/v1/user/erase", erasureBody("ada.private@example.com"), http.StatusNoContent)
		for _, address := range addresses {
			if found := personalDataOf(t, f.Send(t, "GET", address, "")); found != nil {
				t.Errorf("%s still contains %q", address, found)
			}
			before := warm[address]
			if tag := before.Header.Get("ETag"); tag != "" && personalDataOf(t, before) != nil {
				if got := f.Send(t, "GET", address, "", "If-None-Match", tag); got.Status == http.StatusNotModified {
					t.Errorf("%s answers 304 after the erasure", address)
				}
			}
		}
		if found := personalDataOf(t, f.Must(t, "POST", "/v1/query", memberQuery(ids), http.StatusOK)); found != nil {
			t.Errorf("the query operation still contains %q", found)
		}
		address := store
		if b.DB.Engine() == persistence.PostgreSQL {
			address = ""
		}
		if found := personalDataOf(t, (apitest.Answer{Body: storetest.Dump(t, b.DB, address)})); found != nil {
			t.Errorf("the store still contains %q", found)
		}
	})
}
