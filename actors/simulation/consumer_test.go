package simulation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
	if err := l.serve(ctx, work.Organization); err != nil {
		return consumer.Outcome{Err: err}
	}
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

// serve completes the work that users requested.
func (l *ledger) serve(ctx context.Context, id organization.ID) error {
	if !l.world.plan.Replays {
		return nil
	}
	var requested, served int
	err := l.wait(ctx, reading, "read request "+l.world.label(id), func() error {
		requested, served = l.world.requested[id], l.world.served[id]
		return nil
	})
	if err != nil || requested == served {
		return err
	}
	return l.wait(ctx, serving, fmt.Sprintf("serve request %s %d", l.world.label(id), requested), func() error {
		l.world.served[id] = max(l.world.served[id], requested)
		return nil
	})
}

// replay is an accepted request to repeat the effects of the ledger for the rows of an organization between two sequences.
type replay struct {
	organization organization.ID
	from, to     uint64
	step         int
}

// replay lets a user repeat the effects of past events, or request work without an event. The message to the consumer can be lost.
func (w *world) replay() bool {
	id := w.organizations[w.random.IntN(len(w.organizations))]
	key, head := instance{id, ledgerName}, w.store.head(id)
	if head == 0 || w.healed {
		return false
	}
	if w.random.IntN(2) == 0 {
		w.requested[id]++
		w.note("request %d of work in %s", w.requested[id], w.label(id))
		w.store.request(key, head, head)
	} else {
		from := 1 + w.random.Uint64N(head)
		w.note("replay of %s from %d to %d", w.label(id), from, head)
		w.store.rewind(key, from)
		w.replays = append(w.replays, replay{id, from, head, w.steps})
	}
	to := w.servers[w.random.IntN(len(w.servers))]
	if organizations := to.serving(); organizations != nil && !to.dead.Load() && w.random.IntN(2) == 0 {
		w.note("n%d wakes %s", to.number, w.label(id))
		organizations.Wake(id, ledgerName)
	}
	return true
}

// unrepeated returns the first missing effect of a request of a user, or an empty text.
func (w *world) unrepeated() string {
	for _, id := range w.organizations {
		if w.served[id] != w.requested[id] {
			return fmt.Sprintf("request %d of work in %s was not served", w.requested[id], w.label(id))
		}
	}
	for _, r := range w.replays {
		for _, sequence := range w.wanted(ledgerName, r.organization) {
			repeated := slices.ContainsFunc(w.effects, func(e effect) bool {
				return e.consumer == ledgerName && e.position == position{r.organization, sequence} && e.step >= r.step
			})
			if sequence >= r.from && sequence <= r.to && !repeated {
				return fmt.Sprintf("the effect for event %d of %s was not repeated after step %d", sequence, w.label(r.organization), r.step)
			}
		}
	}
	return ""
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
