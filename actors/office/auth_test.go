package office_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"equity/actors/office"
	"equity/actors/office/officetest"
)

func TestTokenIsKeptUntilShortlyBeforeItsExpiry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{0, 1}, {0, 1}, {58 * time.Minute, 1}, {time.Minute + time.Second, 2}, {0, 2}} {
		b.pass(step.pass)
		if err := b.call(); err != nil {
			t.Fatal(err)
		}
		if got := b.server.Calls("token"); got != step.want {
			t.Fatalf("%d requests for tokens, want %d", got, step.want)
		}
	}
}

func TestConcurrentCallsShareARequestForAToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if err := b.call(); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if got := b.server.Calls("token"); got != 1 {
		t.Errorf("%d requests", got)
	}
}

func TestRefusedTokenIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	b.server.ExpireAccess()
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	if tokens, calls := b.server.Calls("token"), b.server.Calls("root"); tokens != 2 || calls != 3 {
		t.Errorf("%d tokens, %d calls", tokens, calls)
	}
}

func TestTokenIsReplacedOnlyOnceInACall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Status: http.StatusUnauthorized, Code: "InvalidAuthenticationToken"})
	b.isUnavailable(b.call())
	if tokens, calls := b.server.Calls("token"), b.server.Calls("root"); tokens != 2 || calls != 2 {
		t.Errorf("%d tokens, %d calls", tokens, calls)
	}
}

func TestRefusedProgramIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*office.App){
		"secret":        func(a *office.App) { a.ClientSecret += "x" },
		"client":        func(a *office.App) { a.ClientID += "x" },
		"tenant":        func(a *office.App) { a.TenantID = "../another tenant" },
		"login address": func(a *office.App) { a.LoginURL += "/elsewhere" },
		"no address":    func(a *office.App) { a.LoginURL = "://" },
		"no API":        func(a *office.App) { a.URL = "://" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, change)
			b.isUnavailable(b.call())
			if calls := b.server.Calls("all"); calls != 0 {
				t.Errorf("%d calls of the API", calls)
			}
		})
	}
}

func TestRefusalsOfTheLoginServiceAreNoRefusalsOfTheCall(t *testing.T) {
	t.Parallel()
	for _, status := range []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
		http.StatusPreconditionFailed, http.StatusInternalServerError, http.StatusInsufficientStorage,
	} {
		b := setup(t)
		b.server.Break(officetest.Faults{Kind: "token", Status: status, Code: "unauthorized_client"})
		b.isUnavailable(b.call())
	}
}

func TestBusyLoginServiceIsCalledAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Kind: "token", Status: http.StatusTooManyRequests, RetryAfter: "3", Times: 2})
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	if got := b.waited(); !slices.Equal(got, []int{3, 3}) {
		t.Errorf("waited %v", got)
	}
}

func TestHangingLoginServiceEndsTheCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.client.Limit(20*time.Millisecond, time.Minute)
	release := b.server.Hold()
	defer release()
	b.isUnavailable(b.call())
}
