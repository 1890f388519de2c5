package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
)

func TestCrowdOfPasswords(t *testing.T) {
	t.Parallel()
	const body = `{"email":"nobody@example.com","password":"a long enough secret"}`
	t.Run("whoever waits for too long is told so, and when to come again", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equityhttp.CrowdPasswords(b.server, time.Millisecond)
		got := (&client{bundle: b}).must(t, "POST", "/v1/user/login", body, http.StatusServiceUnavailable)
		if got.text(t, "code") != "unavailable" || !strings.Contains(got.body, "Too many passwords") || got.header.Get("Retry-After") != "1" {
			t.Errorf("told %s, again in %s s", got.body, got.header.Get("Retry-After"))
		}
	})
	t.Run("whoever goes away meanwhile is no failure in the log", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equityhttp.CrowdPasswords(b.server, time.Hour)
		ctx, leave := context.WithCancel(context.Background())
		request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/user/login", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		time.AfterFunc(50*time.Millisecond, leave)
		b.server.ServeHTTP(httptest.NewRecorder(), request)
		if log := b.log.String(); strings.Contains(log, "level=ERROR") || !strings.Contains(log, "caller went away") {
			t.Errorf("the log says:\n%s", log)
		}
	})
}
