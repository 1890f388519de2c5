package http_test

import (
	"net/http"
	"strconv"
	"testing"
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
