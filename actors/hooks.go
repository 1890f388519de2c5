package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
)

// HookIntake stores accepted hooks.
type HookIntake interface {
	// Accept stores the hook and calls done with the outcome, possibly from another goroutine. It does not wait.
	Accept(hook messages.Hook, done func(messages.HookReceipt, error))
}

type (
	// hookArrival asks an organization to accept a hook.
	hookArrival struct{ hook messages.Hook }
	// hookRepeated reports that an accepted run repeated an earlier one, and does not count.
	hookRepeated struct{}
)

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*hookRepeated) IgnoreDeadLetterLogging() {}

// Hook passes a hook to its organization and returns when it is durable. The error is a [messages.HookLimitError],
// [messages.ErrHookToken] or [messages.ErrUnavailable]. After [messages.ErrOutcomeUnknown] the hook may be stored.
func (o *Organizations) Hook(ctx context.Context, hook messages.Hook) (messages.HookReceipt, error) {
	id := hook.Source().Organization
	if err := o.present(ctx, id); err != nil {
		return messages.HookReceipt{}, err
	}
	answer, err := o.ask(ctx, id, &hookArrival{hook}, o.shared.settings.Patience)
	if err != nil {
		return messages.HookReceipt{}, err
	}
	if receipt, ok := answer.(*messages.HookReceipt); ok {
		return *receipt, nil
	}
	return messages.HookReceipt{}, messages.ErrUnavailable
}

// hook admits a hook and passes it to the intake. The caller is answered when the hook is stored.
func (o *organizationActor) hook(c actor.Context, m *hookArrival, caller *actor.PID) {
	settings := &o.shared.settings
	source := m.hook.Source()
	if o.published == nil {
		tell(c, caller, &messages.Reply{Err: errNoOrganization()})
		return
	}
	if settings.Hooks == nil {
		tell(c, caller, &messages.Reply{Err: messages.ErrUnavailable})
		return
	}
	if _, valid := o.published.State.HookToken(source.Token); !valid && !source.Token.IsZero() {
		tell(c, caller, &messages.Reply{Err: messages.ErrHookToken})
		return
	}
	runs := m.hook.Agent != nil
	if err := o.hooks.Admit(settings.HookLimits, settings.Now(), runs); err != nil {
		tell(c, caller, &messages.Reply{Err: err})
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	settings.Hooks.Accept(m.hook, func(receipt messages.HookReceipt, err error) {
		if err != nil {
			root.Send(caller, &messages.Reply{Err: err})
			return
		}
		if runs && receipt.Repeated {
			root.Send(self, &hookRepeated{})
		}
		root.Send(caller, &receipt)
	})
}
