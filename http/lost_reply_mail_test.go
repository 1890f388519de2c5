package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// graceLogin is the sign-in of the account that registration creates.
const graceLogin = `{"email":"grace@example.com","password":"compilers are for people"}`

// outcomeIsUnknown checks that the answer states an unknown outcome.
func outcomeIsUnknown(t *testing.T, got apitest.Answer) {
	t.Helper()
	if got.Text(t, "code") != "outcomeUnknown" {
		t.Errorf("%s", got.Body)
	}
}

func TestRepetitionOfALostPasswordResetSendsNoSecondMail(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() apitest.Answer { return b.Anonymous().Send(t, "POST", "/v1/user/password/reset", resetAda) }))
	refuseValue(t, b.Anonymous(), "existingActiveTempPassword", "/v1/user/password/reset", resetAda)
	ada.SignInAgain(t, temporaryPassword(t, b, "ada@example.com"), http.StatusOK)
}

func TestLostVerificationConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	grace := b.Anonymous()
	grace.Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	input := `{"code":"` + mailedCode(t, b, "grace@example.com") + `"}`
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() apitest.Answer { return grace.Send(t, "POST", "/v1/user/email/verify", input) }))
	refuseValue(t, grace, "invalidEmailVerificationCode", "/v1/user/email/verify", input)
	grace.Must(t, "POST", "/v1/user/login", graceLogin, http.StatusOK)
	if got := grace.Must(t, "GET", "/v1/user/current", "", http.StatusOK); got.Get(t, "emailVerified") != true {
		t.Errorf("%s", got.Body)
	}
}

// TestLostTakeoverIsCompletedByAReset loses the session in which the holder of the address would choose a password.
func TestLostTakeoverIsCompletedByAReset(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	holder := b.Anonymous()
	input := `{"code":"` + mailedCode(t, b, "grace@example.com") + `","choosePassword":true}`
	outcomeIsUnknown(t, lose(t, proxy, "COMMIT", func() apitest.Answer { return holder.Send(t, "POST", "/v1/user/email/verify", input) }))
	refuseValue(t, holder, "invalidEmailVerificationCode", "/v1/user/email/verify", input)
	holder.Must(t, "POST", "/v1/user/login", graceLogin, http.StatusBadRequest)
	holder.Must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, http.StatusOK)
	temporary := temporaryPassword(t, b, "grace@example.com")
	holder.Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"`+temporary+`"}`, http.StatusOK)
}

func TestRepetitionOfALostVerificationMailSendsNoSecondMail(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	grace := b.Anonymous()
	grace.Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	b.Clock.Advance(time.Hour)
	const input = `{"email":"grace@example.com"}`
	outcomeIsUnknown(
		t, lose(t, proxy, "BATCH", func() apitest.Answer { return grace.Send(t, "POST", "/v1/user/email/verify/send", input) }),
	)
	refuseValue(t, grace, "recentEmailVerification", "/v1/user/email/verify/send", input)
	grace.Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, "grace@example.com")+`"}`, http.StatusOK)
}

func TestLostProposalOfASecondFactorIsReplacedByARepetition(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	got := lose(t, proxy, "INSERT", func() apitest.Answer { return ada.Send(t, "GET", "/v1/user/2fa", "") })
	outcomeIsUnknown(t, got)
	if got.Header.Get("Retry-After") == "" {
		t.Errorf("a repetition is safe, and the answer has no Retry-After: %s", got.Body)
	}
	seed := newSecondFactor(t, ada)
	ada.Must(t, "POST", "/v1/user/2fa", token(seed, b.Clock.Now()), http.StatusOK)
}

func TestQueryRefusesAGetThatWrites(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	got := ada.Must(t, "POST", "/v1/query", `{"queries":[{"id":"a","operation":"proposeTwoFactor"}]}`, http.StatusBadRequest)
	if !strings.Contains(got.Body, `"notARead"`) {
		t.Errorf("%s", got.Body)
	}
}
