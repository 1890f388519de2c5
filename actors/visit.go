package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

type (
	// visit is a visit of an organization.
	visit struct{ messages.Visit }
	// visitAnswer is the answer to a visit.
	visitAnswer struct{ value any }
	// recollection changes the memory of an organization.
	recollection struct{ change func(messages.Memory) }
)

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*recollection) IgnoreDeadLetterLogging() {}

// Visit passes the visit to the organization and returns its answer. The error is that of the visit, [messages.ErrUnavailable], or
// [messages.ErrOutcomeUnknown] if the answer was not received in time.
func (o *Organizations) Visit(ctx context.Context, id organization.ID, v messages.Visit) (any, error) {
	if err := o.present(ctx, id); err != nil {
		return nil, err
	}
	answer, err := answerTo[visitAnswer](ctx, o, id, &visit{v})
	if err != nil {
		return nil, err
	}
	return answer.value, nil
}

// visit executes a visit.
func (o *organizationActor) visit(c actor.Context, m *visit, caller *actor.PID) {
	if o.published == nil {
		tell(c, caller, &messages.Reply{Err: errNoOrganization()})
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	m.Enter(messages.Visited{
		View: o.published, Now: o.shared.settings.Now(), Memory: o.memory, Log: o.log,
		Answer: func(answer any, err error) {
			if err != nil {
				root.Send(caller, &messages.Reply{Err: err})
				return
			}
			root.Send(caller, &visitAnswer{answer})
		},
		Later: func(change func(messages.Memory)) { root.Send(self, &recollection{change}) },
	})
}
