package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// load is a running load of an organization.
type load struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when its goroutine is about to end
}

// loaded is the result of a load.
type loaded struct {
	of    *organizationActor
	state *organization.State
	head  head
	keys  *keys
	snap  uint64
	err   error
}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*loaded) IgnoreDeadLetterLogging() {}

func (o *organizationActor) start(c actor.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	o.loading = &load{cancel, make(chan struct{})}
	o.active = o.shared.settings.Now()
	self, root, done := c.Self(), c.ActorSystem().Root, o.loading.done
	from := known{o.published, o.snaps.last, o.keys}
	go func() { // ends with its context, at the latest with the actor
		defer close(done)
		m := &loaded{of: o}
		m.err = contained(func() error { return o.shared.load(ctx, o.id, m, from) })
		root.Send(self, m)
	}()
}

func (o *organizationActor) loaded(c actor.Context, m *loaded) {
	if m.of != o {
		return // sent before a restart
	}
	o.loading.cancel()
	o.loading = nil
	if isUnreadable(m.err) {
		o.suspend(c, m.err)
		return
	}
	if m.err != nil {
		o.shared.views.doubt(o.id, o.active)
		o.refuseQueued(c, messages.ErrUnavailable)
		panic(restart{m.err})
	}
	o.shared.damages.clear(o.id)
	o.state, o.head, o.keys, o.snaps.last = m.state, m.head, m.keys, m.snap
	if o.head.sequence > 0 {
		o.published = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at, Hash: o.head.hash}
		o.children.followed(c, o.published)
		o.shared.views.publish(o.id, o.published)
		o.shared.announce(messages.Published{Organization: o.id, View: o.published})
	}
	if o.tick != nil {
		o.tick.Stop()
	}
	o.scheduleIdleCheck(c)
	o.admit(c)
}

// admit handles the messages that were held back.
func (o *organizationActor) admit(c actor.Context) {
	for len(o.queued) > 0 && !o.bulks.holding && o.loading == nil { // one by one, so that a panic is attributed to its message and the others remain queued
		e := o.queued[0]
		o.queued, o.replyTo = o.queued[1:], e.sender
		o.enter(c, e)
	}
	o.replyTo = nil
}

// requeue keeps the messages that arrived while loading for the restarted actor.
func (o *organizationActor) requeue(c actor.Context) {
	for _, e := range o.queued {
		c.RequestWithCustomSender(c.Self(), e.message, e.sender)
	}
	o.queued = nil
}

// refuseQueued refuses the messages that arrived while loading.
func (o *organizationActor) refuseQueued(c actor.Context, refusal error) {
	for _, e := range o.queued {
		tell(c, e.sender, &messages.Reply{Err: refusal})
	}
	o.queued = nil
}

// end releases the resources of the actor. When the actor stops, its goroutines end
// too, because the caller may close the store next.
func (o *organizationActor) end(stopping bool) {
	if o.loading != nil {
		o.loading.cancel()
	}
	if o.tick != nil {
		o.tick.Stop()
	}
	if stopping {
		o.snaps.abandon()
		o.await(o.snaps.busy)
		if o.loading != nil {
			o.await(o.loading.done)
		}
	}
	// The library may keep a reference to an ended actor, so release its memory.
	o.state, o.keys, o.batch, o.published = nil, nil, newBatch(o.id, nil), nil
	o.children.published = nil
}

// await waits until the channel is closed, at most for the patience of a caller.
func (o *organizationActor) await(done <-chan struct{}) {
	if done == nil {
		return
	}
	limit := time.NewTimer(o.shared.settings.Patience)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
	}
}

// known is what a loading organization knows already: its last view, the sequence of its latest snapshot, and its keys. Each can be missing.
type known struct {
	view *messages.View
	snap uint64
	keys *keys // not used by the actor during the load
}

