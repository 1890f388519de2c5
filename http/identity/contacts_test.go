package identity_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"equity/http/identity"
	"equity/persistence/storetest"
)

// peopleAPI starts a people API with a fixed answer, and returns the last request to it.
func peopleAPI(t *testing.T, status int, text string) (p *identity.Provider, asked *http.Request) {
	t.Helper()
	asked = new(http.Request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r.Clone(r.Context())
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	storetest.Cleanup(t, server.Close)
	return identity.New(identity.Settings{Contacts: server.URL + "/people/{subject}/connections?of={subject}", Token: "the token"}), asked
}

func TestContacts(t *testing.T) {
	t.Parallel()
	t.Run("contacts have their first address and no duplicates", func(t *testing.T) {
		t.Parallel()
		p, asked := peopleAPI(t, http.StatusOK, `{"connections": [
			{"names": [{"displayName": "Grace\r\nHopper"}], "emailAddresses": [{"value": " grace@example.com "}, {"value": "g@example.com"}]},
			{"emailAddresses": [{"value": "GRACE@example.com"}]}, {"names": [{"displayName": "No address"}]},
			{"emailAddresses": [{"value": "a@b\r\nBcc: c"}]}, {"emailAddresses": [{"value": "bob@example.com"}]}], "nextPageToken": "x"}`)
		got, err := p.Contacts(t.Context(), "4/2? &")
		if err != nil || fmt.Sprint(got) != "[{Grace Hopper grace@example.com} { bob@example.com}]" {
			t.Errorf("%v %v", got, err)
		}
		if asked.Header.Get("Authorization") != "Bearer the token" || asked.URL.Path != "/people/4/2? &/connections" || asked.URL.Query().Get("of") != "4/2? &" {
			t.Errorf("%v %v", asked.URL, asked.Header)
		}
	})
	t.Run("contacts are limited to a thousand", func(t *testing.T) {
		t.Parallel()
		var list []string
		for n := range 1100 {
			list = append(list, fmt.Sprintf(`{"emailAddresses": [{"value": "p%d@example.com"}]}`, n))
		}
		p, _ := peopleAPI(t, http.StatusOK, `{"connections": [`+strings.Join(list, ",")+`]}`)
		if got, err := p.Contacts(t.Context(), "1"); err != nil || len(got) != 1000 {
			t.Errorf("%d %v", len(got), err)
		}
	})
	t.Run("contacts are empty without a contacts URL", func(t *testing.T) {
		t.Parallel()
		if got, err := identity.New(identity.Settings{}).Contacts(t.Context(), "1"); err != nil || len(got) != 0 {
			t.Errorf("%v %v", got, err)
		}
	})
	for claim, answer := range map[string]struct {
		status int
		text   string
		why    string
	}{
		"above a megabyte are refused":        {http.StatusOK, `{"connections": [` + strings.Repeat(" ", 1<<20) + `]}`, "more than 1048576 bytes"},
		"fail if the provider refuses":        {http.StatusForbidden, `{"connections": []}`, "403"},
		"do not follow redirects":             {http.StatusFound, `{"connections": []}`, "302"},
		"fail for an answer that is not JSON": {http.StatusOK, `<html>`, "invalid character"},
		"fail for a truncated answer":         {http.StatusOK, `{"connections": [{"na`, "unexpected end"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p, asked := peopleAPI(t, answer.status, answer.text)
			got, err := p.Contacts(t.Context(), "1")
			if err == nil || strings.Contains(
				err.Error(), "the token",
			) || !strings.Contains(err.Error(), answer.why) || asked.URL.Path == "/elsewhere" {
				t.Errorf("%v %v %v", got, err, asked.URL)
			}
		})
	}
}
