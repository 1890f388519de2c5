package http_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// hrManager returns a client with permission to edit members only.
func hrManager(t *testing.T, f *apitest.Firm) *apitest.Client {
	t.Helper()
	f.Must(t, "POST", f.Home+"/role", `{"name":"HR","description":"People.","permissions":["editMembers","viewMembers","viewSelf"]}`, http.StatusCreated)
	hr := f.NewPerson(t, "hr@example.com")
	f.Join(t, f.Home, hr, "HR")
	return hr
}

// invitedHolder returns the path and the entity of a holder who was invited.
func invitedHolder(t *testing.T, f *apitest.Firm, email string) (path, entity string) {
	t.Helper()
	made := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"`+email+`","roles":["Guest"]}`, http.StatusCreated)
	path, entity = made.Header.Get("Location"), made.Text(t, "entity")
	f.Issue(t, entity, "10")
	f.Invite(t, f.Home, "Guest", email)
	return path, entity
}

// noticedText returns the body with the token in the newest mail to the former address.
func noticedText(t *testing.T, b *apitest.Server, email string) string {
	t.Helper()
	mail := b.NewestMail(t, email)
	found := regexp.MustCompile(`https://equity\.example\.com/address\?token=([\w-]{64})\n`).FindStringSubmatch(mail.Text)
	if found == nil || !strings.Contains(mail.HTML, "token="+found[1]) {
		t.Fatalf("no link in %s", mail.Text)
	}
	return `{"token":"` + found[1] + `"}`
}

func TestEditorOfMembersCannotTakeOverAHolder(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	hr := hrManager(t, f)
	path, entity := invitedHolder(t, f, "grace@example.com")
	id := apitest.IDOf(path)
	evil := `"email":"evil@example.com"`
	hr.Must(t, "PATCH", path, `{`+evil+`}`, http.StatusForbidden)
	hr.Must(t, "PATCH", path, `{"email":null}`, http.StatusForbidden)
	hr.Must(t, "PATCH", path, `{"title":"Admiral","email":"Grace@example.com"}`, http.StatusOK) // the same address
	f.Must(t, "DELETE", path, `{"keepHoldings":true}`, http.StatusOK)
	hr.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`",`+evil+`}`, http.StatusForbidden)
	f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`","externalId":"E-1"}`, http.StatusCreated)
	rows := "fullName,externalId,email\nGrace Hopper,E-1,evil@example.com\n"
	refused := hr.Must(t, "POST", f.Home+"/import?kind=members", rows, http.StatusBadRequest, "Content-Type", csvKind)
	if !strings.Contains(refused.Body, "edit the cap table") {
		t.Error(refused.Body)
	}
	if got := f.Must(t, "GET", f.Home+"/member/"+id, "", 200); got.Text(t, "email") != "Grace@example.com" {
		t.Error(got.Body)
	}
}

func TestClaimByNewAddressWaits(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		path, _ := invitedHolder(t, f, "grace@example.com")
		changed := f.Must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
		if !strings.Contains(changed.Body, `"waitsUntil":"2026-03-05T10:00:00`) {
			t.Error(changed.Body)
		}
		if mail := b.NewestMail(t, "grace@example.com"); !strings.Contains(mail.Text, "replaced it with new@example.com") {
			t.Error(mail.Text)
		}
		f.Invite(t, f.Home, "Guest", "new@example.com")
		grace := b.NewPerson(t, "new@example.com")
		if got := grace.Must(t, "GET", "/v1/invitation/received", "", 200); !strings.Contains(got.Body, `"waitsUntil":"2026-03-05`) {
			t.Error(got.Body)
		}
		if got := grace.Must(t, "GET", "/v1/invitation/waiting", "", 200); !strings.Contains(got.Body, `"id":"`+apitest.IDOf(path)+`"`) {
			t.Error(got.Body)
		}
		token := b.InvitationAnswer(t, "new@example.com")
		if got := grace.Must(t, "POST", apitest.AcceptPath, token, http.StatusConflict); !strings.Contains(got.Body, "claimWaiting") {
			t.Error(got.Body)
		}
		b.Clock.Advance(73 * time.Hour)
		grace.Must(t, "POST", apitest.AcceptPath, token, http.StatusOK)
		if journal := f.Must(t, "GET", f.Home+"/journal", "", 200); !strings.Contains(journal.Body, `"memberReaddressed"`) || strings.Contains(journal.Body, "new@example.com") {
			t.Error(journal.Body)
		}
	})
}

