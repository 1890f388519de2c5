package webhook_test

import (
	"fmt"
	"testing"
	"time"

	"equity/features/webhook"
	"equity/features/webhook/endpoint"
	"equity/messages"
)

// hang causes an event whose attempt gets no answer.
func (b *bundle) hang() string {
	b.Helper()
	b.mu.Lock()
	b.hanging = 1
	before := len(b.received)
	b.mu.Unlock()
	event := b.role()
	b.until("a hanging attempt", func() bool { return len(b.ids()) > before })
	return event
}

// outlast waits until the round of a hanging attempt has ended.
func (b *bundle) outlast(event string) {
	b.Helper()
	b.until("the end of the round", func() bool { return b.delivery(event).State == webhook.DeliveryPending })
}

func (b *bundle) attempts(event string) (number int) {
	for _, id := range b.ids() {
		if id == event {
			number++
		}
	}
	return number
}

func TestEventDuringAHangingAttemptIsSentWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.hang()
	begin := time.Now()
	event := b.role()
	b.until("the later event", func() bool { return b.isDelivered(hookID(), event) })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the first attempt waited for %s", waited)
	}
}

func TestLateAnswerIsRecordedWhenItArrives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := b.hang()
	b.outlast(event)
	close(b.released)
	begin := time.Now()
	b.until("the delivery", func() bool { return b.isDelivered(hookID(), event) })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the outcome was recorded after %s", waited)
	}
	if d := b.delivery(event); d.Attempts != 1 || d.Duration < time.Second || b.attempts(event) != 1 {
		t.Errorf("%+v after %d requests", d, b.attempts(event))
	}
}

func TestHangingAttemptIsNotRepeatedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := b.hang()
	b.outlast(event)
	b.offset.Add(int64(time.Hour)) // its alarm is due
	if err := b.engine.ReplayDelivery(t.Context(), b.view(), hookID(), event); err != nil {
		t.Fatal(err)
	}
	later := b.role()
	b.until("a later event", func() bool { return b.isDelivered(hookID(), later) })
	if n := b.attempts(event); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestRepetitionRequestedDuringAHangingAttemptIsNotLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := b.hang()
	b.outlast(event)
	if err := b.engine.ReplayDelivery(t.Context(), b.view(), hookID(), event); err != nil {
		t.Fatal(err)
	}
	close(b.released)
	b.until("the repetition", func() bool { return b.attempts(event) == 2 && b.isDelivered(hookID(), event) })
}

func TestRestartRepeatsAnAttemptWithoutAnOutcome(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := b.hang()
	b.outlast(event)
	b.stop()
	b.start()
	b.offset.Add(int64(2 * messages.WakeLease))
	b.until("the repetition", func() bool { return b.attempts(event) == 2 && b.isDelivered(hookID(), event) })
}

func TestFourHangingAttemptsDeferFurtherEventsUntilAnAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var hanging []string
	for range 4 {
		hanging = append(hanging, b.hang())
	}
	for _, event := range hanging {
		b.outlast(event)
	}
	event := b.role()
	<-time.After(time.Second)
	if n := b.attempts(event); n != 0 {
		t.Errorf("%d requests beside four", n)
	}
	close(b.released)
	b.until("the deferred event", func() bool { return b.isDelivered(hookID(), event) })
}

func TestFirstAttemptDoesNotWaitForManyRepetitions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.slow = time.Second
	var repetitions []webhook.Delivery
	for i := range 60 {
		repetitions = append(repetitions, webhook.Delivery{
			Webhook: endpoint.Name(hookID()), EventID: fmt.Sprint("evt_", i), Sequence: 1, State: webhook.DeliveryRetrying, Attempts: 1,
			CreatedAt: b.now(), AttemptedAt: b.now(), NextAttemptAt: b.now(), Body: []byte("{}"),
		})
	}
	if err := b.deliveries.Record(t.Context(), b.id, repetitions); err != nil {
		t.Fatal(err)
	}
	b.role()
	b.until("a repetition", func() bool { return len(b.ids()) > 1 })
	begin := time.Now()
	event := b.role()
	b.until("the first attempt", func() bool { return b.attempts(event) == 1 })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the first attempt waited for %s", waited)
	}
	b.until("all repetitions", func() bool { return b.delivery("evt_59").State == webhook.DeliveryDelivered })
}

func TestUnderOverloadAHangingAddressDelaysNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.slots.Follow(func() int { return 1_000_000 })
	other := b.addWorking()
	b.hang()
	begin := time.Now()
	event := b.role()
	b.until("the event at the other path", func() bool { return b.isDelivered(other, event) })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the first attempt waited for %s", waited)
	}
}