// load reads an organization from the known view or the latest snapshot, and the journal.
func (s *shared) load(ctx context.Context, id organization.ID, m *loaded, from known) (err error) {
	if from.view != nil {
		m.snap, m.state = from.snap, from.view.State.Copy()
		checks := rowChecks{after: messages.Snapshot{Sequence: from.view.Sequence, Hash: from.view.Hash}}
		if from.keys != nil {
			m.keys, checks.keys = from.keys, from.keys
		}
		m.head, err = s.replay(ctx, id, m.state, checks)
	} else {
		m.state, m.head, m.snap, err = s.stateAt(ctx, id, 0)
	}
	if err != nil || m.keys != nil {
		return err
	}
	m.keys = newKeys()
	now := s.settings.Now()
	return s.journal.Keys(ctx, id, s.keysSince(now, m.head.at), func(key, fingerprint string, sequence uint64) error {
		if sequence <= m.head.sequence { // a later row, stored meanwhile, is not in the state: the fence will lead to another load
			m.keys.add(key, fingerprint, sequence, m.head.at)
		}
		return nil
	})
}

// keysSince returns the time since which idempotency keys are remembered. If the clock is
// ahead of the journal, it uses the journal's time, so that a clock that jumped
// forward does not expire the keys of the last rows.
func (s *shared) keysSince(now, last time.Time) time.Time {
	if last.Before(now) {
		now = last
	}
	return now.Add(-s.settings.RememberKeys)
}

// stateAt returns the organization as of the sequence (0: the latest), the end of the
// journal, and the sequence of the snapshot that was used. Each row
// is checked against its hash and the previous row; the last row is
// checked against the stored head.
func (s *shared) stateAt(ctx context.Context, id organization.ID, upTo uint64) (*organization.State, head, uint64, error) {
	expected := head{}
	if upTo == 0 {
		var err error
		if expected.sequence, expected.hash, err = s.journal.StoredHead(ctx, id); err != nil {
			return nil, head{}, 0, fmt.Errorf("load %s: %w", id, err)
		}
	}
	for atMost := max(upTo, expected.sequence); ; {
		state, snapshot, err := s.restore(ctx, id, atMost)
		if err != nil {
			return nil, head{}, 0, err
		}
		end, err := s.replay(ctx, id, state, rowChecks{after: snapshot, expected: expected, upTo: upTo})
		if errors.Is(err, errSnapshotHash) { // ignore the snapshot and replay the journal
			s.log.Warn("snapshot not used", "organization", id.String(), "sequence", snapshot.Sequence, "cause", err)
			if atMost = snapshot.Sequence - 1; atMost > 0 {
				continue
			}
			state, snapshot = organization.NewState(), messages.Snapshot{}
			end, err = s.replay(ctx, id, state, rowChecks{expected: expected, upTo: upTo})
		}
		if err != nil {
			return nil, head{}, 0, fmt.Errorf("replay %s: %w", id, err)
		}
		return state, end, snapshot.Sequence, nil
	}
}

