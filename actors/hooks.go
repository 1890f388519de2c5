package actors

import (
	"context"

	"equity/messages"
)

// HookIntake stores accepted hooks.
type HookIntake interface {
	// Accept stores the hook and calls done with the outcome, possibly from another goroutine. It does not wait.
	Accept(hook messages.Hook, done func(messages.HookReceipt, error))
	// Windows returns the limits of the hooks of an organization.
	Windows() []messages.CallWindow
}

// hookCalls are the hooks of an organization that the store counted last.
type hookCalls struct{ counted messages.Calls }

// hookVisit passes a hook to the intake. The answer is its receipt.
type hookVisit struct {
	hook   messages.Hook
	intake HookIntake
}

// Enter admits the hook and passes it to the intake. The caller is answered when the hook is stored.
func (h hookVisit) Enter(v messages.Visited) {
	source := h.hook.Source()
	if h.intake == nil {
		v.Answer(nil, messages.ErrUnavailable)
		return
	}
	if _, valid := v.View.State.HookToken(source.Token); !valid && !source.Token.IsZero() {
		v.Answer(nil, messages.ErrHookToken)
		return
	}
	if _, err := messages.Remembered[hookCalls](v.Memory).counted.Admit(h.hook.Kind(), v.Now, h.intake.Windows()); err != nil {
		v.Answer(nil, err)
		return
	}
	h.intake.Accept(h.hook, func(receipt messages.HookReceipt, err error) {
		if err != nil {
			v.Answer(nil, err)
			return
		}
		v.Later(func(m messages.Memory) { messages.Remembered[hookCalls](m).counted = receipt.Counted })
		if receipt.Refused != nil {
			v.Answer(nil, receipt.Refused)
			return
		}
		v.Answer(receipt, nil)
	})
}

// Hook passes a hook to its organization and returns when it is durable. The error is a [messages.CallLimitError],
// [messages.ErrHookToken] or [messages.ErrUnavailable]. After [messages.ErrOutcomeUnknown] the hook may be stored.
func (o *Organizations) Hook(ctx context.Context, hook messages.Hook) (messages.HookReceipt, error) {
	answer, err := o.Visit(ctx, hook.Source().Organization, hookVisit{hook, o.shared.settings.Hooks})
	if err != nil {
		return messages.HookReceipt{}, err
	}
	receipt, _ := answer.(messages.HookReceipt)
	return receipt, nil
}
