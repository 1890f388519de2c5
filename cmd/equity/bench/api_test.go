package bench_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"equity/cmd/equity/bench"
)

func TestSigningIn(t *testing.T) {
	t.Parallel()
	var busy atomic.Bool
	for _, test := range []struct {
		claim   string
		handler http.HandlerFunc
		cookie  string
		failure string
	}{
		{"returns the session cookie", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/user/login" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("asked for %s", r.URL)
			}
			http.SetCookie(w, &http.Cookie{Name: "other", Value: "no"})
			http.SetCookie(w, &http.Cookie{Name: "connect.sid", Value: "abc", Path: "/"})
		}, "abc", ""},
		{"is repeated while the server is busy", func(w http.ResponseWriter, _ *http.Request) {
			if !busy.Swap(true) {
				http.Error(w, "too many passwords wait", http.StatusServiceUnavailable)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "connect.sid", Value: "abc", Path: "/"})
		}, "abc", ""},
		{"fails without a cookie", func(http.ResponseWriter, *http.Request) {}, "", "no session cookie"},
		{"reports the actual answer", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "wrong password", http.StatusBadRequest)
		}, "", "POST /v1/user/login: status 400: wrong password"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			cookie, err := bench.SignIn(t.Context(), bench.Addresses{Server: setup(t, test.handler), Email: "a", Password: "b"})
			if cookie != test.cookie || (err == nil) != (test.failure == "") || err != nil && !strings.Contains(err.Error(), test.failure) {
				t.Errorf("cookie %q, %v", cookie, err)
			}
		})
	}
}
