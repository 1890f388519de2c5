package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence"
)

func TestProfileIsReadAndPatched(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, guest, eve := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "eve@example.com")
	f.Join(t, f.Home, guest, "Guest")
	path, address := "/v1/profile/"+guest.Holder, "/v1/address/"+guest.Holder
	photo := guest.Upload(t, path+"/file", http.StatusCreated, []apitest.File{{Name: "me.png", Content: pngHead}}).Text(t, "id")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a new profile has the account's name and address", As: guest, Method: "GET", Path: "/v1/profile/" + guest.User.Entity.String(), Status: 200, Has: []string{`"fullName":"Ada Lovelace"`, `"email":"guest@example.com"`, `"version":0`}},
		{
			Claim: "the owner patches their profile", As: guest, Method: "PATCH", Path: path, Status: 200,
			Body: `{"phone":"+1 415","dateOfBirth":"1990-01-02","links":{"x":"https://x.example/ada","y":"https://y.example"},"photo":"` + photo + `"}`,
			Has:  []string{`"phone":"+1 415"`, `"version":1`},
		},
		{Claim: "a patch with null clears a field", As: guest, Method: "PATCH", Path: path, Body: `{"links":{"y":null}}`, Status: 200, Has: []string{`"links":{"x":"https://x.example/ada"}`, `"1990-01-02"`}},
		{Claim: "the owner patches their address", As: guest, Method: "PATCH", Path: address, Body: `{"city":"London","country":"GB"}`, Status: 200, Has: []string{`"city":"London"`, `"version":3`}},
		{Claim: "the owner reads their address", As: guest, Method: "GET", Path: address, Status: 200, Has: []string{`"country":"GB"`}, Lacks: []string{"1990"}},
		{Claim: "the profile contains the address", As: guest, Method: "GET", Path: path, Status: 200, Has: []string{`"homeAddress":{"city":"London"`}},
		{Claim: "an editor of members patches the profile", As: f.Client, Method: "PATCH", Path: path, Body: `{"website":"https://ada.example"}`, Status: 200},
		{Claim: "a dry run changes nothing", As: guest, Method: "PATCH", Path: path + "?dryRun=true", Body: `{"phone":null}`, Status: 200, Has: []string{`"dryRun":true`}},
		{Claim: "a stale change is refused", As: guest, Method: "PATCH", Path: path, Body: `{"phone":null}`, Headers: []string{"If-Match", `"1.0"`}, Status: 412},
		{Claim: "a patch of the current version is accepted", As: guest, Method: "PATCH", Path: path, Body: `{"phone":"2"}`, Headers: []string{"If-Match", `"4.0"`}, Status: 200},
		{Claim: "a stranger finds no profile", As: eve, Method: "GET", Path: path, Status: 404},
		{Claim: "a stranger finds no address", As: eve, Method: "GET", Path: address, Status: 404},
		{Claim: "a stranger may not patch the profile", As: eve, Method: "PATCH", Path: path, Body: `{"phone":"3"}`, Status: 404},
		{Claim: "a guest finds no profile of another member", As: guest, Method: "GET", Path: "/v1/profile/" + f.User.Entity.String(), Status: 404},
		{
			Claim: "every wrong field is named", As: guest, Method: "PATCH", Path: path, Status: 400,
			Body: `{"dateOfBirth":"2026-02-30","email":"x","admin":true,"homeAddress":{"country":"england"}}`,
			Has:  []string{`"/dateOfBirth"`, `"/email","code":"invalidEmail"`, `"/admin","code":"unknownField"`, `"/homeAddress/country"`},
		},
		{
			Claim: "every invalid value is named", As: guest, Method: "PATCH", Path: path, Status: 400,
			Body: `{"dateOfBirth":"2026-03-03","website":"javascript:alert(1)","links":{"x":"data:x"}}`,
			Has:  []string{`"/dateOfBirth","code":"inFuture"`, `"/website","code":"invalidWebsite"`, `"/links/x","code":"invalidWebsite"`},
		},
		{Claim: "a refused patch changes no field", As: guest, Method: "GET", Path: path, Status: 200, Has: []string{`"1990-01-02"`, `"https://ada.example"`, `"version":5`}},
	})
	tag := guest.Must(t, "GET", path, "", http.StatusOK).Header.Get("ETag")
	guest.Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
}

func TestAuditorSeesNoPrivateProfileFields(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor, guest := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com"), b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	f.Join(t, f.Home, auditor, "Auditor")
	path := "/v1/profile/" + guest.Holder
	guest.Must(t, "PATCH", path, `{"phone":"+1 415","website":"https://ada.example"}`, http.StatusOK)
	got := auditor.Must(t, "GET", path, "", http.StatusOK)
	if !strings.Contains(got.Body, "https://ada.example") || strings.Contains(got.Body, "+1 415") {
		t.Errorf("%s", got.Body)
	}
	auditor.Must(t, "PATCH", path, `{"phone":"2"}`, http.StatusForbidden)
	auditor.Must(t, "GET", strings.Replace(path, "profile", "address", 1), "", http.StatusForbidden)
}

func TestSiteAdministratorSearchesUsers(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		admin, ada := b.NewPerson(t, "admin@example.com"), b.NewPerson(t, "ada_1@example.com")
		if err := persistence.NewUsers(b.DB).SetSiteAdmin(t.Context(), admin.User.ID, true); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/v1/admin/test", "/v1/admin/user", "/v1/admin/statistics"} {
			ada.Must(t, "GET", path, "", http.StatusForbidden)
			admin.Copy().Must(t, "GET", path, "", http.StatusForbidden) // the session began before the appointment
		}
		admin.Must(t, "POST", "/v1/user/login", `{"email":"admin@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
		if got := admin.Must(t, "GET", "/v1/admin/test", "", http.StatusOK); strings.TrimSpace(got.Body) != `{"isAdmin":true}` {
			t.Errorf("%s", got.Body)
		}
		got := admin.Must(t, "GET", "/v1/admin/user?search=ADA_", "", http.StatusOK)
		if len(got.List(t, "data")) != 1 || !strings.Contains(got.Body, "ada_1@example.com") || strings.Contains(got.Body, "argon2id") {
			t.Errorf("%s", got.Body)
		}
		if got := admin.Must(t, "GET", "/v1/admin/user?search=lovelace", "", http.StatusOK); len(got.List(t, "data")) != 2 {
			t.Errorf("search by name: %s", got.Body)
		}
		first := admin.Must(t, "GET", "/v1/admin/user?limit=1", "", http.StatusOK)
		rest := admin.Must(t, "GET", "/v1/admin/user?cursor="+first.Text(t, "nextCursor"), "", http.StatusOK)
		if !strings.Contains(first.Body, "admin@") || len(rest.List(t, "data")) != 1 || !strings.Contains(rest.Body, "ada_1@") {
			t.Errorf("%s %s", first.Body, rest.Body)
		}
		if got := admin.Must(
			t, "GET", "/v1/admin/statistics", "", http.StatusOK,
		); got.Get(t, "users") != 2.0 || got.Get(t, "siteAdministrators") != 1.0 {
			t.Errorf("%s", got.Body)
		}
	})
}
