package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/admission"
	"equity/http/apitest"
)

func TestPasswordChecksWaitForASlot(t *testing.T) {
	t.Parallel()
	const body = `{"email":"nobody@example.com","password":"a long enough secret"}`
	t.Run("a request that waits too long is refused with Retry-After", func(t *testing.T) {
		t.Parallel()
		b := apitest.Setup(t, crowded(time.Millisecond))
		got := (&apitest.Client{Server: b}).Must(t, "POST", "/v1/user/login", body, http.StatusServiceUnavailable)
		if got.Text(t, "code") != "unavailable" || !strings.Contains(got.Body, "Too many passwords") || got.Header.Get("Retry-After") != "1" {
			t.Errorf("unexpected answer %s with Retry-After %s", got.Body, got.Header.Get("Retry-After"))
		}
	})
	t.Run("a disconnected caller is not logged as an error", func(t *testing.T) {
		t.Parallel()
		b := apitest.Setup(t, crowded(time.Hour))
		ctx, leave := context.WithCancel(context.Background())
		request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/user/login", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		time.AfterFunc(50*time.Millisecond, leave)
		b.HTTP.ServeHTTP(httptest.NewRecorder(), request)
		if log := b.Log.String(); strings.Contains(log, "level=ERROR") || !strings.Contains(log, "caller went away") {
			t.Errorf("unexpected log:\n%s", log)
		}
	})
}

// crowded occupies all slots for password checks. Requests wait at most patience for a slot.
func crowded(patience time.Duration) func(*equityhttp.Settings, *equityhttp.Services) {
	return func(_ *equityhttp.Settings, services *equityhttp.Services) {
		services.HashingSlots = admission.New(admission.Settings{Parallel: 1, Wait: patience, Patient: true})
		_, _ = services.HashingSlots.Enter(context.Background(), admission.Flow{})
	}
}
