package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// delays are the delays between the attempts of an event.
func delays() []time.Duration {
	return []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 24 * time.Hour}
}

const (
	mostAttempts = 6
	// mostAnswer bounds the part of an answer that is read, so that the connection can be used again.
	mostAnswer = 16 << 10
	// hopeless is the number of failures without a success after which a round stops.
	hopeless = mostInFlight
	userHost = "equity-webhook/1"
)

// target is an address with its secrets.
type target struct {
	url     string
	service string // the key of the circuit breaker
	secrets []string
}

// newTarget returns the address of a webhook. Organizations do not share the circuit breaker of an address, because each has its own secrets
// and events.
func newTarget(in organization.ID, address string, secrets []string) target {
	return target{address, in.String() + " " + address, secrets}
}

// sender sends deliveries.
type sender struct {
	client   *http.Client
	breakers *consumer.Breakers
	now      func() time.Time
}

// attempt is the outcome of a round of one webhook.
type attempt struct {
	mu        sync.Mutex
	attempted int // deliveries that were attempted: the first ones
	succeeded int
	failed    int
	gone      bool
	cause     error
	refused   bool // the breaker is open
}

// send sends deliveries in order, a few at the same time. It stops early if the address accepts none.
func (s *sender) send(ctx context.Context, to target, deliveries []messages.Delivery) *attempt {
	a := &attempt{}
	var workers sync.WaitGroup
	for range min(mostInFlight, len(deliveries)) {
		workers.Go(func() {
			for {
				i, done := a.take(ctx, len(deliveries), func() (func(error), error) { return s.breakers.Allow(to.service) })
				if done == nil {
					return
				}
				failure := s.once(ctx, to, &deliveries[i])
				done(failure)
				a.add(&deliveries[i], failure)
			}
		})
	}
	workers.Wait()
	return a
}

// take returns the index of the next delivery and the function that reports its outcome; nil if the round is to end. Deliveries are taken in
// order, so that the probe of an open address is the first of them.
func (a *attempt) take(ctx context.Context, number int, allow func() (func(error), error)) (int, func(error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	deadline, limited := ctx.Deadline()
	late := limited && time.Until(deadline) < attemptTime && a.attempted > 0
	if a.attempted >= number || ctx.Err() != nil || late || a.refused || (a.succeeded == 0 && a.failed >= hopeless) || a.gone {
		return 0, nil
	}
	done, err := allow()
	if err != nil {
		a.refused = true
		return 0, nil
	}
	a.attempted++
	return a.attempted - 1, done
}

func (a *attempt) add(d *messages.Delivery, failure error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if failure == nil {
		a.succeeded++
		return
	}
	a.failed++
	a.cause = failure
	a.gone = a.gone || d.StatusCode == http.StatusGone
}

// once makes one attempt and stores its outcome in the delivery.
func (s *sender) once(ctx context.Context, to target, d *messages.Delivery) error {
	begin := s.now()
	status, retryAt, failure := s.post(ctx, to, d)
	d.Attempts++
	d.AttemptedAt, d.Duration, d.StatusCode = begin, max(s.now().Sub(begin), 0), status
	if failure == nil {
		d.State, d.Failure, d.NextAttemptAt, d.Body = messages.DeliveryDelivered, "", time.Time{}, nil
		return nil
	}
	d.Failure = plain(failure)
	if d.Attempts >= mostAttempts {
		d.State, d.NextAttemptAt, d.Body = messages.DeliveryFailed, time.Time{}, nil
		return failure
	}
	d.State, d.NextAttemptAt = messages.DeliveryRetrying, s.now().Add(delays()[d.Attempts-1])
	if retryAt.After(d.NextAttemptAt) {
		d.NextAttemptAt = retryAt
	}
	return failure
}

// post sends one event. Each status 2xx is a success.
func (s *sender) post(ctx context.Context, to target, d *messages.Delivery) (status int, retryAt time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, bytes.NewReader(d.Body))
	if err != nil {
		return 0, time.Time{}, ErrURL
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", userHost)
	if err := Sign(request.Header, to.secrets, d.EventID, s.now(), d.Body); err != nil {
		return 0, time.Time{}, err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, time.Time{}, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostAnswer)) // only the status counts
	_ = answer.Body.Close()
	if answer.StatusCode < http.StatusOK || answer.StatusCode >= http.StatusMultipleChoices {
		return answer.StatusCode, consumer.RetryAfter(answer.Header, s.now()), fmt.Errorf("%w %d", errStatus, answer.StatusCode)
	}
	return answer.StatusCode, time.Time{}, nil
}

var errStatus = errors.New("the address answered with the status")

// plain returns the cause of a failed attempt, without the URL, which may contain a secret.
func plain(err error) string {
	if failed, is := errors.AsType[*url.Error](err); is {
		err = failed.Err
	}
	const most = 300
	text := err.Error()
	return text[:min(len(text), most)]
}
