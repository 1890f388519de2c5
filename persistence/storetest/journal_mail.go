package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/persistence"
)

func provesMails(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	letter := func(subject string) messages.Mail {
		return messages.Mail{
			ID: NewID[captable.Entity](), To: "ada@example.org", Subject: subject, Text: "Grüße\n", HTML: "<p>Grüße</p>", CreatedAt: Epoch(),
			Organization: w.ID, Cause: [32]byte{1, 2, 3},
		}
	}
	first, second := letter("first ✓"), letter("second")
	late := *w
	batch := w.Next(payload(1))
	batch.Mails = []messages.Mail{first, second}
	MustPut(t, s.journal, batch)
	refused := late.Next(payload(9))
	refused.Mails = []messages.Mail{letter("of a refused event")}
	if err := Put(t, s.journal, refused); !errors.Is(err, messages.ErrFenced) {
		t.Fatalf("not fenced: %v", err)
	}
	got, err := persistence.NewOutbox(s.db).Claim(context.Background(), Epoch().Add(time.Second), time.Minute, 10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].Attempts != 1 {
			t.Errorf("%d attempts", got[i].Attempts)
		}
		got[i].Attempts = 0
	}
	slices.SortFunc(got, func(a, b messages.Mail) int { return slices.Compare(a.ID[:], b.ID[:]) })
	if want := []messages.Mail{first, second}; !slices.Equal(got, want) {
		t.Errorf("the outbox contains %+v, want %+v", got, want)
	}
}
