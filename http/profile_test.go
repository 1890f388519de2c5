package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/persistence"
)

//nolint:tparallel // one scenario builds on another
func TestProfileIsReadAndPatched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, guest, eve := b.firm(t, "owner@example.com"), b.person(t, "guest@example.com"), b.person(t, "eve@example.com")
	f.join(t, f.home, guest, "Guest")
	path, address := "/v1/profile/"+guest.holder, "/v1/address/"+guest.holder
	photo := guest.store(t, path+"/file", http.StatusCreated, []upload{{"me.png", pngHead}}).text(t, "id")
	run(t, []scenario{
		{claim: "a new profile has the account's name and address", as: guest, method: "GET", path: "/v1/profile/" + guest.user.Entity.String(), status: 200, has: []string{`"fullName":"Ada Lovelace"`, `"email":"guest@example.com"`, `"version":0`}},
		{
			claim: "the owner patches their profile", as: guest, method: "PATCH", path: path, status: 200,
			body: `{"phone":"+1 415","dateOfBirth":"1990-01-02","links":{"x":"https://x.example/ada","y":"https://y.example"},"photo":"` + photo + `"}`,
			has:  []string{`"phone":"+1 415"`, `"version":1`},
		},
		{claim: "a patch with null clears a field", as: guest, method: "PATCH", path: path, body: `{"links":{"y":null}}`, status: 200, has: []string{`"links":{"x":"https://x.example/ada"}`, `"1990-01-02"`}},
		{claim: "the owner patches their address", as: guest, method: "PATCH", path: address, body: `{"city":"London","country":"GB"}`, status: 200, has: []string{`"city":"London"`, `"version":3`}},
		{claim: "the owner reads their address", as: guest, method: "GET", path: address, status: 200, has: []string{`"country":"GB"`}, lacks: []string{"1990"}},
		{claim: "the profile contains the address", as: guest, method: "GET", path: path, status: 200, has: []string{`"homeAddress":{"city":"London"`}},
		{claim: "an editor of members patches the profile", as: f.client, method: "PATCH", path: path, body: `{"website":"https://ada.example"}`, status: 200},
		{claim: "a dry run changes nothing", as: guest, method: "PATCH", path: path + "?dryRun=true", body: `{"phone":null}`, status: 200, has: []string{`"dryRun":true`}},
		{claim: "a stale change is refused", as: guest, method: "PATCH", path: path, body: `{"phone":null}`, headers: []string{"If-Match", `"1.0"`}, status: 412},
		{claim: "a patch of the current version is accepted", as: guest, method: "PATCH", path: path, body: `{"phone":"2"}`, headers: []string{"If-Match", `"4.0"`}, status: 200},
		{claim: "a stranger finds no profile", as: eve, method: "GET", path: path, status: 404},
		{claim: "a stranger finds no address", as: eve, method: "GET", path: address, status: 404},
		{claim: "a stranger may not patch the profile", as: eve, method: "PATCH", path: path, body: `{"phone":"3"}`, status: 404},
		{claim: "a guest finds no profile of another member", as: guest, method: "GET", path: "/v1/profile/" + f.user.Entity.String(), status: 404},
		{
			claim: "every wrong field is named", as: guest, method: "PATCH", path: path, status: 400,
			body: `{"dateOfBirth":"2026-02-30","email":"x","admin":true,"homeAddress":{"country":"england"}}`,
			has:  []string{`"/dateOfBirth"`, `"/email","code":"invalidEmail"`, `"/admin","code":"unknownField"`, `"/homeAddress/country"`},
		},
		{
			claim: "every invalid value is named", as: guest, method: "PATCH", path: path, status: 400,
			body: `{"dateOfBirth":"2026-03-03","website":"javascript:alert(1)","links":{"x":"data:x"}}`,
			has:  []string{`"/dateOfBirth","code":"inFuture"`, `"/website","code":"invalidWebsite"`, `"/links/x","code":"invalidWebsite"`},
		},
		{claim: "a refused patch changes no field", as: guest, method: "GET", path: path, status: 200, has: []string{`"1990-01-02"`, `"https://ada.example"`, `"version":5`}},
	})
	tag := guest.must(t, "GET", path, "", http.StatusOK).header.Get("ETag")
	guest.must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
}

func TestAuditorSeesNoPrivateProfileFields(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor, guest := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com"), b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	f.join(t, f.home, auditor, "Auditor")
	path := "/v1/profile/" + guest.holder
	guest.must(t, "PATCH", path, `{"phone":"+1 415","website":"https://ada.example"}`, http.StatusOK)
	got := auditor.must(t, "GET", path, "", http.StatusOK)
	if !strings.Contains(got.body, "https://ada.example") || strings.Contains(got.body, "+1 415") {
		t.Errorf("%s", got.body)
	}
	auditor.must(t, "PATCH", path, `{"phone":"2"}`, http.StatusForbidden)
	auditor.must(t, "GET", strings.Replace(path, "profile", "address", 1), "", http.StatusForbidden)
}

func TestSiteAdministratorSearchesUsers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		admin, ada := b.person(t, "admin@example.com"), b.person(t, "ada_1@example.com")
		if err := persistence.NewUsers(b.db).SetSiteAdmin(t.Context(), admin.user.ID, true); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/v1/admin/test", "/v1/admin/user", "/v1/admin/statistics"} {
			ada.must(t, "GET", path, "", http.StatusForbidden)
			admin.copy().must(t, "GET", path, "", http.StatusForbidden) // the session began before the appointment
		}
		admin.must(t, "POST", "/v1/user/login", `{"email":"admin@example.com","password":"`+password+`"}`, http.StatusOK)
		if got := admin.must(t, "GET", "/v1/admin/test", "", http.StatusOK); strings.TrimSpace(got.body) != `{"isAdmin":true}` {
			t.Errorf("%s", got.body)
		}
		got := admin.must(t, "GET", "/v1/admin/user?search=ADA_", "", http.StatusOK)
		if len(got.list(t, "data")) != 1 || !strings.Contains(got.body, "ada_1@example.com") || strings.Contains(got.body, "argon2id") {
			t.Errorf("%s", got.body)
		}
		if got := admin.must(t, "GET", "/v1/admin/user?search=lovelace", "", http.StatusOK); len(got.list(t, "data")) != 2 {
			t.Errorf("search by name: %s", got.body)
		}
		first := admin.must(t, "GET", "/v1/admin/user?limit=1", "", http.StatusOK)
		rest := admin.must(t, "GET", "/v1/admin/user?cursor="+first.text(t, "nextCursor"), "", http.StatusOK)
		if !strings.Contains(first.body, "admin@") || len(rest.list(t, "data")) != 1 || !strings.Contains(rest.body, "ada_1@") {
			t.Errorf("%s %s", first.body, rest.body)
		}
		if got := admin.must(
			t, "GET", "/v1/admin/statistics", "", http.StatusOK,
		); got.get(t, "users") != 2.0 || got.get(t, "siteAdministrators") != 1.0 {
			t.Errorf("%s", got.body)
		}
	})
}
