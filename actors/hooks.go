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
	// Windows returns the limits of the hooks of an organization.
	Windows() []messages.CallWindow
}

// hookArrival asks an organization to accept a hook.
type hookArrival struct{ hook messages.Hook }

// Hook passes a hook to its organization and returns when it is durable. The error is a [messages.CallLimitError],
// [messages.ErrHookToken] or [messages.ErrUnavailable]. After [messages.ErrOutcomeUnknown] the hook may be stored.
func (o *Organizations) Hook(ctx context.Context, hook messages.Hook) (messages.HookReceipt, error) {
	id := hook.Source().Organization
	if err := o.present(ctx, id); err != nil {
		return messages.HookReceipt{}, err
	}
	receipt, err := answerTo[messages.HookReceipt](ctx, o, id, &hookArrival{hook})
	if err != nil {
		return messages.HookReceipt{}, err
	}
	return *receipt, nil
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
	if _, err := o.counted.hooks.Admit(m.hook.Kind(), settings.Now(), settings.Hooks.Windows()); err != nil {
		tell(c, caller, &messages.Reply{Err: err})
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	settings.Hooks.Accept(m.hook, func(receipt messages.HookReceipt, err error) {
		if err != nil {
			root.Send(caller, &messages.Reply{Err: err})
			return
		}
		root.Send(self, &hooksCounted{receipt.Counted})
		if receipt.Refused != nil {
			root.Send(caller, &messages.Reply{Err: receipt.Refused})
			return
		}
		root.Send(caller, &receipt)
	})
}
