package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
	"equity/persistence/storetest"
)

// lose sends a request whose commit is stored and whose reply is lost, and checks that the answer says so.
func lose(t *testing.T, proxy *storetest.Proxy, command string, send func() apitest.Answer) apitest.Answer {
	t.Helper()
	proxy.CutAtCommit(command)
	got := send()
	if !proxy.HasCut() || got.Status != http.StatusServiceUnavailable {
		t.Fatalf("the reply was lost: %d %s", got.Status, got.Body)
	}
	return got
}

const changeOfPassword = `{"currentPassword":"` + apitest.Password + `","password":"` + newPassword + `"}`

func TestLostPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	phone := anotherSession(t, b, ada)
	got := lose(t, proxy, "COMMIT", func() apitest.Answer { return ada.Send(t, "POST", "/v1/user/password", changeOfPassword) })
	if got.Text(t, "code") != "outcomeUnknown" {
		t.Errorf("%s", got.Body)
	}
	phone.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestLostPasswordChangeIsCompletedByARepetition(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	lose(t, proxy, "COMMIT", func() apitest.Answer { return ada.Send(t, "POST", "/v1/user/password", changeOfPassword) })
	phone := ada.SignInAgain(t, newPassword, http.StatusOK)
	ada.Must(t, "POST", "/v1/user/password", changeOfPassword, http.StatusOK)
	ada.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	phone.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

func TestWrongPresentPasswordIsRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	ada.Must(t, "POST", "/v1/user/password", `{"currentPassword":"a guess","password":"`+newPassword+`"}`, http.StatusBadRequest)
}

func TestLostSecondFactorEndsOtherSessions(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	phone := anotherSession(t, b, ada)
	seed := newSecondFactor(t, ada)
	lose(t, proxy, "COMMIT", func() apitest.Answer { return ada.Send(t, "POST", "/v1/user/2fa", token(seed, b.Clock.Now())) })
	phone.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
}

// TestLostReplyOfAccountsIsAnUnknownOutcome covers second factors, cards and the administration of the site. A repetition
// has no second effect.
//
//nolint:tparallel // the cases share one connection that each of them cuts
func TestLostReplyOfAccountsIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	admin, ada, bob := administrator(t, b, "admin@example.com"), b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
	card := ada.Must(t, "POST", "/v1/referral/company", `{"name":"Acme","website":"https://acme.example","contactEmail":"cfo@acme.example"}`, http.StatusCreated).Text(t, "card")
	seed := newSecondFactor(t, ada)
	code := func() string { // a code is used once
		b.Clock.Advance(time.Minute)
		return token(seed, b.Clock.Now())
	}
	none := func() string { return "" }
	about := "/v1/admin/user/" + bob.User.ID.String()
	for _, lost := range []struct { //nolint:paralleltest // the cases share one connection that each of them cuts
		name         string
		as           *apitest.Client
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
			got := lose(t, proxy, lost.command, func() apitest.Answer { return lost.as.Send(t, lost.method, lost.path, lost.body()) })
			if got.Text(t, "code") != "outcomeUnknown" {
				t.Errorf("%s", got.Body)
			}
			if again := lost.as.Send(t, lost.method, lost.path, lost.body()); again.Status != lost.again {
				t.Errorf("again: %d %s", again.Status, again.Body)
			}
		})
	}
}

func TestLostReplyOfAPageIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	page := "/share/" + tokenOf(t, lendShare(t, b, "Plan.txt", "The plan.", "").share)
	got := lose(t, proxy, "COMMIT", func() apitest.Answer { return submitPage(t, b.Anonymous(), page, "do", "send") })
	if !strings.Contains(got.Body, "not known whether the change was stored") {
		t.Errorf("%s", got.Body)
	}
}
