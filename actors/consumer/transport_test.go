package consumer_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"equity/actors/consumer"
)

// service is a transport that answers each request with a status or an error.
type service struct {
	status int
	err    error
	calls  int
}

func (s *service) RoundTrip(*http.Request) (*http.Response, error) {
	if s.calls++; s.err != nil {
		return nil, s.err
	}
	return &http.Response{StatusCode: s.status, Body: http.NoBody}, nil
}

// send makes a request to a.example and returns its error.
func send(ctx context.Context, t *testing.T, transport http.RoundTripper) error {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://a.example/path", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := transport.RoundTrip(request)
	if err == nil {
		_ = answer.Body.Close()
	}
	return err
}

func TestTransportCountsFailuresOfTheService(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		service service
		opens   bool
	}{
		"network error":        {service{err: errCall}, true},
		"internal error":       {service{status: http.StatusInternalServerError}, true},
		"unavailable":          {service{status: http.StatusServiceUnavailable}, true},
		"success":              {service{status: http.StatusOK}, false},
		"not found":            {service{status: http.StatusNotFound}, false},
		"too many requests":    {service{status: http.StatusTooManyRequests}, false},
		"insufficient storage": {service{status: http.StatusInsufficientStorage}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := breakers()
			transport := &consumer.Transport{Breakers: b, Base: &test.service}
			for range 5 {
				if err := send(t.Context(), t, transport); !errors.Is(err, test.service.err) {
					t.Fatal(err)
				}
			}
			err := send(t.Context(), t, transport)
			if errors.Is(err, consumer.ErrOpen) != test.opens {
				t.Errorf("the sixth request: %v", err)
			}
			if want := map[bool]int{true: 5, false: 6}[test.opens]; test.service.calls != want {
				t.Errorf("%d calls, want %d", test.service.calls, want)
			}
		})
	}
}

func TestTransportIgnoresRequestsThatTheirCallerEnded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cause error
		opens bool
	}{
		"the caller went away": {nil, false},
		"the time is over":     {context.DeadlineExceeded, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := breakers()
			transport := &consumer.Transport{Breakers: b, Base: &service{err: context.Canceled}}
			ended, cancel := context.WithCancelCause(t.Context())
			cancel(test.cause)
			for range 5 {
				if err := send(ended, t, transport); !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			if err := send(t.Context(), t, transport); errors.Is(err, consumer.ErrOpen) != test.opens {
				t.Error(err)
			}
		})
	}
}

func TestTransportClosesTheBodyOfARefusedRequest(t *testing.T) {
	t.Parallel()
	b, _ := breakers()
	fail(t, b, 5)
	body := &closing{Reader: strings.NewReader("content")}
	transport := &consumer.Transport{Breakers: b}
	request := &http.Request{Method: http.MethodPut, URL: &url.URL{Scheme: "https", Host: "a.example"}, Body: body}
	answer, err := transport.RoundTrip(request)
	if err == nil {
		_ = answer.Body.Close()
	}
	if !errors.Is(err, consumer.ErrOpen) || !body.closed {
		t.Errorf("closed %v: %v", body.closed, err)
	}
}

type closing struct {
	*strings.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

func TestTransportUsesTheStandardTransport(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	b, _ := breakers()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&consumer.Transport{Breakers: b}).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
}
