package persistence_test

import (
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestOverdueDeliveryWithoutAnAlarmIsArmed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		consumers, deliveries, now := persistence.NewConsumers(db), persistence.NewDeliveries(db), storetest.Epoch()
		scheduled := func(id organization.ID, event string, at time.Time) {
			t.Helper()
			must(t, deliveries.Record(t.Context(), id, []messages.Delivery{{
				Webhook: "a", EventID: event, Sequence: 1, State: messages.DeliveryRetrying, CreatedAt: now, NextAttemptAt: at,
			}}))
		}
		lost, armed, later := organization.ID{1}, organization.ID{2}, organization.ID{3}
		scheduled(lost, "first", now.Add(-2*time.Minute))
		scheduled(lost, "second", now.Add(-time.Hour))
		scheduled(armed, "first", now.Add(-time.Hour))
		must(t, consumers.Save(t.Context(), armed, "webhook/a", messages.Cursor{State: messages.ConsumerFailed}, &messages.Rest{}))
		scheduled(later, "first", now)
		number, err := deliveries.Rearm(t.Context(), now)
		if err != nil || number != 2 {
			t.Errorf("%d deliveries were overdue: %v", number, err)
		}
		due, err := consumers.Claim(t.Context(), now, time.Minute, 10)
		if err != nil || len(due) != 1 || due[0].Organization != lost || due[0].Consumer != "webhook/a" {
			t.Errorf("%+v %v", due, err)
		}
		if number, err := deliveries.Rearm(t.Context(), now); err != nil || number != 0 {
			t.Errorf("%d deliveries were overdue again: %v", number, err)
		}
	})
}
