package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/persistence"
)

// watch decides whether the store may be written to: its schema must be known to this build, and the clock must be near
// the last moment that a server believed. It is safe for concurrent use.
type watch struct {
	db    *persistence.Database
	now   func() time.Time
	limit time.Duration
	log   *slog.Logger

	mu     sync.Mutex
	known  time.Time // the last believed moment
	schema *persistence.SchemaError
	told   bool // the present doubt is in the log
}

const (
	watchEvery = time.Second
	// storeEvery is the time after which the believed moment is stored again.
	storeEvery = time.Minute
)

// clockLimits are the limits of [watch].
type clockLimits struct {
	skew    time.Duration // between the clock and the last believed moment
	stopped time.Duration // the longest time for which a server may have been stopped
	accept  bool          // the operator confirms the clock
}

// newWatch compares the clock with the stored moment at the start. A clock ahead of it is believed if the server may have
// been stopped for that long, or if the clock of the database agrees.
func newWatch(ctx context.Context, db *persistence.Database, now func() time.Time, limits clockLimits, log *slog.Logger) (*watch, error) {
	w := &watch{db: db, now: now, limit: limits.skew, log: log}
	known, err := db.KnownMoment(ctx)
	if err != nil {
		return nil, err
	}
	witness, err := db.Clock(ctx)
	if err != nil {
		return nil, err
	}
	present := now()
	gap := present.Sub(known)
	confirmed := !witness.IsZero() && present.Sub(witness).Abs() <= limits.skew
	if limits.accept || known.IsZero() || gap >= -limits.skew && (confirmed || gap <= max(limits.skew, limits.stopped)) {
		w.known = present
		return w, db.SetKnownMoment(ctx, present)
	}
	w.known = known
	w.doubt(present)
	return w, nil
}

// Writable returns the refusal of writes; nil permits them.
func (w *watch) Writable() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.schema != nil {
		return captable.Refuse(messages.ErrUnavailable.Code, "This server is older than the store and serves reads only. Nothing was changed. Try again soon.")
	}
	if present := w.now(); present.Sub(w.known).Abs() > w.limit {
		w.doubt(present)
		return messages.ErrClock
	}
	return nil
}

// doubt logs once that the clock is not believed.
func (w *watch) doubt(present time.Time) {
	if !w.told {
		w.log.Error("the clock is far from the last known moment; writes are refused until the clock is set, or confirmed by --accept-clock or CLOCK_STOP_LIMIT",
			"clock", present.UTC(), "known", w.known.UTC(), "limit", w.limit.String())
	}
	w.told = true
}

// Ready returns the reason for which nothing may be written, for /readyz; nil without one.
func (w *watch) Ready(context.Context) error {
	err := w.Writable()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.schema != nil {
		return w.schema
	}
	if err != nil {
		return errors.New("the clock shows " + w.now().UTC().Format(time.RFC3339) + ", the last known moment is " + w.known.UTC().Format(time.RFC3339))
	}
	return nil
}

// Skew returns the seconds by which the clock is ahead of the last believed moment.
func (w *watch) Skew() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now().Sub(w.known).Seconds()
}

// run keeps watching until the context ends.
func (w *watch) run(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	stored := w.now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.compareSchema(ctx)
		if w.Writable() != nil {
			continue
		}
		w.mu.Lock()
		w.known, w.told = w.now(), false
		present := w.known
		w.mu.Unlock()
		if present.Sub(stored).Abs() < storeEvery {
			continue
		}
		stored = present
		if err := w.db.SetKnownMoment(ctx, present); err != nil && ctx.Err() == nil {
			w.log.Warn("the known moment was not stored", "cause", err)
		}
	}
}

// compareSchema notices a newer build that migrates the store.
func (w *watch) compareSchema(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	newer, is := errors.AsType[*persistence.SchemaError](w.db.CheckSchema(ctx))
	w.mu.Lock()
	defer w.mu.Unlock()
	if !is {
		return
	}
	if w.schema == nil {
		w.log.Error("a newer build has migrated the store; this server serves reads only", "cause", newer)
	}
	w.schema = newer
}
