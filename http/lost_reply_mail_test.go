package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// graceLogin is the sign-in of the account that registration creates.
const graceLogin = `{"email":"grace@example.com","password":"compilers are for people"}`

// outcomeIsUnknown checks that the answer states an unknown outcome.
func outcomeIsUnknown(t *testing.T, got answer) {
	t.Helper()
	if got.text(t, "code") != "outcomeUnknown" {
		t.Errorf("%s", got.body)
	}
}

func TestRepetitionOfALostPasswordResetSendsNoSecondMail(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() answer { return b.anonymous().send(t, "POST", "/v1/user/password/reset", resetAda) }))
	b.anonymous().refusedWith(t, "existingActiveTempPassword", "/v1/user/password/reset", resetAda)
	ada.signInAgain(t, b.temporary(t, "ada@example.com"), http.StatusOK)
}

func TestLostVerificationConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	grace := b.anonymous()
	grace.must(t, "POST", "/v1/user", registration, http.StatusCreated)
	input := `{"code":"` + b.code(t, "grace@example.com") + `"}`
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() answer { return grace.send(t, "POST", "/v1/user/email/verify", input) }))
	grace.refusedWith(t, "invalidEmailVerificationCode", "/v1/user/email/verify", input)
	grace.must(t, "POST", "/v1/user/login", graceLogin, http.StatusOK)
	if got := grace.must(t, "GET", "/v1/user/current", "", http.StatusOK); got.get(t, "emailVerified") != true {
		t.Errorf("%s", got.body)
	}
}

// TestLostTakeoverIsCompletedByAReset loses the session in which the holder of the address would choose a password.
func TestLostTakeoverIsCompletedByAReset(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	holder := b.anonymous()
	input := `{"code":"` + b.code(t, "grace@example.com") + `","choosePassword":true}`
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() answer { return holder.send(t, "POST", "/v1/user/email/verify", input) }))
	holder.refusedWith(t, "invalidEmailVerificationCode", "/v1/user/email/verify", input)
	holder.must(t, "POST", "/v1/user/login", graceLogin, http.StatusBadRequest)
	holder.must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, http.StatusOK)
	temporary := b.temporary(t, "grace@example.com")
	holder.must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"`+temporary+`"}`, http.StatusOK)
}

func TestRepetitionOfALostVerificationMailSendsNoSecondMail(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	grace := b.anonymous()
	grace.must(t, "POST", "/v1/user", registration, http.StatusCreated)
	b.clock.advance(time.Hour)
	const input = `{"email":"grace@example.com"}`
	outcomeIsUnknown(t, lose(t, proxy, "BATCH", func() answer { return grace.send(t, "POST", "/v1/user/email/verify/send", input) }))
	grace.refusedWith(t, "recentEmailVerification", "/v1/user/email/verify/send", input)
	grace.must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, "grace@example.com")+`"}`, http.StatusOK)
}

func TestLostProposalOfASecondFactorIsReplacedByARepetition(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	got := lose(t, proxy, "INSERT", func() answer { return ada.send(t, "GET", "/v1/user/2fa", "") })
	outcomeIsUnknown(t, got)
	if got.header.Get("Retry-After") == "" {
		t.Errorf("a repetition is safe, and the answer has no Retry-After: %s", got.body)
	}
	seed := ada.secret(t)
	ada.must(t, "POST", "/v1/user/2fa", token(seed, b.clock.Now()), http.StatusOK)
}

func TestQueryRefusesAGetThatWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	got := ada.must(t, "POST", "/v1/query", `{"queries":[{"id":"a","operation":"proposeTwoFactor"}]}`, http.StatusBadRequest)
	if !strings.Contains(got.body, `"notARead"`) {
		t.Errorf("%s", got.body)
	}
}
