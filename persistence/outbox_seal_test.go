package persistence_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

const secretInMail = "q2W0kF4hXb1nS7cVtY9mPz"

// mailEachWay writes a mail through each store that sends mail.
func mailEachWay(t *testing.T, db *persistence.Database) {
	t.Helper()
	mail := func() persistence.Mail {
		m := newMail("ada@example.org")
		m.Subject, m.Text, m.HTML = "Subject "+secretInMail, "The code is "+secretInMail, "<p>"+secretInMail
		return m
	}
	must(t, persistence.NewOutbox(db).Enqueue(t.Context(), mail()))
	users, now := persistence.NewUsers(db), storetest.Epoch()
	ada := newUser("ada@example.org")
	must(t, users.Register(t.Context(), messages.Registration{
		User: ada, Verification: messages.Verification{Code: "x", SentAt: now, ExpiresAt: now.Add(time.Hour)}, Mail: mail(),
	}))
	must(t, users.SendTemporaryPassword(
		t.Context(), ada.ID, messages.TemporaryPassword{Password: "y", SentAt: now, ExpiresAt: now.Add(time.Hour)}, mail(),
	))
	must(t, users.SendMagicLink(t.Context(), ada.ID, messages.MagicLink{Token: "z", ExpiresAt: now.Add(time.Hour)}, mail()))
}

// invitation writes the contents of a mail with its event.
func invitation(t *testing.T, db *persistence.Database) {
	t.Helper()
	journal, stored := storetest.OpenJournal(t, db), make(chan error, 1)
	row := messages.Row{Organization: organization.ID{1}, Sequence: 1, RecordedAt: storetest.Epoch(), Payload: []byte(`{}`)}
	value := messages.Sealed{Name: messages.MailName([32]byte{1}), Address: "ada@example.org", Value: []byte(secretInMail)}
	journal.Append(messages.Append{Organization: organization.ID{1}, Rows: []messages.Row{row}, Sealed: []messages.Sealed{value}},
		func(err error) { stored <- err })
	must(t, <-stored)
}

func TestDumpOfPendingMailContainsNoSecret(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := factory(t)
			db := storetest.Open(t, address)
			openSecrets(t, db, configured)
			mailEachWay(t, db)
			invitation(t, db)
			dump := storetest.Dump(t, db, address)
			if !strings.Contains(dump, "ada@example.org") {
				t.Fatal("the mails are not looked for in the right place")
			}
			for _, form := range []string{
				secretInMail, base64.StdEncoding.EncodeToString([]byte(secretInMail))[:24], hex.EncodeToString([]byte(secretInMail)),
			} {
				if strings.Contains(dump, form) {
					t.Errorf("the dump contains %s", form)
				}
			}
			delivered(t, db, 4)
			value, err := persistence.NewSealed(db).Open(t.Context(), organization.ID{1}, messages.MailName([32]byte{1}))
			if err != nil || string(value) != secretInMail {
				t.Errorf("%q %v", value, err)
			}
		})
	}
}

// delivered claims all mails and checks their contents.
func delivered(t *testing.T, db *persistence.Database, number int) {
	t.Helper()
	claimed, err := persistence.NewOutbox(db).Claim(t.Context(), storetest.Epoch().Add(time.Hour), time.Minute, 100)
	if err != nil || len(claimed) != number {
		t.Fatalf("%d claimed: %v", len(claimed), err)
	}
	for _, mail := range claimed {
		if mail.Subject != "Subject "+secretInMail || mail.Text != "The code is "+secretInMail || mail.HTML != "<p>"+secretInMail {
			t.Errorf("%+v", mail)
		}
	}
}

func TestPlainMailOfEarlierVersionIsSealedAndDelivered(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := factory(t)
			old := storetest.Open(t, address)
			mailEachWay(t, old) // without secrets, like earlier versions
			if !strings.Contains(storetest.Dump(t, old, address), secretInMail) {
				t.Fatal("the mails of the earlier version are not plain")
			}
			db := storetest.Open(t, address)
			secrets := openSecrets(t, db, configured)
			must(t, persistence.NewOutbox(db).SealWaiting(t.Context()))
			if dump := storetest.Dump(t, db, ""); strings.Contains(dump, secretInMail) {
				t.Error("the tables still hold the secret")
			}
			must(t, secrets.Rotate(t.Context(), nil))
			delivered(t, db, 4)
		})
	}
}

func TestUndecryptableMailFailsAloneAndIsNotRetried(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		openSecrets(t, db, configured)
		outbox := persistence.NewOutbox(db)
		broken, whole := newMail("a@example.org"), newMail("b@example.org")
		must(t, outbox.Enqueue(t.Context(), broken))
		must(t, outbox.Enqueue(t.Context(), whole))
		_, err := db.Writer().ExecContext(t.Context(), `UPDATE outbox SET plain_text = 'sealed1:AAAA' WHERE id = $1`, broken.ID[:])
		must(t, err)
		claimed, err := outbox.Claim(t.Context(), storetest.Epoch().Add(time.Hour), time.Minute, 100)
		if err != nil || len(claimed) != 1 || claimed[0].To != whole.To {
			t.Fatalf("%+v %v", claimed, err)
		}
		if number, err := outbox.Waiting(t.Context()); err != nil || number != 1 {
			t.Errorf("%d wait: %v", number, err)
		}
	})
}
