package billing_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"equity/actors/billing/stripetest"
	"equity/fault"
	"equity/organization"
)

func TestShuffledAndRepeatedEventsRecordEachChangeOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	const changes, copies = 40, 25 // 1,000 events, each 1 to 5 times
	statuses := []string{"active", "past_due", "unpaid", "active", "paused"}
	for i := range changes {
		before := b.recorded("subscriptionChanged")
		b.stripe.Change(subscription, map[string]any{"status": statuses[i%len(statuses)], "end": 1_800_000_000 + i})
		for range copies - 1 {
			b.stripe.Emit("customer.subscription.updated", subscription)
		}
		b.deliver(stripetest.Delivery{Times: 5, Shuffle: true})
		b.looked()
		if got := b.recorded("subscriptionChanged") - before; got != 1 {
			t.Fatalf("change %d was recorded %d times", i, got)
		}
		if b.subscription().CurrentPeriodEnd.Time().Unix() != 1_800_000_000+int64(i) {
			t.Fatalf("change %d: %+v", i, b.subscription())
		}
	}
}

func TestLateEventOfAnOldStateChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	b.stripe.Change(subscription, map[string]any{"status": "past_due"})
	late := b.stripe.Take(stripetest.Delivery{}, b.random)
	b.stripe.Change(subscription, map[string]any{"status": "active"})
	before := b.recorded("subscriptionChanged")
	for _, event := range late {
		if err := b.receiver.Receive(t.Context(), event.Body, event.Signed(stripetest.Secret, b.now())); err != nil {
			t.Fatal(err)
		}
	}
	b.deliver(stripetest.Delivery{})
	b.looked()
	if got := b.recorded("subscriptionChanged") - before; got != 0 {
		t.Errorf("%d changes were recorded", got)
	}
}

func TestPaymentsAreRecordedOnceForEachAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	invoice := b.stripe.Invoice(subscription, 5000)
	for attempt, succeeds := range []bool{false, false, true} {
		b.stripe.Pay(invoice, succeeds)
		b.deliver(stripetest.Delivery{Times: 5, Shuffle: true})
		b.looked()
		failed, succeeded := b.recorded("paymentFailed"), b.recorded("paymentSucceeded")
		if failed != min(attempt+1, 2) || succeeded != attempt/2 {
			t.Errorf("after attempt %d: %d failed, %d succeeded", attempt+1, failed, succeeded)
		}
	}
}

