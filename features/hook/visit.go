package hook

import (
	"context"

	"equity/features/hook/token"
	"equity/hooks"
	"equity/messages"
	"equity/organization"
)

// counted are the hooks of an organization that the store counted last.
type counted struct{ calls messages.Calls }

// visit passes a hook to the intake. The answer is its receipt.
type visit struct {
	hook   Hook
	intake *Intake
}

// Enter admits the hook and passes it to the intake. The caller is answered when the hook is stored.
func (h visit) Enter(v messages.Visited) {
	source := h.hook.Source()
	if _, valid := token.Of(v.View.State).Get(token.ID(source.Token)); !valid && !source.Token.IsZero() {
		v.Answer(nil, hooks.ErrToken)
		return
	}
	if _, err := messages.Remembered[counted](v.Memory).calls.Admit(h.hook.Kind(), v.Now, h.intake.Windows()); err != nil {
		v.Answer(nil, err)
		return
	}
	h.intake.Accept(h.hook, func(receipt Receipt, err error) {
		if err != nil {
			v.Answer(nil, err)
			return
		}
		v.Later(func(m messages.Memory) { messages.Remembered[counted](m).calls = receipt.Counted })
		if receipt.Refused != nil {
			v.Answer(nil, receipt.Refused)
			return
		}
		v.Answer(receipt, nil)
	})
}

// Visitor visits organizations.
type Visitor interface {
	Visit(ctx context.Context, id organization.ID, v messages.Visit) (answer any, err error)
}

// Pass passes a hook to its organization and returns when it is durable. The error is a [messages.CallLimitError], [hooks.ErrToken] or
// [messages.ErrUnavailable]. After [messages.ErrOutcomeUnknown] the hook may be stored.
func Pass(ctx context.Context, organizations Visitor, intake *Intake, h Hook) (Receipt, error) {
	answer, err := organizations.Visit(ctx, h.Source().Organization, visit{h, intake})
	if err != nil {
		return Receipt{}, err
	}
	receipt, _ := answer.(Receipt)
	return receipt, nil
}
