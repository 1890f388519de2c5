package actors

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// Several servers may serve an organization from one database. The unique key of the journal orders their writes. Everything else follows from
// two rules: an answer from memory is compared with the end of the journal, at a time after the request has arrived; and a server whose append
// collides with that of another one takes over the rows of the other, and decides again.

const (
	// decideWithin bounds the time in which a command is decided again whose appends collide with those of other servers.
	decideWithin = 5 * time.Second
	// collisionPause is the longest pause before the second decision. It grows with each collision, up to longestPause.
	collisionPause = 4 * time.Millisecond
	longestPause   = 60 * time.Millisecond
	// mostLoads bounds the attempts to read rows that others have appended while own appends collide.
	mostLoads = 20
)

// errCollided reports that another server has appended rows in the meantime. Nothing was stored.
var errCollided = messages.RefuseUnavailable("The organization")

// Do executes a command and returns when its events are durable, or with the
// reply's error: a [fault.Error] of the domain, [messages.ErrOutcomeUnknown] or
// [messages.ErrUnavailable].
func (o *Organizations) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	if !o.shared.settings.Shared {
		reply, err := o.do(ctx, command)
		return reply, publicError(err)
	}
	var present uint64 // an end of the journal since the call
	begin := o.shared.settings.Now()
	for decision := 1; ; decision++ {
		reply, err := o.do(ctx, command)
		switch {
		case errors.Is(err, errCollided) && o.shared.settings.Now().Sub(begin).Abs() < decideWithin && ctx.Err() == nil:
			rest(ctx, o.shared.settings.jitter(min(time.Duration(decision)*collisionPause, longestPause)))
			continue
		case err == nil && reply.Replayed && !command.DryRun:
			return o.confirmed(ctx, command.Organization, reply)
		case !decidedInMemory(&command, &reply, err):
			return reply, publicError(err)
		}
		if present == 0 {
			var failed error
			if present, failed = o.heads.read(ctx, command.Organization); failed != nil {
				return messages.Reply{}, o.headUnavailable(command.Organization, failed)
			}
		}
		if reply.AsOf >= present {
			return reply, err
		}
		if _, err := o.viewOf(ctx, command.Organization, present); err != nil {
			return messages.Reply{}, publicError(err)
		}
	}
}

// confirmed returns the answer of an earlier attempt when its rows are durable. They may be those of a server whose append was interrupted.
func (o *Organizations) confirmed(ctx context.Context, id organization.ID, reply messages.Reply) (messages.Reply, error) {
	if err := o.shared.journal.Confirm(ctx); err != nil {
		o.shared.log.Warn("a repeated change was not confirmed", "organization", id.String(), "cause", err)
		return messages.Reply{}, messages.ErrOutcomeUnknown
	}
	return reply, nil
}

// decidedInMemory reports whether the answer follows from the state in memory alone: a refusal, or an answer without a new event.
func decidedInMemory(command *messages.Command, reply *messages.Reply, err error) bool {
	switch {
	case errors.Is(err, errCollided), errors.Is(err, messages.ErrUnavailable), errors.Is(err, messages.ErrOutcomeUnknown),
		messages.IsUnreadable(err), errors.Is(err, errPanicked):
		return false
	case err != nil:
		return true
	default:
		return command.DryRun || len(reply.Events) == 0 && reply.Counts == nil
	}
}

// publicError returns the error for a caller of this package.
func publicError(err error) error {
	if errors.Is(err, errCollided) {
		return messages.ErrUnavailable
	}
	return err
}

// rest waits until the time has passed or the context has ended.
func rest(ctx context.Context, length time.Duration) {
	pause := time.NewTimer(length)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
}

// View returns the organization with all events that were durable at the call. While the journal is
// unavailable, a server without a cluster returns the last known view, with StaleSince set, for at most
// StaleReads.
func (o *Organizations) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	if !o.shared.settings.Shared {
		view, err := o.view(ctx, id)
		return view, publicError(err)
	}
	last, err := o.heads.read(ctx, id)
	switch {
	case err != nil:
		return nil, o.headUnavailable(id, err)
	case last == 0:
		return nil, o.neverExisted(ctx, id)
	}
	view, err := o.viewOf(ctx, id, last)
	return view, publicError(err)
}

func (o *Organizations) headUnavailable(id organization.ID, cause error) error {
	o.shared.log.Warn("head of journal not read", "organization", id.String(), "cause", cause)
	return messages.ErrUnavailable
}

// present returns nil when this server has the rows of the organization that were durable at the call. Messages to the actor that change
// nothing in the journal are decided on these rows at least.
func (o *Organizations) present(ctx context.Context, id organization.ID) error {
	if !o.shared.settings.Shared {
		return o.exists(ctx, id)
	}
	_, err := o.View(ctx, id)
	return err
}

// Follow takes over the rows that other servers have appended to the organizations after the given sequences, and returns the sequences that
// it has reached. The receiver of published rows is informed.
func (o *Organizations) Follow(ctx context.Context, known map[organization.ID]uint64) map[organization.ID]uint64 {
	ids := make([]organization.ID, 0, len(known))
	for id := range known {
		ids = append(ids, id)
	}
	last, err := o.heads.readAll(ctx, ids...)
	if err != nil {
		return nil
	}
	reached := map[organization.ID]uint64{}
	for id, sequence := range known {
		if last[id] <= sequence {
			continue
		}
		if view, err := o.viewOf(messages.InBackground(ctx), id, last[id]); err == nil {
			reached[id] = view.Sequence
		}
	}
	return reached
}

// viewOf returns a view that contains the sequence.
func (o *Organizations) viewOf(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	for attempt := 1; ; attempt++ {
		if view := o.shared.views.get(
			ctx, id, o.shared.settings.Now(),
		); view != nil && view.StaleSince.IsZero() && view.Sequence >= sequence {
			return view, nil
		}
		view, err := answerTo[messages.View](ctx, o, id, &catchUp{sequence: sequence})
		if !errors.Is(err, errCollided) || attempt >= mostLoads {
			return view, nothingChanged(err)
		}
	}
}

// catchUp requests a view that contains the sequence, which another server may have appended. The answer is a *messages.View, or a
// *messages.Reply with an error.
type catchUp struct {
	sequence uint64
	loaded   bool // a load has begun since the request
}

// errRowsMissing restarts an organization whose journal lacks an appended row. The complete load reports the damage.
var errRowsMissing = errors.New("the journal lacks a row that was appended")

// handle answers with the view, after the append in flight or a load if it lacks the sequence.
func (m *catchUp) handle(o *organizationActor, c actor.Context, e envelope) {
	switch {
	case o.published != nil && o.published.Sequence >= m.sequence:
		tell(c, e.sender, o.published)
	case o.inFlight != nil: // it contains the rows, or collides with them, like the batch behind it
		o.inFlight.behind = append(o.inFlight.behind, e)
	case m.loaded:
		tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
		o.replyTo = nil
		panic(restart{errRowsMissing})
	default:
		m.loaded = true
		o.queued = append(o.queued, e)
		o.follow(c)
	}
}

// follow loads the rows after the published view. Bulks are decided again.
func (o *organizationActor) follow(c actor.Context) {
	o.refuseBulks(c, errCollided)
	o.start(c)
}

// collided takes over the rows of the server whose append was first. The callers of the discarded batches decide again.
func (o *organizationActor) collided(c actor.Context) {
	o.shared.counters.reloads.Add(1)
	o.batch.answer(c, messages.ErrFenced)
	o.batch, o.keys = newBatch(o.id, nil), nil // the keys of discarded rows are not used
	o.children.collided()
	o.follow(c)
}