func TestUnsignedEventsAreRefusedAndNotStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	customer := b.stripe.AddCustomer(b.id.String())
	b.stripe.Subscribe(customer, "growth", 1)
	event := b.stripe.Take(stripetest.Delivery{}, b.random)[0]
	altered := slices.Clone(event.Body)
	altered[len(altered)/2] ^= 1
	now := time.Now()
	b.offset.Store(int64(now.Truncate(time.Second).Sub(now))) // close to a full second
	live := stripetest.Event{ID: event.ID, Type: event.Type, Body: []byte(`{"id":"evt_live","type":"invoice.paid","livemode":true,"data":{"object":{}}}`)}
	for name, attempt := range map[string]struct {
		body   []byte
		header string
	}{
		"a wrong secret":    {event.Body, event.Signed("whsec_other", b.now())},
		"an altered byte":   {altered, event.Signed(stripetest.Secret, b.now())},
		"too old":           {event.Body, event.Signed(stripetest.Secret, b.now().Add(-302*time.Second))},
		"too far ahead":     {event.Body, event.Signed(stripetest.Secret, b.now().Add(302*time.Second))},
		"no signature":      {event.Body, ""},
		"only a time":       {event.Body, "t=1"},
		"the other mode":    {live.Body, live.Signed(stripetest.Secret, b.now())},
		"an empty v1 value": {event.Body, "t=" + "1" + ",v1="},
	} {
		if err := b.receiver.Receive(t.Context(), attempt.body, attempt.header); !fault.Is(err, fault.InvalidSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var rows int
	if err := b.db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM billing_inbox`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
	for _, within := range []time.Duration{-298 * time.Second, 298 * time.Second} {
		if err := b.receiver.Receive(t.Context(), event.Body, event.Signed(stripetest.Secret, b.now().Add(within))); err != nil {
			t.Errorf("%s: %v", within, err)
		}
	}
	if err := b.receiver.Receive(t.Context(), event.Body, event.Signed("whsec_next", b.now())); err != nil {
		t.Errorf("the second secret of a rotation: %v", err)
	}
}

func TestEventOfAnUnknownCustomerIsKeptAndCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stripe.Subscribe(b.stripe.AddCustomer("nobody"), "growth", 1)
	b.deliver(stripetest.Delivery{})
	if number, err := b.inbox.Unknown(t.Context()); err != nil || number != 1 {
		t.Errorf("%d, %v", number, err)
	}
}

func TestManyIssuancesCauseFewPushes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	b.until("the first push", func() bool { return len(b.stripe.Requests("POST", "/v1/subscription_items/")) > 0 })
	var issuances []organization.Command
	for i := range 95 { // the plan permits 100 members
		issuances = append(issuances, b.holder(i))
	}
	before := len(b.stripe.Requests("POST", "/v1/subscription_items/"))
	for _, issuance := range issuances {
		b.do(issuance)
	}
	b.until("the last quantity", func() bool { return b.stripe.Subscription(subscription, "quantity") == 95 })
	if pushes := len(b.stripe.Requests("POST", "/v1/subscription_items/")) - before; pushes > 10 {
		t.Errorf("%d pushes", pushes)
	}
}

func TestRepeatedPushHasTheSameKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lose := make(chan struct{}, 1)
	lose <- struct{}{}
	b.stripe.After = func(r stripetest.Request) {
		if r.Key == "" || r.Path[:len("/v1/sub")] != "/v1/sub" {
			return
		}
		select {
		case <-lose:
			panic(http.ErrAbortHandler) // the answer is lost
		default:
		}
	}
	b.subscribe()
	b.until("a repetition", func() bool { return len(b.stripe.Requests("POST", "/v1/subscription_items/")) > 1 })
	pushes := b.stripe.Requests("POST", "/v1/subscription_items/")
	if pushes[0].Key == "" || pushes[0].Key != pushes[1].Key {
		t.Errorf("%q, then %q", pushes[0].Key, pushes[1].Key)
	}
}

func TestDeadProviderDelaysNoWriteAndReceivesTheCountsLater(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]stripetest.Faults{
		"it fails": {Status: http.StatusInternalServerError}, "it refuses the rate": {Status: http.StatusTooManyRequests},
		"it refuses the key": {Status: http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			subscription := b.subscribe()
			b.stripe.Set(faults)
			for i := range 12 {
				b.do(b.holder(i))
				b.pass(5 * time.Minute)
			}
			b.stripe.Set(stripetest.Faults{})
			b.until("the last quantity", func() bool {
				b.pass(time.Second)
				return b.stripe.Subscription(subscription, "quantity") == 12
			})
		})
	}
}

func TestAnswerWithoutItsFieldsIsNoSuccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscribe()
	b.stripe.Set(stripetest.Faults{Empty: true})
	if address, err := b.engine.Portal(t.Context(), b.view()); err == nil {
		t.Errorf("the address of a page is %q", address)
	}
	if plans, err := b.engine.Plans(t.Context()); err == nil {
		t.Errorf("the list of plans is %v", plans)
	}
	if err := b.engine.Cancel(t.Context(), b.view(), true, "tester"); err == nil {
		t.Error("a cancellation without an answer is no error")
	}
	if status := b.subscription().Status; status == organization.SubscriptionCancelled {
		t.Errorf("the subscription is %s", status)
	}
}

func TestReconciliationRepairsLostEventsAndForeignChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	b.until("the first push", func() bool { return len(b.stripe.Requests("POST", "/v1/subscription_items/")) > 0 })
	b.do(b.holder(1))
	b.do(b.holder(2))
	b.until("the quantity", func() bool { return b.stripe.Subscription(subscription, "quantity") == 2 })
	b.stripe.Change(subscription, map[string]any{"quantity": 9, "status": "past_due"})
	b.deliver(stripetest.Delivery{Drop: 100})
	b.until("the repair", func() bool {
		b.pass(time.Hour)
		return b.stripe.Subscription(subscription, "quantity") == 2 && b.subscription().Status == organization.SubscriptionPastDue
	})
}

func TestUnpaidOrganizationIsRemindedAndLimitedAfterTheGrace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscription := b.subscribe()
	beyond := make([]organization.Command, 0, 26)
	for i := range 26 {
		beyond = append(beyond, b.holder(i))
	}
	for _, issuance := range beyond[:25] {
		b.do(issuance)
	}
	b.stripe.Change(subscription, map[string]any{"status": "past_due"})
	b.deliver(stripetest.Delivery{})
	for day, days := range [][]int{{0}, {0, 3}, {0, 3, 7}, {0, 3, 7, 13}} {
		b.until("the reminder", func() bool { return len(b.reminders.sent()) >= len(days) })
		if got := b.reminders.sent(); !slices.Equal(got, days) {
			t.Errorf("step %d: %v", day, got)
		}
		if day < 3 {
			b.pass([]time.Duration{72 * time.Hour, 96 * time.Hour, 144 * time.Hour}[day])
		}
	}
	b.pass(25 * time.Hour)
	_, err := b.try(beyond[25])
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok || refusal.Code != organization.CodePlanLimit || refusal.Details["limit"] != "25" || refusal.Details["used"] != "25" {
		t.Errorf("%v", err)
	}
	b.stripe.Change(subscription, map[string]any{"status": "active"})
	b.deliver(stripetest.Delivery{})
	b.until("the payment", func() bool { return b.subscription().Status == organization.SubscriptionActive })
	b.do(beyond[25])
}

func TestOrganizationWithoutASubscriptionIsNotQueried(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(b.holder(1))
	b.pass(48 * time.Hour)
	var alarms int
	if err := b.db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM alarm`).Scan(&alarms); err != nil || alarms != 0 {
		t.Errorf("%d alarms, %v", alarms, err)
	}
	if requests := b.stripe.Requests("GET", "/"); len(requests) > 0 {
		t.Errorf("%v", requests)
	}
}
