package assistant_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"equity/actors/assistant"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// meter is a provider within a budget on SQLite.
type meter struct {
	*assistant.Metered
	script *script
	budget *persistence.ModelBudget
	payer  messages.ModelPayer
}

func newMeter(tb testing.TB, limit int64, lines ...assistant.Completion) *meter {
	tb.Helper()
	m := &meter{
		script: &script{next: lines}, budget: persistence.NewModelBudget(storetest.Open(tb, storetest.SQLite(tb))),
		payer: messages.ModelPayer{Organization: organization.ID(newID()), User: organization.UserID(newID())},
	}
	now := func() time.Time { return time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC) }
	m.Metered = assistant.NewMetered(m.script, m.budget, messages.ModelLimits{Organization: limit}, now, slog.New(slog.DiscardHandler))
	return m
}

// prompt needs 100 tokens, and reserves 1,000 more.
func (m *meter) prompt() assistant.Prompt {
	return assistant.Prompt{System: strings.Repeat("word", 100), MaxTokens: 1000, Payer: m.payer}
}

// spent returns the used tokens of the organization and of the account.
func (m *meter) spent(tb testing.TB) (int64, int64) {
	tb.Helper()
	of, account, err := m.budget.Spent(tb.Context(), m.payer, "2026-03")
	if err != nil {
		tb.Fatal(err)
	}
	return of, account
}

func TestCallsCountTheirUse(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 50)
	for claim, one := range map[string]struct {
		line assistant.Completion
		err  error
		want int64
		fail bool
	}{
		"as the service states it":                    {line: assistant.Completion{Text: "Hi.", Tokens: 250}, want: 250},
		"beyond the reservation":                      {line: assistant.Completion{Text: "Hi.", Tokens: 5000}, want: 5000},
		"at least by the length":                      {line: assistant.Completion{Text: long, Tokens: 1}, want: 150},
		"negative use is refused, and costs all":      {line: assistant.Completion{Text: "Hi.", Tokens: -900}, want: 1100, fail: true},
		"absurd use is refused":                       {line: assistant.Completion{Text: "Hi.", Tokens: 1 << 60}, want: 1100, fail: true},
		"a cut answer costs its reservation":          {err: fmt.Errorf("%w: the answer ended early", assistant.ErrProvider), want: 1100, fail: true},
		"an error within an answer, too":              {err: assistant.NewServiceError(0, "overloaded_error"), want: 1100, fail: true},
		"a refusal of the service costs nothing":      {err: assistant.NewServiceError(529, "overloaded_error"), fail: true},
		"a service that is not reached costs nothing": {err: &net.OpError{Op: "dial", Err: errors.ErrUnsupported}, fail: true},
		"an answer of 300 KB is refused":              {line: assistant.Completion{Text: strings.Repeat("x", 300<<10)}, want: 1100, fail: true},
		"an answer with 21 calls of tools is refused": {line: assistant.Completion{Calls: make([]assistant.Call, 21)}, want: 1100, fail: true},
		"a call with arguments of 300 KB is also refused": {
			line: assistant.Completion{Calls: []assistant.Call{{Arguments: json.RawMessage(strings.Repeat("1", 300<<10))}}}, want: 1100,
			fail: true,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			m := newMeter(t, 0, one.line)
			m.script.err = one.err
			if _, err := m.Complete(t.Context(), m.prompt(), nil); (err != nil) != one.fail {
				t.Errorf("%v", err)
			}
			if of, account := m.spent(t); of != one.want || account != one.want {
				t.Errorf("the organization used %d, the account %d", of, account)
			}
		})
	}
}

func TestHungUpExchangeCostsItsReservation(t *testing.T) {
	t.Parallel()
	m := newMeter(t, 0, says("Hi."))
	m.script.hang = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.Complete(ctx, m.prompt(), nil)
	if of, _ := m.spent(t); err == nil || of != 0 {
		t.Errorf("a request that ended before the call costs %d: %v", of, err)
	}
	limited, end := context.WithTimeout(t.Context(), time.Millisecond*50)
	defer end()
	_, err = m.Complete(limited, m.prompt(), nil)
	if of, _ := m.spent(t); err == nil || of != 1100 {
		t.Errorf("%d tokens: %v", of, err)
	}
}

func TestPromptBeyondTheBudgetIsNotSent(t *testing.T) {
	t.Parallel()
	m := newMeter(t, 1500, assistant.Completion{Text: "Hi.", Tokens: 450})
	if _, err := m.Complete(t.Context(), m.prompt(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), m.prompt(), nil); !errors.Is(err, messages.ErrBudgetSpent) || len(m.script.prompts) != 1 {
		t.Errorf("%d prompts: %v", len(m.script.prompts), err)
	}
}

func TestDescriptionsAndExchangesNameTheirPayer(t *testing.T) {
	t.Parallel()
	b := setup(t, says("Hi."))
	if _, err := b.ask(t, "Hello."); err != nil {
		t.Fatal(err)
	}
	if got, want := b.script.prompts[0].Payer, (messages.ModelPayer{Organization: b.caller.Organization, User: b.caller.User}); got != want {
		t.Errorf("%+v", got)
	}
	described := &script{next: []assistant.Completion{calls("describeCompany")}}
	if _, err := assistant.NewDescriber(described, strings.NewReader(strings.Repeat("x", 64)), 7).Read(
		t.Context(), messages.ModelPayer{User: b.caller.User}, "Acme.",
	); err != nil {
		t.Fatal(err)
	}
	if got := described.prompts[0]; got.Payer != (messages.ModelPayer{User: b.caller.User}) || got.MaxTokens != 7 {
		t.Errorf("%+v", got.Payer)
	}
}
