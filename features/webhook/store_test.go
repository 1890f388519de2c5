package webhook_test

import (
	"testing"
	"time"

	"equity/app"
	"equity/features/webhook"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOverdueDeliveryWithoutAnAlarmIsArmed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		consumers, deliveries, now := persistence.NewConsumers(db), webhook.NewStore(db), storetest.Epoch()
		scheduled := func(id organization.ID, event string, at time.Time) {
			t.Helper()
			must(t, deliveries.Record(t.Context(), id, []webhook.Delivery{{
				Webhook: "a", EventID: event, Sequence: 1, State: webhook.DeliveryRetrying, CreatedAt: now, NextAttemptAt: at,
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

func TestRetryMakesDeliveriesDue(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		feature, err := webhook.Room().New(app.Core{Database: db})
		must(t, err)
		deliveries, id, now := webhook.NewStore(db), organization.ID{1}, storetest.Epoch()
		for _, name := range []string{"a", "b"} {
			must(t, deliveries.Record(t.Context(), id, []webhook.Delivery{{
				Webhook: name, EventID: "first", Sequence: 1, State: webhook.DeliveryRetrying, CreatedAt: now, NextAttemptAt: now.Add(time.Hour),
			}}))
		}
		consumers := persistence.NewConsumers(db).Retrying(feature.Instances.Consumer, feature.Retry)
		must(t, consumers.Save(t.Context(), id, "webhook/a", messages.Cursor{State: messages.ConsumerRetrying}, &messages.Rest{}))
		must(t, consumers.Retry(t.Context(), id, "webhook/a", now))
		for name, want := range map[string]time.Time{"a": now, "b": now.Add(time.Hour)} {
			found, _, err := deliveries.Find(t.Context(), id, name, "first")
			if err != nil || !found.NextAttemptAt.Equal(want) {
				t.Errorf("%s: the next attempt is at %v: %v", name, found.NextAttemptAt, err)
			}
		}
	})
}
