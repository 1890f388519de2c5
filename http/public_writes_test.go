package http_test

import (
	"context"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	equityhttp "equity/http"
	"equity/http/api"
)

func TestVerificationMailsAreLimitedForEachNetwork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 31 {
		want := http.StatusOK
		if i == 30 {
			want = http.StatusTooManyRequests
		}
		b.anonymous().must(t, "POST", "/v1/user/email/verify/send", `{"email":"ada`+strconv.Itoa(i)+`@example.com"}`, want)
	}
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
	b := setup(t, func(settings *equityhttp.Settings, services *equityhttp.Services) {
		settings.GatewayToken, services.Throttle = token, strict{services.Throttle}
	})
	covered := map[string]bool{}
	b.contract.operations(func(method, path string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		permission, session := operation.Extensions["x-permission"], operation.Extensions["x-session"]
		open := permission == "public" || permission == "gateway" || session == "optional"
		if !open || method == http.MethodGet && operation.Extensions["x-writes"] != true {
			return
		}
		covered[operation.OperationID] = true
		send := func(from string) answer {
			return b.anonymous().send(t, method, inPath(path), "{}", "X-Forwarded-For", from, "Authorization", "Bearer "+token)
		}
		for range 2 {
			if got := send("203.0.113.1"); got.status == http.StatusTooManyRequests {
				t.Errorf("%s: the limit is lower than that of the test: %s", operation.OperationID, got.body)
			}
		}
		if got := send("203.0.113.1"); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
			t.Errorf("%s has no limit for each network: %d %s", operation.OperationID, got.status, got.body)
		}
		if got := send("203.0.113.2"); got.status == http.StatusTooManyRequests {
			t.Errorf("%s: the limit is shared by all networks: %s", operation.OperationID, got.body)
		}
	})
	if !covered["login"] || !covered["sendEmailVerification"] {
		t.Errorf("covered: %v", covered)
	}
}
