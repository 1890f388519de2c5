package http_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

func TestVerificationMailsAreLimitedForEachNetwork(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for i := range 31 {
		want := http.StatusOK
		if i == 30 {
			want = http.StatusTooManyRequests
		}
		b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", `{"email":"ada`+strconv.Itoa(i)+`@example.com"}`, want)
	}
}

// fewMails is a throttle that allows two mails from one network.
type fewMails struct{ api.Throttle }

func (f fewMails) Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error) {
	if strings.HasPrefix(subject, "mail from ") {
		limit = 2
	}
	return f.Throttle.Take(ctx, subject, limit, window)
}

// TestMailsOfAccountsShareTheLimitOfTheirNetwork sends two mails of different kinds, and then one of each kind.
func TestMailsOfAccountsShareTheLimitOfTheirNetwork(t *testing.T) {
	t.Parallel()
	links, b := withMagicLinks(t, storetest.SQLite(t), func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Throttle = fewMails{s.Throttle} })
	f := b.NewFirm(t, "ada@example.com")
	b.Clock.Advance(25 * time.Hour)
	other := strings.Replace(registration, "grace", "cleo", 1)
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, http.StatusOK)
	before := len(b.Mails(t, "ada@example.com"))
	b.Clock.Advance(2 * time.Hour)
	for path, body := range map[string]string{"": other, "/password/reset": resetAda, "/email/verify/send": `{"email":"grace@example.com"}`} {
		if got := b.Anonymous().Must(t, "POST", "/v1/user"+path, body, http.StatusTooManyRequests); got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
	links.Anonymous().Must(t, "POST", "/v1/user/magic-link", resetAda, http.StatusOK)
	if after := len(b.Mails(t, "ada@example.com")); after != before {
		t.Errorf("%d more mails were sent", after-before)
	}
	if outcome, _ := f.Invite(t, f.Home, "Guest", "bob@example.com").InvitationOutcome(t); outcome == "sent" {
		t.Error(outcome)
	}
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, http.StatusOK, "X-Forwarded-For", "203.0.113.9")
}

// strict is a throttle that allows at most two attempts for each subject, so that a test reaches each limit.
type strict struct{ api.Throttle }

func (s strict) Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error) {
	return s.Throttle.Take(ctx, subject, min(limit, 2), window)
}

// TestEveryWriteWithoutASessionIsLimitedForEachNetwork sends empty bodies, so that no limit of an account or an address
// is reached. It covers each operation of the contract that changes something and needs no session.
func TestEveryWriteWithoutASessionIsLimitedForEachNetwork(t *testing.T) {
	t.Parallel()
	const token = "the token of the gateway"
	b := apitest.Setup(t, func(settings *equityhttp.Settings, services *equityhttp.Services) {
		settings.GatewayToken, services.Throttle = token, strict{services.Throttle}
	})
	covered := map[string]bool{}
	eachOperation(b.Contract, func(method, path string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		permission, session := operation.Extensions["x-permission"], operation.Extensions["x-session"]
		open := permission == "public" || permission == "gateway" || session == "optional"
		if !open || method == http.MethodGet && operation.Extensions["x-writes"] != true {
			return
		}
		covered[operation.OperationID] = true
		send := func(from string) apitest.Answer {
			return b.Anonymous().Send(t, method, inPath(path), "{}", "X-Forwarded-For", from, "Authorization", "Bearer "+token)
		}
		for range 2 {
			if got := send("203.0.113.1"); got.Status == http.StatusTooManyRequests {
				t.Errorf("%s: the limit is lower than that of the test: %s", operation.OperationID, got.Body)
			}
		}
		if got := send("203.0.113.1"); got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s has no limit for each network: %d %s", operation.OperationID, got.Status, got.Body)
		}
		if got := send("203.0.113.2"); got.Status == http.StatusTooManyRequests {
			t.Errorf("%s: the limit is shared by all networks: %s", operation.OperationID, got.Body)
		}
	})
	if !covered["login"] || !covered["sendEmailVerification"] {
		t.Errorf("covered: %v", covered)
	}
}
