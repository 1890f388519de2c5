package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"equity/actors/consumer"
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
	// mostRepetitions is the number of attempts at the same time beyond which no repetition begins, so that first attempts have a place.
	mostRepetitions = mostInFlight - 1
	userHost        = "equity-webhook/1"
)

// target is an address with its secrets.
type target struct {
	url     string
	service string // the key of the circuit breaker
	webhook string // the key of the attempts under way
	secrets []string
}

// newTarget returns the address of a webhook. Organizations do not share the circuit breaker of an address, because each has its own secrets
// and events.
func newTarget(in organization.ID, webhook, address string, secrets []string) target {
	return target{address, in.String() + " " + address, flightKey(in, webhook), secrets}
}

// flightKey returns the key of the attempts of a webhook that have outlasted their rounds.
func flightKey(in organization.ID, webhook string) string { return in.String() + " " + webhook }

// sender sends deliveries.
type sender struct {
	client   *http.Client
	breakers *consumer.Breakers
	slots    *consumer.Slots
	flights  *flights
	now      func() time.Time
}

// sending is a round of attempts of one webhook.
type sending struct {
	*sender
	to     target
	landed func()               // an attempt has its outcome after the end of the round
	flying map[string]time.Time // the attempts of earlier rounds

	mu         sync.Mutex
	deliveries []Delivery
	attempted  int // deliveries that were attempted: the first ones
	succeeded  int
	failed     int
	gone       bool
	cause      error
	refused    bool      // the breaker is open
	crowded    bool      // an attempt waits for the outcome of those of earlier rounds
	repeating  time.Time // of the first repetition
	workers    int       // that have not ended
	underWay   []*attempt
}

// attempt is an attempt under way.
type attempt struct {
	index    int // of its delivery
	delivery Delivery
	begun    time.Time
	cancel   context.CancelFunc
	detach   func() bool // from the end of the round
	flight   *flight     // nil until the round has ended without it
}

// send sends deliveries in order, a few at the same time. It stops early if the address accepts no event. It does not wait for answers that take
// long: their deliveries are scheduled for a repetition, and their outcomes follow as flights.
func (s *sending) send(ctx context.Context, deliveries []Delivery) {
	s.deliveries, s.flying = deliveries, s.flights.underWay(s.to.webhook)
	s.workers = max(min(mostInFlight-len(s.flying), len(deliveries)), 0)
	s.crowded = s.workers == 0 && len(deliveries) > 0
	var group sync.WaitGroup
	for range s.workers {
		group.Go(func() { s.work(ctx) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		group.Wait()
	}()
	const every = answerWait / 8
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if s.leave(ctx) {
				return
			}
		}
	}
}

// work makes one attempt after the other.
func (s *sending) work(ctx context.Context) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.workers--
	}()
	for !s.isOver(ctx) {
		leave, err := s.slots.Enter(ctx, consumer.AnswerTime)
		if err != nil {
			return
		}
		kept, one, done := s.take(ctx)
		if one == nil {
			leave()
			return
		}
		s.try(kept, one, done)
		leave()
	}
}

// isOver reports whether the round makes no further attempt. Repetitions begin within a short time, so that first attempts do not wait for them.
func (s *sending) isOver(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over(ctx)
}

func (s *sending) over(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	late := limited && time.Until(deadline) < attemptTime && s.attempted > 0
	if s.attempted >= len(s.deliveries) || ctx.Err() != nil || late || s.refused || (s.succeeded == 0 && s.failed >= hopeless) || s.gone {
		return true
	}
	return !s.repeating.IsZero() && s.now().Sub(s.repeating) > answerWait
}

// take begins the next attempt, and returns it with the function that reports its outcome to the breaker, or nil. Deliveries
// are taken in order, so that the probe of an open address is the first of them.
func (s *sending) take(ctx context.Context) (kept context.Context, next *attempt, done func(error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over(ctx) {
		return nil, nil, nil
	}
	d := s.deliveries[s.attempted]
	_, flies := s.flying[d.EventID]
	if flies || d.Attempts > 0 && len(s.underWay)+len(s.flying) >= mostRepetitions {
		s.crowded = true
		return nil, nil, nil
	}
	done, err := s.breakers.Allow(s.to.service)
	if err != nil {
		s.refused = true
		return nil, nil, nil
	}
	if d.Attempts > 0 && s.repeating.IsZero() {
		s.repeating = s.now()
	}
	kept, cancel := context.WithCancel(context.WithoutCancel(ctx))
	next = &attempt{index: s.attempted, delivery: d, begun: s.now(), cancel: cancel, detach: context.AfterFunc(ctx, cancel)}
	s.underWay = append(s.underWay, next)
	s.attempted++
	return kept, next, done
}

// try makes an attempt.
func (s *sending) try(ctx context.Context, one *attempt, done func(error)) {
	defer one.cancel()
	defer one.detach()
	failure := s.once(ctx, s.to, &one.delivery)
	done(failure)
	s.mu.Lock()
	left := one.flight != nil
	if !left {
		s.underWay = slices.DeleteFunc(s.underWay, func(other *attempt) bool { return other == one })
		s.deliveries[one.index] = one.delivery
		s.add(&one.delivery, failure)
	}
	s.mu.Unlock()
	if left {
		s.flights.land(s.to.webhook, one.flight, one.delivery, failure)
		s.landed()
	}
}

// leave ends the round if its workers wait for answers that take long. The deliveries are scheduled for a repetition after the end of their
// attempts, which follows if the outcome is lost.
func (s *sending) leave(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	recent := slices.ContainsFunc(s.underWay, func(one *attempt) bool { return s.now().Sub(one.begun) < answerWait })
	if recent || len(s.underWay) == 0 || len(s.underWay) < s.workers || ctx.Err() != nil {
		return false
	}
	for _, one := range s.underWay {
		one.detach()
		d := &s.deliveries[one.index]
		d.AttemptedAt, d.NextAttemptAt = s.now(), s.now().Add(flightTime).Truncate(time.Microsecond)
		one.flight = &flight{delivery: *d, repeated: d.NextAttemptAt, cancel: one.cancel}
		s.flights.start(s.to.webhook, one.flight)
	}
	s.crowded = true
	return true
}

// add counts an outcome.
func (s *sending) add(d *Delivery, failure error) {
	if failure == nil {
		s.succeeded++
		return
	}
	s.failed++
	s.cause = failure
	s.gone = s.gone || d.StatusCode == http.StatusGone
}

// once makes one attempt and stores its outcome in the delivery.
func (s *sender) once(ctx context.Context, to target, d *Delivery) error {
	begin := s.now()
	status, retryAt, failure := s.post(ctx, to, d)
	d.Attempts++
	d.AttemptedAt, d.Duration, d.StatusCode = begin, max(s.now().Sub(begin), 0), status
	if failure == nil {
		d.State, d.Failure, d.NextAttemptAt, d.Body = DeliveryDelivered, "", time.Time{}, nil
		return nil
	}
	d.Failure = plain(failure)
	if d.Attempts >= mostAttempts {
		d.State, d.NextAttemptAt, d.Body = DeliveryFailed, time.Time{}, nil
		return failure
	}
	d.State, d.NextAttemptAt = DeliveryRetrying, s.now().Add(delays()[d.Attempts-1])
	if retryAt.After(d.NextAttemptAt) {
		d.NextAttemptAt = retryAt
	}
	return failure
}

// post sends one event. Each status 2xx is a success.
func (s *sender) post(ctx context.Context, to target, d *Delivery) (status int, retryAt time.Time, err error) {
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
