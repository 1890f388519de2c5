package organization

import (
	"bytes"
	"encoding/json"
	"time"

	"equity/captable"
	"equity/fault"
)

// SubscriptionID identifies a subscription. It is derived from the id of the provider, which never enters the journal.
type SubscriptionID = captable.ID[Subscription]

// The plans.
const (
	PlanStart  = "start"
	PlanGrowth = "growth"
	PlanScale  = "scale"
	// PlanSelfHosted is the plan of a server without billing. It has no limits.
	PlanSelfHosted = "selfHosted"
)

// The states of a subscription.
const (
	// SubscriptionNone is the state without a subscription.
	SubscriptionNone       = "none"
	SubscriptionIncomplete = "incomplete"
	SubscriptionTrialing   = "trialing"
	SubscriptionActive     = "active"
	SubscriptionPastDue    = "pastDue"
	SubscriptionUnpaid     = "unpaid"
	SubscriptionPaused     = "paused"
	SubscriptionCancelled  = "cancelled"
)

// SubscriptionTerms are the fields of a subscription as the provider has them.
type SubscriptionTerms struct {
	ID       SubscriptionID `json:"id"`
	Plan     string         `json:"plan"`
	Interval string         `json:"interval"` // month or year
	Status   string         `json:"status"`
	// Quantity is the billed number of shareholders.
	Quantity uint64 `json:"quantity"`
	// UnitAmount is nil if the price has several bands.
	UnitAmount         *captable.Money  `json:"unitAmount,omitempty"`
	Amount             *captable.Money  `json:"amount,omitempty"`
	CurrentPeriodStart captable.Instant `json:"currentPeriodStart,omitzero"`
	CurrentPeriodEnd   captable.Instant `json:"currentPeriodEnd,omitzero"`
	TrialEndsAt        captable.Instant `json:"trialEndsAt,omitzero"`
	CancelAtPeriodEnd  bool             `json:"cancelAtPeriodEnd"`
	CancelledAt        captable.Instant `json:"cancelledAt,omitzero"`
	Coupon             string           `json:"coupon,omitempty"`
	// Limits are the limits of the plan.
	Limits PlanLimits `json:"limits"`
}

// Subscription is the last known subscription of an organization. The record is immutable.
type Subscription struct {
	SubscriptionTerms
	// PastDueSince is the time at which the state past due was first seen; zero in other states. Afterwards the limits of the plan
	// remain until GraceEndsAt.
	PastDueSince captable.Instant `json:"pastDueSince,omitzero"`
	GraceEndsAt  captable.Instant `json:"graceEndsAt,omitzero"`
	captable.Meta
}

// RecordSubscription records the subscription as the provider has it, if it differs from the last record.
type RecordSubscription struct {
	SubscriptionTerms
	// Seen is the version of the record before the provider was queried; 0 without a record. The command is refused if the record
	// was changed since, because the terms may be older than the record.
	Seen uint64
	// Grace is the time during which an unpaid subscription keeps the limits of its plan.
	Grace time.Duration
}

// SubscriptionChanged records a changed subscription.
type SubscriptionChanged struct {
	SubscriptionTerms
	PastDueSince captable.Instant `json:"pastDueSince,omitzero"`
	GraceEndsAt  captable.Instant `json:"graceEndsAt,omitzero"`
}

// EventType returns the event's name in the journal.
func (SubscriptionChanged) EventType() string { return "subscriptionChanged" }

// Creates returns nil: a subscription is no record of its own.
func (SubscriptionChanged) Creates() []captable.Created { return nil }

// Records returns the subscription.
func (SubscriptionChanged) Records(s *State) []any {
	if s.subscription == nil {
		return nil
	}
	return []any{s.subscription}
}

func (e SubscriptionChanged) Affects(*State) []Reference { return affected(KindSubscription, e.ID) }

func (e SubscriptionChanged) Apply(s *State, stamp captable.Stamp) {
	next := &Subscription{
		SubscriptionTerms: e.SubscriptionTerms, PastDueSince: e.PastDueSince, GraceEndsAt: e.GraceEndsAt, Meta: captable.NewMeta(stamp),
	}
	if old := s.subscription; old != nil && old.ID == e.ID {
		next.Meta = old.Meta
		next.Touch(stamp)
	}
	s.subscription = next
}

// Occasions returns the activation or the end of a subscription.
func (SubscriptionChanged) Occasions(before, after *State) []Occasion {
	now, _ := after.Subscription()
	was, known := before.Subscription()
	same := known && was.ID == now.ID
	switch {
	case now.Status == SubscriptionCancelled && same && was.Live():
		return []Occasion{{"subscription.cancelled", now}}
	case now.isActive() && (!same || was.Status == SubscriptionIncomplete):
		return []Occasion{{"subscription.created", now}}
	}
	return nil
}

func (s *Subscription) isActive() bool {
	return s.Status == SubscriptionActive || s.Status == SubscriptionTrialing
}

func (c RecordSubscription) Decide(s *State, m DecideContext) ([]Event, error) {
	var known uint64
	if s.subscription != nil {
		known = s.subscription.Version
	}
	if known != c.Seen {
		return nil, fault.StaleRecord()
	}
	next := SubscriptionChanged{SubscriptionTerms: c.SubscriptionTerms}
	old := s.subscription
	switch {
	case c.Status != SubscriptionPastDue:
	case old != nil && old.ID == c.ID && old.Status == SubscriptionPastDue:
		next.PastDueSince, next.GraceEndsAt = old.PastDueSince, old.GraceEndsAt
	default:
		next.PastDueSince, next.GraceEndsAt = captable.InstantOf(m.Now), captable.InstantOf(m.Now.Add(c.Grace))
	}
	if old != nil {
		same, err := equalJSON(next, SubscriptionChanged{old.SubscriptionTerms, old.PastDueSince, old.GraceEndsAt})
		if err != nil || same {
			return nil, err
		}
	}
	return []Event{next}, nil
}

func (RecordSubscription) Result(_ []Event, after *State) (*Subscription, bool) {
	return after.subscription, after.subscription != nil
}

// equalJSON reports whether both values have the same form in the journal.
func equalJSON(a, b any) (bool, error) {
	one, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	other, err := json.Marshal(b)
	return bytes.Equal(one, other), err
}

// Subscription returns the last known subscription, or false without one.
func (s *State) Subscription() (*Subscription, bool) { return s.subscription, s.subscription != nil }

// Live reports whether the subscription can still be paid and changed.
func (s *Subscription) Live() bool { return s.Status != SubscriptionCancelled }

// entitles reports whether the limits of the plan apply at the time. Otherwise the limits of the smallest plan apply.
func (s *Subscription) entitles(now time.Time) bool {
	switch s.Status {
	case SubscriptionActive, SubscriptionTrialing:
		return true
	case SubscriptionPastDue:
		return now.Before(s.GraceEndsAt.Time())
	default:
		return false
	}
}

// Plan returns the name of the plan: start without a live subscription.
func (s *State) Plan() string {
	if s.subscription == nil || !s.subscription.Live() {
		return PlanStart
	}
	return s.subscription.Plan
}

// packSubscription packs the subscription and the payments as JSON.
func (s *State) packSubscription(p *captable.Packer) error {
	packed, err := json.Marshal(billing{s.subscription, s.payments})
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	var read billing
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return err
	}
	s.subscription, s.payments = read.Subscription, read.Payments
	return nil
}

// billing is the packed form of the state of billing.
type billing struct {
	Subscription *Subscription `json:"subscription,omitempty"`
	Payments     []settled     `json:"payments,omitempty"`
}
