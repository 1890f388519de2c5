package billing

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

// Reminder is a reminder of an unpaid invoice.
type Reminder struct {
	// Key identifies the reminder in every repetition.
	Key string
	// Day counts from the day on which the payment was first seen to be past due.
	Day int
	// GraceEndsAt is the time from which the limits of the smallest plan apply.
	GraceEndsAt time.Time
}

// Owners informs the owners of an organization.
type Owners interface {
	// PaymentDue stores a mail to the owners. A repetition stores no second one.
	PaymentDue(ctx context.Context, view *messages.View, reminder Reminder) error
}

// dunningDays are the days of the reminders.
func dunningDays() []int { return []int{0, 3, 7, 13} }

const day = 24 * time.Hour

// remind stores the latest due reminder, and returns the time of the next one; zero without one.
func (r *round) remind(ctx context.Context) (next time.Time, err error) {
	subscription, exists := r.work.View.State.Subscription()
	if !exists || subscription.Status != organization.SubscriptionPastDue {
		return time.Time{}, nil
	}
	since := subscription.PastDueSince.Time()
	due, dueDay := time.Time{}, 0
	for _, days := range dunningDays() {
		at := since.Add(time.Duration(days) * day)
		if at.After(r.now) {
			next = at
			break
		}
		due, dueDay = at, days
	}
	if due.IsZero() || !due.After(r.customer.DunnedAt) {
		return next, nil
	}
	reminder := Reminder{
		Key: "dunning " + r.work.Organization.String() + " " + due.Format(time.RFC3339), Day: dueDay,
		GraceEndsAt: subscription.GraceEndsAt.Time(),
	}
	if err := r.Owners.PaymentDue(ctx, r.work.View, reminder); err != nil {
		return next, err
	}
	return next, r.Store.SetDunned(ctx, r.work.Organization, due)
}
