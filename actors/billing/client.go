package billing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/actors/consumer"
	"equity/egress"
)

// The limits of a call.
const (
	callTime   = 10 * time.Second
	mostAnswer = 4 << 20 // bytes
)

// Service is the name of the provider in error messages.
const Service = "Stripe"

// Client calls the provider. Each call has a deadline and passes the circuit breaker of the host. The library makes no attempts
// of its own. It is safe for concurrent use.
type Client struct {
	api      *stripe.Client
	host     string
	breakers *consumer.Breakers
	now      func() time.Time
	live     bool
}

// defaultURL is the address of the provider.
const defaultURL = stripe.APIURL

// NewClient returns a Client with the secret key. An empty address is that of the provider.
func NewClient(key, address string, breakers *consumer.Breakers, now func() time.Time) (*Client, error) {
	if address == "" {
		address = defaultURL
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("BILLING_URL: %w", err)
	}
	backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: stripe.String(strings.TrimSuffix(address, "/")), MaxNetworkRetries: stripe.Int64(0), EnableTelemetry: new(false),
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
		HTTPClient:    egress.NewClient(bounded{http.DefaultTransport}, callTime),
	})
	api := stripe.NewClient(
		key, stripe.WithBackends(&stripe.Backends{API: backend, Connect: backend, Uploads: backend, MeterEvents: backend}),
	)
	live := strings.HasPrefix(key, "sk_live_") || strings.HasPrefix(key, "rk_live_")
	return &Client{api: api, host: parsed.Host, breakers: breakers, now: now, live: live}, nil
}

// bounded limits the size of answers.
type bounded struct{ http.RoundTripper }

// RoundTrip sends the request.
func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(request)
	if err == nil {
		answer.Body = limitedBody{io.LimitReader(answer.Body, mostAnswer), answer.Body}
	}
	return answer, err
}

type limitedBody struct {
	io.Reader
	io.Closer
}

// RefusedError is a refusal of a request by the provider. Its text contains no id of the provider.
type RefusedError struct {
	Status int
	Code   string
}

// Error returns the status and the code.
func (e *RefusedError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s answered with the status %d %s", Service, e.Status, e.Code))
}

// refused reports whether the provider refuses the request itself, so that a repetition does not help.
func refused(err error) bool {
	refusal, is := errors.AsType[*RefusedError](err)
	return is && (refusal.Status == http.StatusBadRequest || refusal.Status == http.StatusPaymentRequired || refusal.Status == http.StatusNotFound)
}

// missing reports whether the requested record does not exist.
func missing(err error) bool {
	refusal, is := errors.AsType[*RefusedError](err)
	return is && refusal.Status == http.StatusNotFound
}

// call makes a call with a deadline.
func call[R any](ctx context.Context, c *Client, do func(ctx context.Context) (R, error)) (R, error) {
	var none R
	done, err := c.breakers.Allow(c.host)
	if err != nil {
		return none, err
	}
	limited, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	result, err := do(limited)
	if err == nil && !complete(result) {
		err = errIncomplete
	}
	if err == nil {
		done(nil)
		return result, nil
	}
	err = c.failure(err)
	refusal, answered := errors.AsType[*RefusedError](err)
	switch {
	case ctx.Err() != nil: // the caller has given up, which is no failure of the provider
		done(nil)
	case answered && refusal.Status < http.StatusInternalServerError:
		done(nil)
	default:
		done(err)
	}
	return none, err
}

var errIncomplete = errors.New("an answer lacks the fields of its kind")

// complete reports whether an answer has the fields that each record of its kind has.
func complete(answer any) bool {
	switch record := answer.(type) {
	case *stripe.Customer:
		return record.ID != ""
	case *stripe.Subscription:
		return record.ID != "" && record.Status != "" && record.Items != nil && record.Items.Data != nil
	case *stripe.SubscriptionItem:
		return record.ID != ""
	case *stripe.Invoice:
		return record.Currency != ""
	case *stripe.Product:
		return record.ID != ""
	case *stripe.Price:
		return record.ID != ""
	case *stripe.Coupon:
		return record.ID != ""
	case *stripe.CheckoutSession:
		return record.ID != "" && record.URL != ""
	case *stripe.BillingPortalSession:
		return record.URL != ""
	}
	return true
}

// failure returns the error without addresses, keys and messages of the provider, which may contain ids.
func (c *Client) failure(err error) error {
	refusal, is := errors.AsType[*stripe.Error](err)
	if !is || refusal.HTTPStatusCode == 0 {
		if failed, is := errors.AsType[*url.Error](err); is {
			err = failed.Err
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf("%s did not answer in time: %w", Service, err)
		}
		return fmt.Errorf("%s cannot be reached: %w", Service, err)
	}
	plain := &RefusedError{refusal.HTTPStatusCode, string(refusal.Code)}
	if refusal.LastResponse != nil {
		if at := consumer.RetryAfter(refusal.LastResponse.Header, c.now()); !at.IsZero() {
			return consumer.Postpone(plain, at)
		}
	}
	return plain
}

// collect returns at most so many records of a list. A page without a list is no empty list.
func collect[R any](ctx context.Context, list *stripe.V1List[R], most int) ([]R, error) {
	var records []R
	var failed error
	list.All(ctx)(func(record R, err error) bool {
		if err == nil && !complete(record) {
			err = errIncomplete
		}
		if err != nil {
			failed = err
			return false
		}
		records = append(records, record)
		return len(records) < most
	})
	if failed == nil && list.Data() == nil { // the iteration ends with such a page
		failed = errIncomplete
	}
	return records, failed
}
