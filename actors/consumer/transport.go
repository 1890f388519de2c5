package consumer

import (
	"context"
	"errors"
	"net/http"
)

// errFailed is the outcome of a call that the service answered with a status of 500 or more.
var errFailed = errors.New("the service failed")

// Transport makes requests through the circuit breakers of their hosts. Network errors and statuses of 500 or more are failures. The
// statuses 429 and 507 are none: the service works, but the caller is too fast or its storage is full.
type Transport struct {
	Breakers *Breakers
	// Base makes the requests; nil for the transport of the standard library.
	Base http.RoundTripper
}

// RoundTrip makes one request, unless the breaker of its host is open. The error then wraps ErrOpen. The outcome of a request that its
// caller ended is not reported.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	done, err := t.Breakers.Allow(r.URL.Host)
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	answer, err := base.RoundTrip(r)
	switch {
	case err != nil:
		if !isEndedByCaller(r.Context()) {
			done(err)
		}
		return nil, err
	case answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusInsufficientStorage:
		done(errFailed)
	default:
		done(nil)
	}
	return answer, nil
}

// isEndedByCaller reports whether the context ended for another reason than the time that the request took.
func isEndedByCaller(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.Canceled) && !errors.Is(context.Cause(ctx), context.DeadlineExceeded)
}
