package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence"
)

func provesSealed(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	late := *w
	batch := w.Next(payload(1))
	batch.Sealed = []messages.Sealed{{Name: "a", Address: "ada@example.org", Value: []byte("Grüße ✓")}, {Name: "b", Value: []byte{0, 1}}}
	MustPut(t, s.journal, batch)
	refused := late.Next(payload(9))
	refused.Sealed = []messages.Sealed{{Name: "c", Value: []byte("of a refused event")}}
	if err := Put(t, s.journal, refused); !errors.Is(err, messages.ErrFenced) {
		t.Fatalf("not fenced: %v", err)
	}
	again := w.Next(payload(2))
	again.Sealed = []messages.Sealed{{Name: "b", Value: []byte("first")}, {Name: "b", Value: []byte("second")}}
	MustPut(t, s.journal, again)
	sealed := persistence.NewSealed(s.db)
	for name, want := range map[string]string{"a": "Grüße ✓", "b": "second"} {
		if got, err := sealed.Open(context.Background(), w.ID, name); err != nil || string(got) != want {
			t.Errorf("%s: %q instead of %q: %v", name, got, want, err)
		}
	}
	if _, err := sealed.Open(context.Background(), w.ID, "c"); !errors.Is(err, messages.ErrNotSealed) {
		t.Errorf("the value of a refused event: %v", err)
	}
	if err := sealed.Remove(context.Background(), w.ID, "a"); err != nil {
		t.Error(err)
	}
	if _, err := sealed.Open(context.Background(), w.ID, "a"); !errors.Is(err, messages.ErrNotSealed) {
		t.Errorf("a removed value: %v", err)
	}
}

func provesAlarms(t *testing.T, s store) {
	t.Helper()
	w, ctx := NewWriter(), context.Background()
	first := w.Next(payload(1))
	first.Wakes = []messages.Wake{{Consumer: "mail", First: 1, Last: 1}}
	MustPut(t, s.journal, first)
	second := w.Next(payload(2), payload(3))
	second.Wakes = []messages.Wake{{Consumer: "mail", First: 2, Last: 3}, {Consumer: "webhook/a", First: 3, Last: 3}}
	MustPut(t, s.journal, second)
	consumers := persistence.NewConsumers(s.db)
	now := second.Rows[1].RecordedAt
	if due, err := consumers.Claim(ctx, now, time.Minute, 10); err != nil || len(due) != 0 {
		t.Errorf("alarms of a living server were claimed: %+v %v", due, err)
	}
	due, err := consumers.Claim(ctx, now.Add(messages.WakeLease), time.Minute, 10)
	if err != nil || len(due) != 2 {
		t.Fatalf("%+v %v", due, err)
	}
	for _, alarm := range due {
		if alarm.Consumer == "mail" && (alarm.First != 1 || alarm.Last != 3) {
			t.Errorf("%+v", alarm)
		}
	}
	if err := consumers.Clear(ctx, w.ID, "mail", 2, messages.Alarm{}); err != nil {
		t.Fatal(err)
	}
	if _, alarm, err := consumers.Load(ctx, w.ID, "mail"); err != nil || alarm.Last != 3 {
		t.Errorf("an alarm of a later event was removed: %+v %v", alarm, err)
	}
	if err := consumers.Clear(ctx, w.ID, "mail", 3, messages.Alarm{}); err != nil {
		t.Fatal(err)
	}
	if _, alarm, err := consumers.Load(ctx, w.ID, "mail"); err != nil || alarm.Last != 0 {
		t.Errorf("the alarm was not removed: %+v %v", alarm, err)
	}
}

// provesAlarmsOfArmedInstances checks events whose instance relies on a stored alarm.
func provesAlarmsOfArmedInstances(t *testing.T, s store) {
	t.Helper()
	w, ctx := NewWriter(), context.Background()
	consumers := persistence.NewConsumers(s.db)
	var at time.Time
	put := func(armed bool) {
		batch := w.Next(payload(1))
		row := &batch.Rows[0]
		batch.Wakes = []messages.Wake{{Consumer: "mail", First: row.Sequence, Last: row.Sequence, Armed: armed}}
		MustPut(t, s.journal, batch)
		at = row.RecordedAt
	}
	load := func() messages.Alarm {
		_, alarm, err := consumers.Load(ctx, w.ID, "mail")
		if err != nil {
			t.Fatal(err)
		}
		return alarm
	}
	put(false)
	later := at.Add(time.Hour).UTC().Truncate(time.Microsecond)
	if err := consumers.Save(
		ctx, w.ID, "mail", messages.Cursor{State: messages.ConsumerRetrying}, &messages.Rest{DueAt: later},
	); err != nil {
		t.Fatal(err)
	}
	put(true)
	if alarm := load(); !alarm.DueAt.Equal(later) || !alarm.LeasedUntil.Before(later) || alarm.First != 1 || alarm.Last != 2 {
		t.Errorf("an armed instance has the alarm %+v, which is due at %s", alarm, later)
	}
	if err := consumers.Save(ctx, w.ID, "mail", messages.Cursor{Version: 1, State: messages.ConsumerFailed}, &messages.Rest{}); err != nil {
		t.Fatal(err)
	}
	put(true)
	if alarm := load(); !alarm.DueAt.IsZero() || alarm.Last != 3 {
		t.Errorf("a paused instance has the alarm %+v", alarm)
	}
	if err := consumers.Clear(ctx, w.ID, "mail", 3, messages.Alarm{}); err != nil {
		t.Fatal(err)
	}
	put(true)
	if due, err := consumers.Claim(ctx, at, time.Minute, 1000); err != nil || !slices.ContainsFunc(due, func(a messages.Alarm) bool {
		return a.Organization == w.ID && a.First == 4 && a.Last == 4
	}) {
		t.Errorf("the event after a removed alarm has no due alarm: %+v %v", due, err)
	}
}
