package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/persistence"
)

// writeGuard decides whether writes are permitted: the database file must be in its place, the schema must be known to this build, and the clock
// must be close to the last trusted time. It is safe for concurrent use.
type writeGuard struct {
	db    *persistence.Database
	now   func() time.Time
	limit time.Duration
	log   *slog.Logger

	mu     sync.Mutex
	known  time.Time // the last trusted time
	schema *persistence.SchemaError
	logged bool // the current deviation has been logged
	lost   bool // the exchange of the database file has been logged
}

const (
	guardInterval = time.Second
	// storeEvery is the interval at which the trusted time is stored.
	storeEvery = time.Minute
)

// clockLimits are the limits of [writeGuard].
type clockLimits struct {
	skew    time.Duration // between the clock and the last trusted time
	stopped time.Duration // the longest time for which a server may have been stopped
	accept  bool          // the operator confirms the clock
}

// newWriteGuard compares the clock with the stored moment at the start. A clock ahead of it is trusted if the server may have
// been stopped for that long, or if the clock of the database agrees.
func newWriteGuard(
	ctx context.Context, db *persistence.Database, now func() time.Time, limits clockLimits, log *slog.Logger,
) (*writeGuard, error) {
	w := &writeGuard{db: db, now: now, limit: limits.skew, log: log}
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

// Writable returns the refusal of writes, or nil if writes are permitted.
func (w *writeGuard) Writable() error {
	if w.db.InPlace() != nil {
		return fault.Refuse(
			messages.ErrUnavailable.Code,
			"The database file of this server was moved or replaced. Nothing was changed. Inform the operator.",
		)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.schema != nil {
		return fault.Refuse(
			messages.ErrUnavailable.Code,
			"This server is older than the schema of the store and serves reads only. Nothing was changed. Try again soon.",
		)
	}
	if present := w.now(); present.Sub(w.known).Abs() > w.limit {
		w.doubt(present)
		return messages.ErrClock
	}
	return nil
}

// doubt logs once that the clock is not trusted.
func (w *writeGuard) doubt(present time.Time) {
	if !w.logged {
		w.log.Error("the clock differs too much from the last known time; writes are refused until the clock is set, or confirmed by --accept-clock or CLOCK_STOP_LIMIT",
			"clock", present.UTC(), "known", w.known.UTC(), "limit", w.limit.String())
	}
	w.logged = true
}

// Ready returns the reason for refusing writes, for /readyz, or nil.
func (w *writeGuard) Ready(context.Context) error {
	if err := w.db.InPlace(); err != nil {
		return err
	}
	err := w.Writable()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.schema != nil {
		return w.schema
	}
	if err != nil {
		return errors.New(
			"the clock shows " + w.now().UTC().Format(time.RFC3339) + ", the last known time is " + w.known.UTC().Format(time.RFC3339),
		)
	}
	return nil
}

// Skew returns the difference between the clock and the last trusted time in seconds; positive if the clock is ahead.
func (w *writeGuard) Skew() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now().Sub(w.known).Seconds()
}

// run checks file, clock and schema until the context ends.
func (w *writeGuard) run(ctx context.Context) {
	ticker := time.NewTicker(guardInterval)
	defer ticker.Stop()
	stored := w.now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.compareFile()
		w.compareSchema(ctx)
		if w.Writable() != nil {
			continue
		}
		w.mu.Lock()
		w.known, w.logged = w.now(), false
		present := w.known
		w.mu.Unlock()
		if present.Sub(stored).Abs() < storeEvery {
			continue
		}
		stored = present
		if err := w.db.SetKnownMoment(ctx, present); err != nil && ctx.Err() == nil {
			w.log.Warn("the last known time was not stored", "cause", err)
		}
	}
}

// compareFile logs once that the database file was exchanged, and that it is in its place again.
func (w *writeGuard) compareFile() {
	err := w.db.InPlace()
	switch {
	case err != nil && !w.lost:
		w.log.Error("writes are refused", "cause", err)
	case err == nil && w.lost:
		w.log.Info("the database file is in its place again")
	}
	w.lost = err != nil
}

// compareSchema detects that a newer build has migrated the store.
func (w *writeGuard) compareSchema(ctx context.Context) {
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
