package consumer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// progress is the state of an instance between two rounds.
type progress struct {
	loaded bool
	cursor messages.Cursor
	alarm  messages.Alarm
	// next is the time of scheduled work; zero without any.
	next time.Time
	// ended reports that the instance no longer exists.
	ended bool
	// shadow is the organization as of shadowAt, to apply further events to; nil if it is not needed.
	shadow   *organization.State
	shadowAt uint64
}

// verdict is the consequence of a round.
type verdict int

const (
	verdictMore    verdict = iota // another round follows at once
	verdictIdle                   // no wanted event is pending
	verdictBlocked                // the instance waits for its alarm
	verdictEnded                  // the instance no longer exists
)

type result struct {
	progress progress
	verdict  verdict
}

// served is an instance with its progress, which its actor passes to each round.
type served struct {
	set      *Set
	consumer Consumer
	place    Place
	name     string
	instance string
	log      *slog.Logger
	progress progress
	hand     []*Published // contiguous batches that are not handled yet
}

// round is one step of an instance, outside its actor: it reads the next events, lets the consumer handle them and stores
// the cursor.
type round struct {
	served

	fetched bool // the consumer asked for events
	events  []Event
	last    uint64 // the last row that was examined
	full    bool   // further events may follow
}

// run executes the round. Failures of the store leave the alarm to the clock.
func (r *round) run(ctx context.Context) result {
	var verdict verdict
	err := contained(func() (err error) {
		verdict, err = r.step(ctx)
		return err
	})
	switch {
	case errors.Is(err, messages.ErrCursorMoved):
		return result{progress{}, verdictMore}
	case err != nil:
		if ctx.Err() == nil {
			r.log.Warn("consumer not served by the store", "cause", err)
		}
		return result{progress{}, verdictBlocked}
	}
	return result{r.progress, verdict}
}

func (r *round) step(ctx context.Context) (verdict, error) {
	now := r.set.now()
	if err := r.load(ctx); err != nil {
		return 0, err
	}
	r.progress.ended = false
	cursor := &r.progress.cursor
	switch {
	case cursor.State == messages.ConsumerFailed:
		return verdictBlocked, r.rest(ctx, time.Time{})
	case cursor.NextAttemptAt.After(now) && !r.consumer.Limits().OwnPace:
		return verdictBlocked, r.rest(ctx, cursor.NextAttemptAt)
	}
	out := r.handle(ctx)
	if errors.Is(ctx.Err(), context.Canceled) { // stopped, which is no failure of the service
		if out.Err, out.Failure = nil, nil; out.Done == 0 && !out.Succeeded {
			return verdictBlocked, nil
		}
	} else if out.Err == nil && out.Done == 0 && len(r.events) > 0 && out.Later.IsZero() {
		out.Err = errNoProgress
	}
	ctx = context.WithoutCancel(ctx) // complete effects must be recorded even while stopping
	r.set.stats[r.consumer.Name()].count(r.events, out, r.set.now())
	if out.Ended {
		r.progress.ended = true
		return verdictEnded, nil
	}
	return r.settle(ctx, out)
}

// load reads the cursor and the alarm, unless they are known.
func (r *round) load(ctx context.Context) (err error) {
	p := &r.progress
	if !p.loaded {
		*p = progress{loaded: true, shadow: p.shadow, shadowAt: p.shadowAt}
		if p.cursor, p.alarm, err = r.set.store.Load(ctx, r.place.Organization, r.name); err != nil {
			return err
		}
	}
	if restarting, ok := r.consumer.(Restarting); ok {
		if since := restarting.Since(r.place.View.State, r.instance); since > p.cursor.Epoch {
			p.cursor.Epoch, p.cursor.Sequence = since, max(p.cursor.Sequence, since)
			p.cursor.State, p.cursor.Failures, p.cursor.FailingSince = messages.ConsumerOK, 0, time.Time{}
			p.cursor.NextAttemptAt, p.shadow = time.Time{}, nil
		}
	}
	return nil
}

// handle calls the consumer. A panic counts as a failure of the event.
func (r *round) handle(ctx context.Context) (out Outcome) {
	work := Work{
		Organization: r.place.Organization, Instance: r.instance, View: r.place.View, Cursor: r.progress.cursor, Schema: r.set.schema,
		fetch: r.fetch,
	}
	err := contained(func() error {
		out = r.consumer.Handle(ctx, work)
		return nil
	})
	if err != nil {
		r.log.Error("consumer failed", "cause", err)
		out = Outcome{Err: errPanicked}
	}
	return out
}

var errNoProgress = errors.New("no effect was completed in time")

var errPanicked = errors.New("internal error of the server; see its log")

