package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// lose sends a request whose commit is stored and whose reply is lost, and checks that the answer says so.
func lose(t *testing.T, proxy *storetest.Proxy, command string, send func() answer) answer {
	t.Helper()
	proxy.CutAtCommit(command)
	got := send()
	if !proxy.HasCut() || got.status != http.StatusServiceUnavailable {
		t.Fatalf("the reply was lost: %d %s", got.status, got.body)
	}
	return got
}

const changeOfPassword = `{"currentPassword":"` + password + `","password":"` + newPassword + `"}`

func TestLostPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	phone := b.anotherSession(t, ada)
	got := lose(t, proxy, "COMMIT", func() answer { return ada.send(t, "POST", "/v1/user/password", changeOfPassword) })
	if got.text(t, "code") != "outcomeUnknown" {
		t.Errorf("%s", got.body)
	}
	phone.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestLostPasswordChangeIsCompletedByARepetition(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	lose(t, proxy, "COMMIT", func() answer { return ada.send(t, "POST", "/v1/user/password", changeOfPassword) })
	phone := ada.signInAgain(t, newPassword, http.StatusOK)
	ada.must(t, "POST", "/v1/user/password", changeOfPassword, http.StatusOK)
	ada.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	phone.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestWrongPresentPasswordIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	ada.must(t, "POST", "/v1/user/password", `{"currentPassword":"a guess","password":"`+newPassword+`"}`, http.StatusBadRequest)
}

func TestLostSecondFactorEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	phone := b.anotherSession(t, ada)
	seed := ada.secret(t)
	lose(t, proxy, "COMMIT", func() answer { return ada.send(t, "POST", "/v1/user/2fa", token(seed, b.clock.Now())) })
	phone.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

// TestLostReplyOfAccountsIsAnUnknownOutcome covers second factors, cards and the administration of the site. A repetition
// has no second effect.
//
//nolint:tparallel // the cases share one connection that each of them cuts
func TestLostReplyOfAccountsIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	admin, ada, bob := b.administrator(t, "admin@example.com"), b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
	card := ada.must(t, "POST", "/v1/referral/company", `{"name":"Acme","website":"https://acme.example","contactEmail":"cfo@acme.example"}`, http.StatusCreated).text(t, "card")
	seed := ada.secret(t)
	code := func() string { // a code is used once
		b.clock.advance(time.Minute)
		return token(seed, b.clock.Now())
	}
	none := func() string { return "" }
	about := "/v1/admin/user/" + bob.user.ID.String()
	for _, lost := range []struct { //nolint:paralleltest // the cases share one connection that each of them cuts
		name         string
		as           *client
		command      string
		method, path string
		body         func() string
		again        int
	}{
		{"a second factor, enabled", ada, "COMMIT", "POST", "/v1/user/2fa", code, http.StatusConflict},
		{"recovery codes", ada, "COMMIT", "POST", "/v1/user/2fa/recovery", code, http.StatusOK},
		{"a second factor, disabled", ada, "COMMIT", "POST", "/v1/user/2fa/disable", code, http.StatusConflict},
		{"a card", ada, "BATCH", "POST", "/v1/reward", func() string { return `{"rewardId":"` + card + `"}` }, http.StatusOK},
		{"a blocked address", admin, "INSERT", "PUT", "/v1/admin/blocklist/spam@example.com", none, http.StatusNoContent},
		{"an address let in again", admin, "DELETE", "DELETE", "/v1/admin/blocklist/spam@example.com", none, http.StatusNotFound},
		{"a disabled account", admin, "COMMIT", "POST", about + "/disable", none, http.StatusOK},
		{"an enabled account", admin, "COMMIT", "POST", about + "/enable", none, http.StatusOK},
	} {
		t.Run(lost.name, func(t *testing.T) {
			got := lose(t, proxy, lost.command, func() answer { return lost.as.send(t, lost.method, lost.path, lost.body()) })
			if got.text(t, "code") != "outcomeUnknown" {
				t.Errorf("%s", got.body)
			}
			if again := lost.as.send(t, lost.method, lost.path, lost.body()); again.status != lost.again {
				t.Errorf("again: %d %s", again.status, again.body)
			}
		})
	}
}

func TestLostReplyOfAPageIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	page := "/share/" + tokenOf(t, b.lend(t, "Plan.txt", "The plan.", "").share)
	got := lose(t, proxy, "COMMIT", func() answer { return b.anonymous().submit(t, page, "do", "send") })
	if !strings.Contains(got.body, "not known whether the change was stored") {
		t.Errorf("%s", got.body)
	}
}
