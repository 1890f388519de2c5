package assistant

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"equity/actors/consumer"
	"equity/messages"
)

// Budget counts the tokens of language models by organization and account.
type Budget interface {
	// Reserve adds tokens to the use of the month, or returns [messages.ErrBudgetSpent] or [messages.ErrAccountBudgetSpent] beyond a limit.
	Reserve(ctx context.Context, payer messages.ModelPayer, month string, tokens int64, limits messages.ModelLimits) error
	// Settle adds the difference between used and reserved tokens.
	Settle(ctx context.Context, payer messages.ModelPayer, month string, difference int64) error
}

// Metered is a provider within a budget, for all uses of the language model. The tokens of the prompt and of the longest answer are reserved
// before a call. An answer is then counted as the service states it, and at least by its length. A call that ends without a complete answer
// keeps its reservation, because the service charges it, unless the service refused it or could not be reached.
type Metered struct {
	Provider

	budget Budget
	limits messages.ModelLimits
	now    func() time.Time
	log    *slog.Logger
}

// NewMetered returns the provider within the budget.
func NewMetered(provider Provider, budget Budget, limits messages.ModelLimits, now func() time.Time, log *slog.Logger) *Metered {
	return &Metered{provider, budget, limits, now, log}
}

// The bounds of one answer.
const (
	maxText      = 256 << 10
	maxArguments = 256 << 10 // of all calls of tools, in bytes
	maxCalls     = maxToolCalls
	// maxTokens bounds the tokens that a service can state.
	maxTokens = 1 << 32
)

var errTooLong = fmt.Errorf("%w: the answer has more than %d bytes, or more than %d calls of tools", ErrProvider, maxText, maxCalls)

// Complete returns the next message of the model.
func (m *Metered) Complete(ctx context.Context, prompt Prompt, text func(part string)) (Completion, error) {
	month, estimated := monthOf(m.now()), estimate(prompt.size())
	reserved := estimated + int64(prompt.MaxTokens)
	if err := m.budget.Reserve(ctx, prompt.Payer, month, reserved, m.limits); err != nil {
		return Completion{}, messages.Unavailable(ctx, "reserve tokens", err)
	}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	received := 0
	made, err := m.Provider.Complete(limited, prompt, func(part string) {
		if received += len(part); received > maxText {
			cancel(errTooLong)
			return
		}
		if text != nil {
			text(part)
		}
	})
	if errors.Is(context.Cause(limited), errTooLong) {
		return Completion{}, errTooLong
	}
	if err == nil {
		err = made.check()
	}
	used := reserved
	switch {
	case err == nil:
		used = max(made.Tokens, estimated+estimate(made.size()))
	case unserved(err):
		used = 0
	}
	if used != reserved {
		if failed := m.budget.Settle(context.WithoutCancel(ctx), prompt.Payer, month, used-reserved); failed != nil {
			m.log.Warn("the used tokens were not corrected", "organization", prompt.Payer.Organization.String(), "cause", failed)
		}
	}
	return made, err
}

// check refuses an answer beyond the bounds.
func (c *Completion) check() error {
	arguments := 0
	for _, call := range c.Calls {
		arguments += len(call.Name) + len(call.Arguments)
	}
	switch {
	case c.Tokens < 0 || c.Tokens > maxTokens:
		return fmt.Errorf("%w: the service states a use of %d tokens", ErrProvider, c.Tokens)
	case len(c.Text) > maxText, arguments > maxArguments, len(c.Calls) > maxCalls:
		return errTooLong
	}
	return nil
}

// unserved reports whether the service cannot have worked on the call.
func unserved(err error) bool {
	if refused, is := errors.AsType[*ServiceError](err); is {
		return refused.Status != 0
	}
	network, is := errors.AsType[*net.OpError](err)
	return errors.Is(err, consumer.ErrOpen) || is && network.Op == "dial"
}

// estimate returns the number of tokens of a text with a number of bytes. Languages and models differ; most need fewer.
func estimate(size int) int64 {
	const bytesPerToken = 4
	return int64((size + bytesPerToken - 1) / bytesPerToken)
}

// size returns the number of bytes of a prompt.
func (p *Prompt) size() int {
	size := len(p.System)
	for _, one := range p.Messages {
		size += len(one.Text)
		for _, call := range one.Calls {
			size += len(call.Name) + len(call.Arguments)
		}
		for _, result := range one.Results {
			size += len(result.Text)
		}
	}
	for i := range p.Tools {
		size += len(p.Tools[i].Name) + len(p.Tools[i].Title) + len(p.Tools[i].Description) + len(p.Tools[i].InputSchema)
	}
	return size
}

// size returns the number of bytes of an answer.
func (c *Completion) size() int {
	size := len(c.Text)
	for _, call := range c.Calls {
		size += len(call.Name) + len(call.Arguments)
	}
	return size
}

func monthOf(t time.Time) string { return t.UTC().Format("2006-01") }