func TestWaitingClaimIsNotMadeAtSignIn(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, grace := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "new@example.com")
	path, _ := invitedHolder(t, f, "grace@example.com")
	f.Must(t, "DELETE", path, `{"keepHoldings":true}`, http.StatusOK)
	f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com","roles":["Guest"]}`, http.StatusCreated)
	f.Must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
	grace.SignInAgain(t, apitest.Password, 200).Must(t, "GET", f.Home, "", http.StatusForbidden)
	b.Clock.Advance(73 * time.Hour)
	grace.SignInAgain(t, apitest.Password, 200).Must(t, "GET", f.Home, "", 200)
}

func TestFormerAddressConfirmsTheNewOne(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	path, _ := invitedHolder(t, f, "grace@example.com")
	f.Must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
	token := noticedText(t, b, "grace@example.com")
	anyone := b.Anonymous()
	if got := anyone.Must(t, "POST", "/v1/address/read", token, 200); got.Text(t, "holder") != "Grace Hopper" || got.Get(t, "waitsUntil") == nil {
		t.Error(got.Body)
	}
	if got := f.Must(t, "GET", path, "", 200); !strings.Contains(got.Body, `"waitsUntil"`) {
		t.Errorf("reading ends the wait: %s", got.Body)
	}
	anyone.Must(t, "POST", "/v1/address/confirm", token, http.StatusNoContent)
	anyone.Must(t, "POST", "/v1/address/confirm", token, http.StatusNotFound)
	anyone.Must(t, "POST", "/v1/address/read", `{"token":"x"}`, http.StatusNotFound)
	f.Invite(t, f.Home, "Guest", "new@example.com")
	b.NewPerson(t, "new@example.com").Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "new@example.com"), http.StatusOK)
}

func TestOwnerConfirmsWithASecondFactor(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		path, _ := invitedHolder(t, f, "grace@example.com")
		f.Must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
		confirm := path + "/address/confirm"
		needed := func() {
			t.Helper()
			if got := f.Must(t, "POST", confirm, "", http.StatusForbidden); !strings.Contains(got.Body, "secondFactorRequired") {
				t.Error(got.Body)
			}
		}
		needed()
		seed, _ := enableSecondFactor(t, f.Client) // starts a session with a second factor
		b.Clock.Advance(10 * time.Minute)
		needed()
		f.Must(t, "POST", "/v1/user/2fa/verify", `{"token":"000000"}`, http.StatusBadRequest)
		needed()
		f.Must(t, "POST", "/v1/user/2fa/verify", token(seed, b.Clock.Now()), http.StatusOK)
		other := f.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, other, "Manager")
		other.Must(t, "POST", confirm, "", http.StatusForbidden)
		got := f.Must(t, "POST", confirm, "", http.StatusOK)
		if strings.Contains(got.Body, `"waitsUntil"`) {
			t.Error(got.Body)
		}
		f.Must(t, "POST", confirm, "", http.StatusConflict)
	})
}

func TestOrganizationCannotGiveAwayHolderOfAnotherOne(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	hr := hrManager(t, f)
	_, entity := invitedHolder(t, f, "grace@example.com")
	home := hr.NewOrganization(t)
	hr.Must(t, "POST", home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`","email":"evil@example.com","roles":["Guest"]}`, http.StatusCreated)
	evil := b.NewPerson(t, "evil@example.com").SignInAgain(t, apitest.Password, 200)
	evil.Must(t, "GET", home, "", http.StatusForbidden)
	hr.Invite(t, home, "Guest", "evil@example.com")
	evil.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "evil@example.com"), http.StatusConflict)
}

func TestMailsAboutChangedAddressesAreBounded(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	path, _ := invitedHolder(t, f, "a@example.com")
	for range 5 {
		f.Must(t, "PATCH", path, `{"email":"b@example.com"}`, http.StatusOK)
		f.Must(t, "PATCH", path, `{"email":"a@example.com"}`, http.StatusOK)
	}
	f.Must(t, "PATCH", path, `{"email":"b@example.com"}`, http.StatusTooManyRequests)
}
