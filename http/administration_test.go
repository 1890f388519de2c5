package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// administrator returns a registered site administrator.
func (b *bundle) administrator(tb testing.TB, email string) *client {
	tb.Helper()
	c := b.person(tb, email)
	if err := b.users.SetSiteAdmin(tb.Context(), c.user.ID, true); err != nil {
		tb.Fatal(err)
	}
	return b.anotherSession(tb, c)
}

func TestDisabledUserIsSignedOutUntilEnabled(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		admin, ada := b.administrator(t, "admin@example.com"), b.person(t, "ada@example.com")
		phone := b.anotherSession(t, ada)
		at := "/v1/admin/user/" + ada.user.ID.String()
		ada.must(t, "POST", at+"/disable", "", http.StatusForbidden)
		if got := admin.must(t, "POST", at+"/disable", "", http.StatusOK); got.text(t, "disabledAt") != "2026-03-02T10:00:00Z" {
			t.Errorf("%s", got.body)
		}
		ada.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		phone.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		again := b.anonymous()
		again.refusedWith(t, "Unauthorized", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`)
		again.refusedWith(t, "invalidCredentials", "/v1/user/login", `{"email":"ada@example.com","password":"guessed"}`)
		again.must(t, "POST", "/v1/user/password/reset", resetAda, http.StatusOK)
		again.refusedWith(t, "Unauthorized", "/v1/user/login", `{"email":"ada@example.com","password":"`+b.temporary(t, "ada@example.com")+`"}`)
		again.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		if got := admin.must(t, "GET", "/v1/admin/statistics", "", http.StatusOK); got.get(t, "disabledUsers") != 1.0 {
			t.Errorf("%s", got.body)
		}
		if got := admin.must(t, "POST", at+"/enable", "", http.StatusOK); strings.Contains(got.body, "disabledAt") {
			t.Errorf("%s", got.body)
		}
		ada.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized) // an ended session stays ended
		ada.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, http.StatusOK)
		admin.must(t, "POST", "/v1/admin/user/"+admin.user.ID.String()+"/disable", "", http.StatusConflict)
		admin.must(t, "POST", strings.Replace(at, ada.user.ID.String(), admin.user.Entity.String(), 1)+"/disable", "", http.StatusNotFound)
		if logged := b.log.String(); !strings.Contains(logged, "operation=disableUser by="+admin.user.ID.String()+" user="+ada.user.ID.String()) {
			t.Errorf("the log lacks the administrator and the disabled user: %s", logged)
		}
	})
}

func TestAdministratorMaintainsBlocklist(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		admin := b.administrator(t, "admin@example.com")
		const list = "/v1/admin/blocklist"
		for _, entry := range []string{"Bad@Example.com", "spam.example", "@trash.example", "spam.example"} {
			admin.must(t, "PUT", list+"/"+entry, "", http.StatusNoContent)
			b.clock.advance(time.Minute)
		}
		got := admin.must(t, "GET", list, "", http.StatusOK)
		const want = `{"data":[{"entry":"bad@example.com","since":"2026-03-02T10:00:00Z"},` +
			`{"entry":"spam.example","since":"2026-03-02T10:01:00Z"},{"entry":"trash.example","since":"2026-03-02T10:02:00Z"}]}`
		if strings.TrimSpace(got.body) != want {
			t.Errorf("%s", got.body)
		}
		run(t, []scenario{
			{
				claim: "entries are searched by substring", as: admin, method: "GET", path: list + "?search=SPAM", status: 200,
				has: []string{"spam.example"}, lacks: []string{"trash"},
			},
			{
				claim: "entries are paged", as: admin, method: "GET", path: list + "?limit=1&after=bad@example.com", status: 200,
				has: []string{"spam."}, lacks: []string{"bad", "trash"},
			},
			{claim: "a page names the next one", as: admin, method: "GET", path: list + "?limit=2", status: 200, has: []string{`"nextCursor":"spam.example"`}, lacks: []string{"trash"}},
			{
				claim: "the last page names none", as: admin, method: "GET", path: list + "?limit=1&cursor=spam.example", status: 200,
				has: []string{"trash"}, lacks: []string{"nextCursor"},
			},
			{
				claim: "two addresses in one entry are refused", as: admin, method: "PUT", path: list + "/a@b@c", status: 400,
				has: []string{"/path/entry"},
			},
			{claim: "an entry is removed", as: admin, method: "DELETE", path: list + "/SPAM.example", status: 204},
			{claim: "a removed entry is not found", as: admin, method: "DELETE", path: list + "/spam.example", status: 404},
			{claim: "other users may not add entries", as: b.person(t, "ada@example.com"), method: "PUT", path: list + "/x.example", status: 403},
		})
		register := func(email string) string { return strings.Replace(registration, "grace@example.com", email, 1) }
		b.anonymous().refusedWith(t, "EmailBlacklisted", "/v1/user", register("BAD@example.com"))
		b.anonymous().refusedWith(t, "DomainBlacklisted", "/v1/user", register("x@deep.trash.example"))
		b.anonymous().must(t, "POST", "/v1/user", register("x@spam.example"), http.StatusCreated)
		figures := admin.must(t, "GET", "/v1/admin/statistics", "", http.StatusOK)
		if figures.get(t, "blockedAddresses") != 1.0 || figures.get(t, "blockedDomains") != 1.0 {
			t.Errorf("%s", figures.body)
		}
	})
}
