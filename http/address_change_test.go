package http_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// hr returns a client with permission to edit members only.
func (f *firm) hr(t *testing.T) *client {
	t.Helper()
	f.must(t, "POST", f.home+"/role", `{"name":"HR","description":"People.","permissions":["editMembers","viewMembers","viewSelf"]}`, http.StatusCreated)
	hr := f.person(t, "hr@example.com")
	f.join(t, f.home, hr, "HR")
	return hr
}

// invitedHolder returns the path and the entity of a holder who was invited.
func (f *firm) invitedHolder(t *testing.T, email string) (path, entity string) {
	t.Helper()
	made := f.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","email":"`+email+`","roles":["Guest"]}`, http.StatusCreated)
	path, entity = made.header.Get("Location"), made.text(t, "entity")
	f.issue(t, entity, "10")
	f.invite(t, f.home, "Guest", email)
	return path, entity
}

// noticed returns the body with the token in the newest mail to the former address.
func (b *bundle) noticed(t *testing.T, email string) string {
	t.Helper()
	mail := b.newest(t, email)
	found := regexp.MustCompile(`https://equity\.example\.com/address\?token=([\w-]{64})\n`).FindStringSubmatch(mail.Text)
	if found == nil || !strings.Contains(mail.HTML, "token="+found[1]) {
		t.Fatalf("no link in %s", mail.Text)
	}
	return `{"token":"` + found[1] + `"}`
}

func TestEditorOfMembersCannotTakeOverAHolder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	hr := f.hr(t)
	path, entity := f.invitedHolder(t, "grace@example.com")
	id := last(path)
	evil := `"email":"evil@example.com"`
	hr.must(t, "PATCH", path, `{`+evil+`}`, http.StatusForbidden)
	hr.must(t, "PATCH", path, `{"email":null}`, http.StatusForbidden)
	hr.must(t, "PATCH", path, `{"title":"Admiral","email":"Grace@example.com"}`, http.StatusOK) // the same address
	f.must(t, "DELETE", path, `{"keepHoldings":true}`, http.StatusOK)
	hr.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`",`+evil+`}`, http.StatusForbidden)
	f.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`","externalId":"E-1"}`, http.StatusCreated)
	rows := "fullName,externalId,email\nGrace Hopper,E-1,evil@example.com\n"
	refused := hr.must(t, "POST", f.home+"/import?kind=members", rows, http.StatusBadRequest, "Content-Type", csvKind)
	if !strings.Contains(refused.body, "edit the cap table") {
		t.Error(refused.body)
	}
	if got := f.must(t, "GET", f.home+"/member/"+id, "", 200); got.text(t, "email") != "Grace@example.com" {
		t.Error(got.body)
	}
}

func TestClaimByNewAddressWaits(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		path, _ := f.invitedHolder(t, "grace@example.com")
		changed := f.must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
		if !strings.Contains(changed.body, `"waitsUntil":"2026-03-05T10:00:00`) {
			t.Error(changed.body)
		}
		if mail := b.newest(t, "grace@example.com"); !strings.Contains(mail.Text, "replaced it with new@example.com") {
			t.Error(mail.Text)
		}
		f.invite(t, f.home, "Guest", "new@example.com")
		grace := b.person(t, "new@example.com")
		if got := grace.must(t, "GET", "/v1/invitation/received", "", 200); !strings.Contains(got.body, `"waitsUntil":"2026-03-05`) {
			t.Error(got.body)
		}
		if got := grace.must(t, "GET", "/v1/invitation/waiting", "", 200); !strings.Contains(got.body, `"id":"`+last(path)+`"`) {
			t.Error(got.body)
		}
		token := b.invitedBy(t, "new@example.com")
		if got := grace.must(t, "POST", acceptPath, token, http.StatusConflict); !strings.Contains(got.body, "claimWaiting") {
			t.Error(got.body)
		}
		b.clock.advance(73 * time.Hour)
		grace.must(t, "POST", acceptPath, token, http.StatusOK)
		if journal := f.must(t, "GET", f.home+"/journal", "", 200); !strings.Contains(journal.body, `"memberReaddressed"`) || strings.Contains(journal.body, "new@example.com") {
			t.Error(journal.body)
		}
	})
}

func TestWaitingClaimIsNotMadeAtSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, grace := b.firm(t, "owner@example.com"), b.person(t, "new@example.com")
	path, _ := f.invitedHolder(t, "grace@example.com")
	f.must(t, "DELETE", path, `{"keepHoldings":true}`, http.StatusOK)
	f.must(t, "POST", f.home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com","roles":["Guest"]}`, http.StatusCreated)
	f.must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
	grace.signInAgain(t, password, 200).must(t, "GET", f.home, "", http.StatusForbidden)
	b.clock.advance(73 * time.Hour)
	grace.signInAgain(t, password, 200).must(t, "GET", f.home, "", 200)
}

func TestFormerAddressConfirmsTheNewOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	path, _ := f.invitedHolder(t, "grace@example.com")
	f.must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
	token := b.noticed(t, "grace@example.com")
	anyone := b.anonymous()
	if got := anyone.must(t, "POST", "/v1/address/read", token, 200); got.text(t, "holder") != "Grace Hopper" || got.get(t, "waitsUntil") == nil {
		t.Error(got.body)
	}
	if got := f.must(t, "GET", path, "", 200); !strings.Contains(got.body, `"waitsUntil"`) {
		t.Errorf("reading ends the wait: %s", got.body)
	}
	anyone.must(t, "POST", "/v1/address/confirm", token, http.StatusNoContent)
	anyone.must(t, "POST", "/v1/address/confirm", token, http.StatusNotFound)
	anyone.must(t, "POST", "/v1/address/read", `{"token":"x"}`, http.StatusNotFound)
	f.invite(t, f.home, "Guest", "new@example.com")
	b.person(t, "new@example.com").must(t, "POST", acceptPath, b.invitedBy(t, "new@example.com"), http.StatusOK)
}

func TestOwnerConfirmsWithASecondFactor(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		path, _ := f.invitedHolder(t, "grace@example.com")
		f.must(t, "PATCH", path, `{"email":"new@example.com"}`, http.StatusOK)
		confirm := path + "/address/confirm"
		needed := func() {
			t.Helper()
			if got := f.must(t, "POST", confirm, "", http.StatusForbidden); !strings.Contains(got.body, "secondFactorRequired") {
				t.Error(got.body)
			}
		}
		needed()
		seed, _ := f.enableSecondFactor(t) // starts a session with a second factor
		b.clock.advance(10 * time.Minute)
		needed()
		f.must(t, "POST", "/v1/user/2fa/verify", `{"token":"000000"}`, http.StatusBadRequest)
		needed()
		f.must(t, "POST", "/v1/user/2fa/verify", token(seed, b.clock.Now()), http.StatusOK)
		other := f.person(t, "manager@example.com")
		f.join(t, f.home, other, "Manager")
		other.must(t, "POST", confirm, "", http.StatusForbidden)
		got := f.must(t, "POST", confirm, "", http.StatusOK)
		if strings.Contains(got.body, `"waitsUntil"`) {
			t.Error(got.body)
		}
		f.must(t, "POST", confirm, "", http.StatusConflict)
	})
}

func TestOrganizationCannotGiveAwayHolderOfAnotherOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	hr := f.hr(t)
	_, entity := f.invitedHolder(t, "grace@example.com")
	home := hr.company(t)
	hr.must(t, "POST", home+"/member", `{"fullName":"Grace Hopper","entity":"`+entity+`","email":"evil@example.com","roles":["Guest"]}`, http.StatusCreated)
	evil := b.person(t, "evil@example.com").signInAgain(t, password, 200)
	evil.must(t, "GET", home, "", http.StatusForbidden)
	hr.invite(t, home, "Guest", "evil@example.com")
	evil.must(t, "POST", acceptPath, b.invitedBy(t, "evil@example.com"), http.StatusConflict)
}

func TestMailsAboutChangedAddressesAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	path, _ := f.invitedHolder(t, "a@example.com")
	for range 5 {
		f.must(t, "PATCH", path, `{"email":"b@example.com"}`, http.StatusOK)
		f.must(t, "PATCH", path, `{"email":"a@example.com"}`, http.StatusOK)
	}
	f.must(t, "PATCH", path, `{"email":"b@example.com"}`, http.StatusTooManyRequests)
}
