package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// administrator returns a registered site administrator.
func administrator(tb testing.TB, b *apitest.Server, email string) *apitest.Client {
	tb.Helper()
	c := b.NewPerson(tb, email)
	if err := b.Users.SetSiteAdmin(tb.Context(), c.User.ID, true); err != nil {
		tb.Fatal(err)
	}
	return anotherSession(tb, b, c)
}

func TestDisabledUserIsSignedOutUntilEnabled(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		admin, ada := administrator(t, b, "admin@example.com"), b.NewPerson(t, "ada@example.com")
		phone := anotherSession(t, b, ada)
		at := "/v1/admin/user/" + ada.User.ID.String()
		ada.Must(t, "POST", at+"/disable", "", http.StatusForbidden)
		if got := admin.Must(t, "POST", at+"/disable", "", http.StatusOK); got.Text(t, "disabledAt") != "2026-03-02T10:00:00Z" {
			t.Errorf("%s", got.Body)
		}
		ada.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		phone.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		again := b.Anonymous()
		refuseValue(t, again, "Unauthorized", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`)
		refuseValue(t, again, "invalidCredentials", "/v1/user/login", `{"email":"ada@example.com","password":"guessed"}`)
		again.Must(t, "POST", "/v1/user/password/reset", resetAda, http.StatusOK)
		refuseValue(t, again, "Unauthorized", "/v1/user/login", `{"email":"ada@example.com","password":"`+temporaryPassword(t, b, "ada@example.com")+`"}`)
		again.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		if got := admin.Must(t, "GET", "/v1/admin/statistics", "", http.StatusOK); got.Get(t, "disabledUsers") != 1.0 {
			t.Errorf("%s", got.Body)
		}
		if got := admin.Must(t, "POST", at+"/enable", "", http.StatusOK); strings.Contains(got.Body, "disabledAt") {
			t.Errorf("%s", got.Body)
		}
		ada.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized) // an ended session stays ended
		ada.Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
		admin.Must(t, "POST", "/v1/admin/user/"+admin.User.ID.String()+"/disable", "", http.StatusConflict)
		admin.Must(t, "POST", strings.Replace(at, ada.User.ID.String(), admin.User.Entity.String(), 1)+"/disable", "", http.StatusNotFound)
		if logged := b.Log.String(); !strings.Contains(logged, "operation=disableUser by="+admin.User.ID.String()+" user="+ada.User.ID.String()) {
			t.Errorf("the log lacks the administrator and the disabled user: %s", logged)
		}
	})
}

func TestAdministratorMaintainsBlocklist(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		admin := administrator(t, b, "admin@example.com")
		const list = "/v1/admin/blocklist"
		for _, entry := range []string{"Bad@Example.com", "spam.example", "@trash.example", "spam.example"} {
			admin.Must(t, "PUT", list+"/"+entry, "", http.StatusNoContent)
			b.Clock.Advance(time.Minute)
		}
		got := admin.Must(t, "GET", list, "", http.StatusOK)
		const want = `{"data":[{"entry":"bad@example.com","since":"2026-03-02T10:00:00Z"},` +
			`{"entry":"spam.example","since":"2026-03-02T10:01:00Z"},{"entry":"trash.example","since":"2026-03-02T10:02:00Z"}]}`
		if strings.TrimSpace(got.Body) != want {
			t.Errorf("%s", got.Body)
		}
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "entries are searched by substring", As: admin, Method: "GET", Path: list + "?search=SPAM", Status: 200,
				Has: []string{"spam.example"}, Lacks: []string{"trash"},
			},
			{
				Claim: "entries are paged", As: admin, Method: "GET", Path: list + "?limit=1&after=bad@example.com", Status: 200,
				Has: []string{"spam."}, Lacks: []string{"bad", "trash"},
			},
			{Claim: "a page names the next one", As: admin, Method: "GET", Path: list + "?limit=2", Status: 200, Has: []string{`"nextCursor":"spam.example"`}, Lacks: []string{"trash"}},
			{
				Claim: "the last page names none", As: admin, Method: "GET", Path: list + "?limit=1&cursor=spam.example", Status: 200,
				Has: []string{"trash"}, Lacks: []string{"nextCursor"},
			},
			{
				Claim: "two addresses in one entry are refused", As: admin, Method: "PUT", Path: list + "/a@b@c", Status: 400,
				Has: []string{"/path/entry"},
			},
			{Claim: "an entry is removed", As: admin, Method: "DELETE", Path: list + "/SPAM.example", Status: 204},
			{Claim: "a removed entry is not found", As: admin, Method: "DELETE", Path: list + "/spam.example", Status: 404},
			{Claim: "other users may not add entries", As: b.NewPerson(t, "ada@example.com"), Method: "PUT", Path: list + "/x.example", Status: 403},
		})
		register := func(email string) string { return strings.Replace(registration, "grace@example.com", email, 1) }
		refuseValue(t, b.Anonymous(), "EmailBlacklisted", "/v1/user", register("BAD@example.com"))
		refuseValue(t, b.Anonymous(), "DomainBlacklisted", "/v1/user", register("x@deep.trash.example"))
		b.Anonymous().Must(t, "POST", "/v1/user", register("x@spam.example"), http.StatusCreated)
		figures := admin.Must(t, "GET", "/v1/admin/statistics", "", http.StatusOK)
		if figures.Get(t, "blockedAddresses") != 1.0 || figures.Get(t, "blockedDomains") != 1.0 {
			t.Errorf("%s", figures.Body)
		}
	})
}
