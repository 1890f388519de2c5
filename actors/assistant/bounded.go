package assistant

import (
	"io"
	"net/http"
)

// maxAnswer bounds the answer of a provider, in bytes.
const maxAnswer = 4 << 20

// BoundedTransport cuts off answers that are too long.
type BoundedTransport struct {
	// Base makes the requests; nil for the transport of the standard library.
	Base http.RoundTripper
}

// RoundTrip makes one request.
func (t BoundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	answer, err := base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	return answer, nil
}
