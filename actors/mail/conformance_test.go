package mail_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/mail"
	"equity/actors/system"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// scripted is a transport that calls the scripted service with the id of the event.
type scripted struct{ *consumertest.Service }

func (s scripted) Send(ctx context.Context, m messages.Mail) error {
	err := s.Call(ctx, hex.EncodeToString(m.ID[:]))
	if errors.Is(err, consumertest.ErrPoison) {
		return consumer.Permanent(err)
	}
	return err
}

func mailSubject() consumertest.Subject {
	return consumertest.Subject{
		System: system.New,
		Key: func(event string) string {
			id := mail.ID(event)
			return hex.EncodeToString(id[:])
		},
		New: func(
			t *testing.T, store consumertest.Store, service *consumertest.Service, now func() time.Time, _ func() *actors.Organizations,
		) consumer.Consumer {
			t.Helper()
			refused := sender(func() error { return nil })
			return mail.NewConsumer(
				persistence.NewSealed(store.Database), persistence.NewOutbox(store.Database), scripted{service}, refused,
				consumer.NewBreakers(now), "mail.example", now,
			)
		},
		Prepare: func(*testing.T, *consumertest.Service) ([]messages.Command, string) { return nil, "mail" },
		Cause: func(number int) messages.Command {
			hash := sha256.Sum256(fmt.Append(nil, number))
			invite := organization.Invite{Fresh: consumertest.NewID(), Name: "Guest", Hash: hash}
			return messages.Command{
				Body:  organization.InviteMembers{Invites: []organization.Invite{invite}, Roles: []string{organization.RoleGuest}},
				Mails: []messages.EventMail{{Cause: hash, Mail: messages.Mail{To: "ada@example.org", Subject: "s", Text: "t"}}},
			}
		},
	}
}

func TestMailIsAConformingConsumer(t *testing.T) {
	t.Parallel()
	consumertest.Engines(t, func(t *testing.T, open func(t *testing.T) consumertest.Store) {
		t.Helper()
		consumertest.Conformance(t, open, mailSubject())
	})
}
