package webhook

import (
	"equity/actors/consumer"
	"equity/organization"
)

// subscriptionOccasions reports the activation and the end of a subscription.
func subscriptionOccasions(row *consumer.Event) []occasion {
	after, _ := row.After.Subscription()
	before, known := row.Before.Subscription()
	same := known && before.ID == after.ID
	switch {
	case after.Status == organization.SubscriptionCancelled && same && before.Live():
		return []occasion{{eventType: "subscription.cancelled", record: after}}
	case isActive(after) && (!same || before.Status == organization.SubscriptionIncomplete):
		return []occasion{{eventType: "subscription.created", record: after}}
	}
	return nil
}

func isActive(s *organization.Subscription) bool {
	return s.Status == organization.SubscriptionActive || s.Status == organization.SubscriptionTrialing
}
