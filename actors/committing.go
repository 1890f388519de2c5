package actors

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/messages"
)

// appended wakes the actor after an append. The outcome is in settled.
type appended struct{}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*appended) IgnoreDeadLetterLogging() {}

// dispatch sends the open batch unless an append is in flight.
func (o *organizationActor) dispatch(c actor.Context) {
	if o.flight != nil || o.batch.empty() {
		return
	}
	o.flight, o.batch = o.batch, newBatch(o.id, o.batch)
	o.sent = o.shared.settings.Now()
	o.flight.view = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at, Hash: o.head.hash}
	settled, self, root := o.settled, c.Self(), c.ActorSystem().Root // the context must not be used in another goroutine
	o.shared.journal.Append(o.flight.append, func(err error) {
		settled <- err
		root.Send(self, &appended{})
	})
}

func (o *organizationActor) appended(c actor.Context) {
	select {
	case err := <-o.settled:
		if o.complete(c, err); err != nil {
			o.tainted = true
			panic(restart{err})
		}
		o.dispatch(c)
		if o.snaps.due(o.published, o.shared.settings.SnapshotEvery) {
			o.snaps.take(o.shared, o.published, func() {})
		}
	default: // sent before a restart, which has settled it
	}
}

// complete publishes the durable state, then answers the callers of the batch, so that
// they read their own writes.
func (o *organizationActor) complete(c actor.Context, err error) {
	done := o.flight
	o.flight = nil
	if err == nil {
		o.published = done.view
		o.shared.views.publish(o.id, done.view)
	} else {
		o.shared.views.doubt(o.id, o.sent)
	}
	o.shared.counters.count(done, err)
	done.answer(c, err)
}

// outcome returns the error for callers of a failed append.
func outcome(err error) *captable.Error {
	if errors.Is(err, messages.ErrFenced) || errors.Is(err, messages.ErrNotStored) {
		return messages.ErrUnavailable
	}
	return messages.ErrOutcomeUnknown
}

// settle answers all callers before the actor ends: it waits for the
// append in flight and then sends the open batch, unless the batch is tainted. An
// append that does not return in time has an unknown outcome. If it is stored later,
// the fence prevents conflicting rows.
func (o *organizationActor) settle(c actor.Context) {
	limit := time.NewTimer(o.shared.settings.Patience)
	defer limit.Stop()
	var err error
	if !o.tainted {
		o.dispatch(c)
	}
	for o.flight != nil && err == nil {
		select {
		case err = <-o.settled:
		case <-limit.C:
			err = messages.ErrUnknownOutcome
		}
		if o.complete(c, err); err == nil && !o.tainted {
			o.dispatch(c)
		}
	}
	o.batch.answer(c, messages.ErrNotStored)
	tell(c, o.held, &messages.Reply{Err: errPanicked})
}

// refuseQueued refuses the messages that arrived while loading.
func (o *organizationActor) refuseQueued(c actor.Context, refusal error) {
	for _, e := range o.queued {
		tell(c, e.sender, &messages.Reply{Err: refusal})
	}
	o.queued = nil
}

// requeue keeps the messages that arrived while loading for the restarted actor.
func (o *organizationActor) requeue(c actor.Context) {
	for _, e := range o.queued {
		c.RequestWithCustomSender(c.Self(), e.message, e.sender)
	}
	o.queued = nil
}
