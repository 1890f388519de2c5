package simulation_test

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/actors/consumer"
	"equity/actors/mail"
	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// effect is an effect that the outside service accepted.
type effect struct {
	consumer string
	position
	step int
}

// transport sends the mails of a node to the service.
type transport struct{ *node }

// Send makes a call of the service.
func (t transport) Send(ctx context.Context, m messages.Mail) error {
	id := m.ID
	err := t.wait(ctx, serving, fmt.Sprintf("send mail %x", id), func() error {
		t.world.mailed(id)
		return nil
	})
	return err
}

// Bounced counts as the effect of a refused mail.
func (t transport) Bounced(ctx context.Context, m messages.Mail) error {
	id := m.ID
	return t.wait(ctx, writing, fmt.Sprintf("report bounce %x", id), func() error {
		t.world.mailed(id)
		return nil
	})
}

// mailed records the effect of a mail.
func (w *world) mailed(id [16]byte) {
	w.effects = append(w.effects, effect{consumer: mailName, position: w.store.mails[id], step: w.steps})
}

// The names of the consumers.
const (
	mailName   = "mail"
	ledgerName = "ledger"
)

// ledger is a consumer that copies issued shares to the service, in order. It requests the states around each event, and checks them.
type ledger struct{ *node }

// Name returns ledger.
func (*ledger) Name() string { return ledgerName }

// Limits returns the bounds of attempts.
func (*ledger) Limits() consumer.Limits { return consumer.Limits{Chunk: 3, States: true} }

// Wants selects the events that issue shares.
func (*ledger) Wants(_ *organization.State, eventType string, each func(string)) {
	if eventType == (captable.ShareholdingIssued{}).EventType() {
		each("")
	}
}

// Handle copies the next events.
func (l *ledger) Handle(ctx context.Context, work consumer.Work) (out consumer.Outcome) {
	events, err := work.Events(ctx, 3)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	for i := range events {
		e := &events[i]
		if l.world.store.planted == skipsEffects && e.Sequence%5 == 0 {
			out.Done++
			continue
		}
		wrong := statesAround(e)
		err := l.wait(ctx, serving, fmt.Sprintf("copy %s %d", l.world.label(e.Organization), e.Sequence), func() error {
			l.world.effects = append(l.world.effects, effect{ledgerName, position{e.Organization, e.Sequence}, l.world.steps})
			if wrong != "" {
				l.world.violate("a consumer gets the states around its event", "%s %d: %s", l.world.label(e.Organization), e.Sequence, wrong)
			}
			return nil
		})
		if err != nil {
			out.Err = err
			return out
		}
		out.Done++
		out.Succeeded = true
	}
	return out
}

// statesAround returns the difference of the states of the event from the expected ones, or an empty text.
func statesAround(e *consumer.Event) string {
	var issued captable.ShareholdingIssued
	if err := json.Unmarshal(e.Payload, &issued); err != nil {
		return err.Error()
	}
	before, early := e.Before.Table().Shareholding(issued.ID)
	after, there := e.After.Table().Shareholding(issued.ID)
	switch {
	case early:
		return fmt.Sprintf("the earlier state has the shareholding of %s", before.Shares)
	case !there:
		return "the later state has no shareholding"
	case after.Shares.Cmp(issued.Shares) != 0:
		return fmt.Sprintf("the later state has %s shares instead of %s", after.Shares, issued.Shares)
	}
	return ""
}

// refusals are the errors of the mail server that concern one recipient.
func refusals() []error { return []error{mail.ErrRefused, mail.ErrDeferred} }