// settle stores the outcome and returns the consequence.
func (r *round) settle(ctx context.Context, out Outcome) (verdict, error) {
	now, before := r.set.now(), r.progress.cursor
	r.advance(out)
	cursor := &r.progress.cursor
	postponement, isPostponed := errors.AsType[postponed](out.Err)
	if out.Succeeded {
		cursor.Failures, cursor.FailingSince, cursor.LastSuccessAt = 0, time.Time{}, now
	}
	if out.Failure != nil {
		r.count(out.Failure, now)
	}
	paused := out.Err == nil && !r.fetched && !out.Succeeded && before.NextAttemptAt.After(now)
	cursor.NextAttemptAt = time.Time{}
	switch {
	case paused: // the consumer did not try
		cursor.NextAttemptAt = before.NextAttemptAt
	case out.Err == nil:
		r.show(out, before)
	case isPostponed && postponement.uncount:
		cursor.State, cursor.LastError, cursor.NextAttemptAt = messages.ConsumerRetrying, plain(out.Err), postponement.until
	default:
		r.fail(out.Err, now)
	}
	r.progress.next = out.Next
	idle := out.Err == nil && !r.full && out.Done == len(r.events)
	switch {
	case cursor.State == messages.ConsumerFailed:
		return verdictBlocked, r.save(ctx, &messages.Rest{})
	case out.Err == nil && !out.Later.IsZero():
		return verdictBlocked, r.save(ctx, &messages.Rest{DueAt: out.Later})
	case paused, out.Err != nil:
		due := cursor.NextAttemptAt
		if !out.Next.IsZero() && out.Next.Before(due) {
			due = out.Next
		}
		return verdictBlocked, r.save(ctx, &messages.Rest{DueAt: due})
	case idle && !out.Next.IsZero():
		return verdictIdle, r.save(ctx, &messages.Rest{DueAt: out.Next})
	}
	verdict := verdictMore
	if idle {
		verdict = verdictIdle
	}
	renew := r.renewal(now)
	if stored := *cursor; renew == nil && out.Done == 0 && !out.Succeeded && out.Failure == nil && stored.State == before.State && stored.Epoch == before.Epoch {
		return verdict, nil // only unwanted rows
	}
	return verdict, r.save(ctx, renew)
}

// show changes the visible state after a call without an error.
func (r *round) show(out Outcome, before messages.Cursor) {
	cursor := &r.progress.cursor
	if cursor.State, cursor.LastError = r.stateAfter(out, before), ""; cursor.State == messages.ConsumerOK {
		return
	}
	cursor.LastError, cursor.NextAttemptAt = before.LastError, before.NextAttemptAt
	if out.Failure != nil {
		cursor.LastError, cursor.NextAttemptAt = plain(out.Failure), out.Next
	}
}

// stateAfter returns the state after a call without a failure. A failing consumer that made no attempt keeps its state.
func (r *round) stateAfter(out Outcome, before messages.Cursor) string {
	switch {
	case out.Succeeded || out.Next.IsZero():
		return messages.ConsumerOK
	case out.Failure != nil:
		return messages.ConsumerRetrying
	default:
		return cmp.Or(before.State, messages.ConsumerOK)
	}
}

// advance moves the cursor behind the complete effects.
func (r *round) advance(out Outcome) {
	cursor := &r.progress.cursor
	if !r.fetched {
		return
	}
	to := r.last
	if out.Done < len(r.events) {
		to = r.events[out.Done].Sequence - 1
		r.progress.shadow, r.progress.shadowAt = r.events[out.Done].Before, to
	}
	cursor.Sequence = max(cursor.Sequence, to)
}

// fail schedules the next attempt, or stops the instance.
func (r *round) fail(cause error, now time.Time) {
	cursor, limits := &r.progress.cursor, r.consumer.Limits()
	cursor.LastError = plain(cause)
	r.count(cause, now)
	switch {
	case isPermanent(cause),
		limits.Attempts > 0 && cursor.Failures >= limits.Attempts,
		limits.Patience > 0 && now.Sub(cursor.FailingSince) >= limits.Patience:
		cursor.State = messages.ConsumerFailed
		r.log.Error("consumer stopped: retry or skip the event", "event", cursor.Sequence+1, "cause", cause)
		return
	}
	cursor.State, cursor.NextAttemptAt = messages.ConsumerRetrying, now.Add(delay(cursor.Failures, r.set.jitter))
	if postponement, is := errors.AsType[postponed](cause); is && postponement.until.After(cursor.NextAttemptAt) {
		cursor.NextAttemptAt = postponement.until
	}
}

// count counts a failure.
func (r *round) count(cause error, now time.Time) {
	cursor := &r.progress.cursor
	if cursor.Failures++; cursor.FailingSince.IsZero() {
		cursor.FailingSince = now
	}
	r.log.Warn("attempt of a consumer failed", "event", cursor.Sequence+1, "failures", cursor.Failures, "cause", cause)
}

// plain returns the first line of an error, for the visible state.
func plain(err error) string {
	const most = 300
	text, _, _ := strings.Cut(err.Error(), "\n")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// renewal extends the lease of the alarm when half of it has passed.
func (r *round) renewal(now time.Time) *messages.Rest {
	alarm := r.progress.alarm
	if alarm.DueAt.IsZero() || alarm.LeasedUntil.Sub(now) > messages.WakeLease/2 {
		return nil
	}
	return &messages.Rest{DueAt: now, LeasedUntil: now.Add(messages.WakeLease)}
}

// rest sets the alarm, unless it is set already.
func (r *round) rest(ctx context.Context, due time.Time) error {
	alarm := r.progress.alarm
	if alarm.LeasedUntil.IsZero() && alarm.DueAt.Equal(due) {
		return nil
	}
	return r.save(ctx, &messages.Rest{DueAt: due})
}

func (r *round) save(ctx context.Context, rest *messages.Rest) error {
	p := &r.progress
	if p.cursor.State == "" {
		p.cursor.State = messages.ConsumerOK
	}
	if rest != nil {
		rest.Generation = p.alarm.Generation
	}
	if err := r.set.store.Save(ctx, r.place.Organization, r.name, p.cursor, rest); err != nil {
		return err
	}
	p.cursor.Version++
	if rest != nil {
		p.alarm.DueAt, p.alarm.LeasedUntil = rest.DueAt, rest.LeasedUntil
	}
	return nil
}

// cutPrefix returns the instance of the name of a consumer.
func cutPrefix(name, consumer string) (string, bool) { return strings.CutPrefix(name, consumer+"/") }
