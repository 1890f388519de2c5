package actors

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/messages"
)

// appended wakes the actor when its append may have settled; settled tells.
type appended struct{}

// IgnoreDeadLetterLogging says that it is no news when the actor was gone by then.
func (*appended) IgnoreDeadLetterLogging() {}

// dispatch sends the batch on its way when none is.
func (o *organizationActor) dispatch(c actor.Context) {
	if o.flight != nil || o.batch.empty() {
		return
	}
	o.flight, o.batch = o.batch, newBatch(o.id, o.batch)
	o.sent = o.shared.settings.Now()
	o.flight.view = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at, Hash: o.head.hash}
	settled, self, root := o.settled, c.Self(), c.ActorSystem().Root // the context itself must not leave
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
	default: // of the actor before a restart, which settled it
	}
}

// complete publishes what is durable, then answers the batch's callers, so that
// everyone reads their own writes.
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

// outcome is what a caller is told of an append that failed.
func outcome(err error) *captable.Error {
	if errors.Is(err, messages.ErrFenced) || errors.Is(err, messages.ErrNotStored) {
		return messages.ErrUnavailable
	}
	return messages.ErrOutcomeUnknown
}

// settle leaves nobody in a batch unanswered before the actor ends: it waits for the
// append in flight, and sends what was gathered behind it unless that is tainted. An
// append that does not return is given up, its outcome unknown: should it arrive later,
// the fence keeps it from doing harm.
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

// refuseQueued answers the callers that arrived while loading.
func (o *organizationActor) refuseQueued(c actor.Context, refusal error) {
	for _, e := range o.queued {
		tell(c, e.sender, &messages.Reply{Err: refusal})
	}
	o.queued = nil
}

// requeue leaves those who came while loading to the actor after the restart.
func (o *organizationActor) requeue(c actor.Context) {
	for _, e := range o.queued {
		c.RequestWithCustomSender(c.Self(), e.message, e.sender)
	}
	o.queued = nil
}
