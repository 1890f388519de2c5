package billing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Owners informs the owners of an organization.
type Owners interface {
	// Inform stores a mail to each owner with an account. A repetition with the same key stores no second one.
	Inform(ctx context.Context, view *messages.View, key, subject, text string) error
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
	name := strings.Join(strings.Fields(r.work.View.State.Profile().Name), " ") // in one line
	key := "dunning " + r.work.Organization.String() + " " + due.Format(time.RFC3339)
	err = r.Owners.Inform(ctx, r.work.View, key, "A payment for "+name+" failed", reminder(name, dueDay, subscription.GraceEndsAt.Time()))
	if err != nil {
		return next, err
	}
	return next, r.Store.SetDunned(ctx, r.work.Organization, due)
}

// reminder returns the text of the reminder on the given day after the payment was first seen to be past due.
func reminder(name string, dueDay int, graceEndsAt time.Time) string {
	return fmt.Sprintf(
		"The invoice for the subscription of %s is unpaid since %d days.\n\n"+
			"Update the payment method in the billing settings. Until %s, nothing changes. Afterwards, no further shareholders and members "+
			"can be added beyond the limits of the plan START. All records stay readable and can be exported at any time.\n",
		name, dueDay, graceEndsAt.UTC().Format("2 January 2006"),
	)
}