// replay applies the rows following the snapshot to its state and returns the last row.
func (s *shared) replay(ctx context.Context, id organization.ID, state *organization.State, checks rowChecks) (head, error) {
	r := newReplay(state)
	err := contained(func() error {
		return s.journal.Scan(ctx, id, max(checks.after.Sequence, 1)-1, checks.upTo, func(row messages.Row) error {
			if err := checks.row(&row); err != nil || row.Sequence == checks.after.Sequence {
				return err
			}
			event, err := s.settings.Schema.Decode(row.Type, row.Payload)
			if isUnknown(err) {
				return fmt.Errorf("sequence %d: %w", row.Sequence, err)
			}
			if err != nil {
				return fmt.Errorf("%w: sequence %d: %w", errDamaged, row.Sequence, err)
			}
			r.add(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
			return nil
		})
	})
	if applied := r.finish(); err == nil && applied != nil {
		err = fmt.Errorf("%w: %w", errDamaged, applied)
	}
	if err == nil {
		err = checks.complete()
	}
	return checks.end, err
}

// replayer applies events in its own goroutine, in order, while the next rows
// are read and decoded, so that a long journal is loaded on two cores.
type replayer struct {
	state   *organization.State
	chunk   []past
	chunks  chan []past
	applied chan error
}

// past is an event of the journal with its position.
type past struct {
	event organization.Event
	stamp captable.Stamp
}

// chunkSize makes the cost of passing events small compared with applying them.
const chunkSize = 256

func newReplay(state *organization.State) *replayer {
	r := &replayer{state: state, chunks: make(chan []past, 4), applied: make(chan error, 1)}
	go func() {
		var failed error
		for chunk := range r.chunks { // to the last one, otherwise the sender would block forever
			if failed == nil {
				failed = contained(func() error { return r.apply(chunk) })
			}
		}
		r.applied <- failed
	}()
	return r
}

func (r *replayer) add(event organization.Event, stamp captable.Stamp) {
	if r.chunk == nil {
		r.chunk = make([]past, 0, chunkSize)
	}
	if r.chunk = append(r.chunk, past{event, stamp}); len(r.chunk) == chunkSize {
		r.chunks <- r.chunk
		r.chunk = nil
	}
}

func (r *replayer) apply(chunk []past) error {
	for _, p := range chunk {
		r.state.Apply(p.event, p.stamp)
	}
	return nil
}

// finish waits until all added events are applied. It returns an error if an
// event could not be applied.
func (r *replayer) finish() error {
	r.chunks <- r.chunk
	close(r.chunks)
	return <-r.applied
}

// errDamaged marks an error that a reload cannot repair: the stored rows differ from the
// appended ones.
var errDamaged = errors.New("the journal is damaged")

// errSnapshotHash reports that a snapshot belongs to a different row than the journal's.
var errSnapshotHash = errors.New("the snapshot does not belong to the journal's row")

// rowChecks checks the rows of one journal in the order of reading.
type rowChecks struct {
	// after is the snapshot from which the reading starts. Its own row is read too, as
	// the anchor of the chain.
	after messages.Snapshot
	// expected is the stored head; its sequence is 0 if it is unknown.
	expected head
	// upTo is the last sequence to read; 0 for the end.
	upTo uint64
	// keys remembers the idempotency keys of the rows; nil for no keys.
	keys *keys
	// end is the last checked row.
	end head
}

// row checks that the row is unaltered and follows the previous one.
func (c *rowChecks) row(row *messages.Row) error {
	anchor := row.Sequence == c.after.Sequence
	previous := c.end.hash
	if anchor { // the previous row is not read
		previous = row.PreviousHash
	}
	switch {
	case !anchor && row.Sequence != c.end.sequence+1:
		return fmt.Errorf("%w: sequence %d follows %d", errDamaged, row.Sequence, c.end.sequence)
	case !row.Fits(previous):
		return fmt.Errorf("%w: the hash of sequence %d does not fit", errDamaged, row.Sequence)
	case row.Sequence == c.expected.sequence && row.Hash != c.expected.hash:
		return fmt.Errorf("%w: sequence %d is not the row that was appended", errDamaged, row.Sequence)
	case anchor && c.after.Hash != (messages.Hash{}) && row.Hash != c.after.Hash:
		return errSnapshotHash
	}
	c.end = head{row.Sequence, row.Hash, row.RecordedAt}
	if c.keys != nil && row.IdempotencyKey != "" && !anchor {
		c.keys.add(row.IdempotencyKey, row.Fingerprint, row.Sequence, row.RecordedAt)
	}
	return nil
}

// complete checks that no row is missing at the end.
func (c *rowChecks) complete() error {
	if last := max(c.after.Sequence, c.expected.sequence, c.upTo); c.end.sequence < last {
		return fmt.Errorf("%w: it ends at sequence %d; row %d was appended", errDamaged, c.end.sequence, last)
	}
	return nil
}
