package organization_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

const grace = 14 * 24 * time.Hour

// terms returns the terms of a subscription to the growth plan.
func terms(status string) organization.SubscriptionTerms {
	return organization.SubscriptionTerms{
		ID: organization.SubscriptionID{7}, Plan: organization.PlanGrowth, Interval: "month", Status: status, Quantity: 3,
		UnitAmount: &captable.Money{Amount: exact.MustDecimal("12.5"), Currency: "USD"},
		Limits:     organization.DefaultLimits(organization.PlanGrowth),
	}
}

// observe records the terms as read from the provider at present.
func (b *bundle) observe(terms organization.SubscriptionTerms) []organization.Event {
	b.Helper()
	command := organization.RecordSubscription{SubscriptionTerms: terms, Grace: grace}
	if known, ok := b.state.Subscription(); ok {
		command.Seen = known.Version
	}
	return b.do(command)
}

func (b *bundle) subscription() *organization.Subscription {
	b.Helper()
	found, ok := b.state.Subscription()
	if !ok {
		b.Fatal("there is no subscription")
	}
	return found
}

func TestSubscription(t *testing.T) {
	t.Parallel()
	for name, prove := range map[string]func(*bundle){
		"an equal observation records nothing": func(b *bundle) {
			equal(b, "events", len(b.observe(terms(organization.SubscriptionActive))), 1)
			equal(b, "events of a repetition", len(b.observe(terms(organization.SubscriptionActive))), 0)
		},
		"each field is a difference": func(b *bundle) {
			b.observe(terms(organization.SubscriptionActive))
			for _, change := range []func(*organization.SubscriptionTerms){
				func(t *organization.SubscriptionTerms) { t.Quantity++ },
				func(t *organization.SubscriptionTerms) { t.Plan = organization.PlanScale },
				func(t *organization.SubscriptionTerms) { t.CancelAtPeriodEnd = true },
				func(t *organization.SubscriptionTerms) { t.CurrentPeriodEnd++ },
				func(t *organization.SubscriptionTerms) {
					t.UnitAmount = &captable.Money{Amount: exact.MustDecimal("13"), Currency: "USD"}
				},
			} {
				next := b.subscription().SubscriptionTerms
				change(&next)
				equal(b, "events", len(b.observe(next)), 1)
			}
		},
		"an observation older than the record is refused": func(b *bundle) {
			b.observe(terms(organization.SubscriptionActive))
			b.refused(organization.RecordSubscription{SubscriptionTerms: terms(organization.SubscriptionUnpaid)}, fault.Stale)
		},
		"the grace begins with the first unpaid day and does not move": func(b *bundle) {
			b.observe(terms(organization.SubscriptionActive))
			b.observe(terms(organization.SubscriptionPastDue))
			first := b.subscription()
			equal(b, "end", first.GraceEndsAt.Time().Sub(first.PastDueSince.Time()), grace)
			b.now = b.now.Add(24 * time.Hour)
			later := terms(organization.SubscriptionPastDue)
			later.Quantity++
			b.observe(later)
			equal(b, "end of the grace", b.subscription().GraceEndsAt, first.GraceEndsAt)
			b.observe(terms(organization.SubscriptionActive))
			equal(b, "end after the payment", b.subscription().GraceEndsAt, 0)
		},
		"a cancelled subscription leaves the plan start": func(b *bundle) {
			equal(b, "plan", b.state.Plan(), organization.PlanStart)
			b.observe(terms(organization.SubscriptionActive))
			equal(b, "plan", b.state.Plan(), organization.PlanGrowth)
			b.observe(terms(organization.SubscriptionCancelled))
			equal(b, "plan", b.state.Plan(), organization.PlanStart)
		},
		"a snapshot keeps the subscription and the payments": func(b *bundle) {
			b.observe(terms(organization.SubscriptionPastDue))
			b.do(payment(1, 1, false))
			restored, err := restore(b.state.Snapshot())
			if err != nil {
				b.Fatal(err)
			}
			equal(b, "snapshot", string(restored.Snapshot()), string(b.state.Snapshot()))
			b.state = restored
			equal(b, "events", len(b.do(payment(1, 1, false))), 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prove(founded(t))
		})
	}
}

func payment(invoice byte, attempt uint64, succeeded bool) organization.RecordPayment {
	return organization.RecordPayment{Payment: organization.Payment{
		Invoice: organization.InvoiceID{invoice}, Amount: captable.Money{Amount: exact.MustDecimal("50"), Currency: "USD"}, Attempt: attempt,
	}, Succeeded: succeeded}
}

func TestPaymentIsRecordedOnceForEachInvoiceAndAttempt(t *testing.T) {
	t.Parallel()
	b := founded(t)
	for i, step := range []struct {
		organization.RecordPayment
		events int
	}{
		{payment(1, 1, false), 1},
		{payment(1, 1, false), 0},
		{payment(2, 1, true), 1},
		{payment(1, 2, false), 1},
		{payment(1, 1, false), 0},
		{payment(1, 3, true), 1},
		{payment(1, 3, true), 0},
		{payment(1, 3, false), 0},
		{payment(2, 1, true), 0},
	} {
		if got := len(b.do(step.RecordPayment)); got != step.events {
			t.Errorf("step %d: %d events instead of %d", i, got, step.events)
		}
	}
}

func TestPaymentNeedsAnInvoiceAndACurrency(t *testing.T) {
	t.Parallel()
	founded(t).refused(organization.RecordPayment{}, fault.Invalid, "/invoice required", "/amount/currency pattern")
}
