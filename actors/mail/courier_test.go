package mail_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors/mail"
	"equity/actors/system"
	"equity/messages"
)

// outbox is an outbox in memory with the semantics of the stored one.
type outbox struct {
	mu      sync.Mutex
	waiting map[[16]byte]*entry
}

type entry struct {
	mail messages.Mail
	next time.Time
	sent bool
	dead bool
}

func (o *outbox) put(id byte, to string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[[16]byte{id}] = &entry{mail: messages.Mail{ID: [16]byte{id}, To: to, Subject: "s", Text: "t"}}
}

func (o *outbox) Claim(_ context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Mail, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var claimed []messages.Mail
	for _, e := range o.waiting {
		if len(claimed) < limit && !e.sent && !e.dead && !e.next.After(now) {
			e.mail.Attempts++
			e.next = now.Add(lease)
			claimed = append(claimed, e.mail)
		}
	}
	return claimed, nil
}

func (o *outbox) Sent(_ context.Context, id [16]byte, _ time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[id].sent = true
	return nil
}

func (o *outbox) Failed(_ context.Context, id [16]byte, _ string, next time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[id].next, o.waiting[id].dead = next, next.IsZero()
	return nil
}

func (o *outbox) state(id byte) (sent, dead bool, attempts int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e := o.waiting[[16]byte{id}]
	return e.sent, e.dead, e.mail.Attempts
}

type transport func(messages.Mail) error

func (t transport) Send(_ context.Context, m messages.Mail) error { return t(m) }

// sender receives bounces.
type sender func() error

func (s sender) Bounced(context.Context, messages.Mail) error { return s() }

func start(o *outbox, t transport) *mail.Courier {
	log := slog.New(slog.DiscardHandler)
	return mail.NewCourier(system.New(log), o, t, sender(func() error { return nil }), mail.Settings{Every: time.Minute, Now: time.Now}, log)
}

func TestCourier(t *testing.T) {
	t.Parallel()
	t.Run("a courier delivers more mails than one round has", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			box := &outbox{waiting: map[[16]byte]*entry{}}
			for id := range byte(50) {
				box.put(id, "a@b.example")
			}
			courier := start(box, func(messages.Mail) error { return nil })
			synctest.Wait()
			for id := range byte(50) {
				if sent, _, _ := box.state(id); !sent {
					t.Errorf("mail %d was not delivered", id)
				}
			}
			stop(t, courier)
		})
	})
	t.Run("a knock delivers new mail before the next tick", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			box := &outbox{waiting: map[[16]byte]*entry{}}
			courier := start(box, func(messages.Mail) error { return nil })
			synctest.Wait()
			box.put(1, "a@b.example")
			courier.Knock()
			synctest.Wait()
			if sent, _, _ := box.state(1); !sent {
				t.Error("mail was not delivered at the knock")
			}
			stop(t, courier)
		})
	})
	t.Run("a courier retries a failure with growing delays and stops at the limit", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			box := &outbox{waiting: map[[16]byte]*entry{}}
			box.put(1, "a@b.example")
			courier := start(box, func(messages.Mail) error { return errors.New("no") })
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			if _, dead, attempts := box.state(1); dead || attempts < 3 || attempts > 5 {
				t.Errorf("after ten minutes: %d attempts, dead %v; want three to five, alive", attempts, dead)
			}
			time.Sleep(96 * time.Hour)
			synctest.Wait()
			if _, dead, attempts := box.state(1); !dead || attempts != 12 {
				t.Errorf("after four days: %d attempts, dead %v; want 12, given up", attempts, dead)
			}
			stop(t, courier)
		})
	})
	t.Run("a failure of one does not hold up the others", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			box := &outbox{waiting: map[[16]byte]*entry{}}
			box.put(1, "bad@b.example")
			box.put(2, "good@b.example")
			courier := start(box, func(m messages.Mail) error {
				if m.To == "bad@b.example" {
					return errors.New("no such mailbox")
				}
				return nil
			})
			synctest.Wait()
			if sent, _, _ := box.state(2); !sent {
				t.Error("the good one was not delivered")
			}
			stop(t, courier)
		})
	})
}

func TestABounceIsToldBeforeTheMailIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := &outbox{waiting: map[[16]byte]*entry{}}
		box.put(1, "nobody@b.example")
		box.put(2, "nobody@c.example")
		box.waiting[[16]byte{1}].mail.Cause = [32]byte{1}
		told := 0
		log := slog.New(slog.DiscardHandler)
		courier := mail.NewCourier(system.New(log), box, transport(func(messages.Mail) error { return mail.ErrRefused }), sender(func() error {
			if told++; told == 1 {
				return errors.New("the store is away")
			}
			return nil
		}), mail.Settings{Every: time.Minute, Now: time.Now}, log)
		synctest.Wait()
		if _, dead, _ := box.state(1); dead {
			t.Error("abandoned before the bounce was reported")
		}
		if _, dead, attempts := box.state(2); !dead || attempts != 1 {
			t.Errorf("a mail without a cause was tried %d times", attempts)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if _, dead, attempts := box.state(1); !dead || attempts != 2 || told != 2 {
			t.Errorf("dead %t after %d attempts, reported %d times", dead, attempts, told)
		}
		stop(t, courier)
	})
}

func stop(t *testing.T, courier *mail.Courier) {
	t.Helper()
	if err := courier.Stop(); err != nil {
		t.Error(err)
	}
}
