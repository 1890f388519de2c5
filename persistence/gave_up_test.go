package persistence_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/profile"
	"equity/people/referral"
	"equity/people/wallet"
	"equity/persistence"
	"equity/persistence/storetest"
)

// operation is one call of a store, without its result.
type operation func(ctx context.Context) error

// without converts a call with a result to an operation.
func without[Answer any](ask func(ctx context.Context) (Answer, error)) operation {
	return func(ctx context.Context) error {
		_, err := ask(ctx)
		return err
	}
}

// TestCancelledCallReturnsContextErrorWithOperation: if the context of a caller ends, for example when the server stops, the error
// wraps the context's error and contains the operation. It is not a refusal, which would blame the caller.
func TestCancelledCallReturnsContextErrorWithOperation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		secrets, err := persistence.OpenSecrets(t.Context(), db, []byte(strings.Repeat("s", 32)), storetest.Epoch)
		must(t, err)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for _, named := range []map[string]operation{
			ofAccounts(db), ofFactors(db, secrets), ofJournals(storetest.OpenJournal(t, db)), ofPeople(db), ofMails(db),
		} {
			for name, do := range named {
				err := do(gone)
				if !errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), context.Canceled.Error()) {
					t.Errorf("%s: %v", name, err)
				}
				if _, refused := errors.AsType[*fault.Error](err); refused {
					t.Errorf("%s refuses: %v", name, err)
				}
			}
		}
	})
}

func ofAccounts(db *persistence.Database) map[string]operation {
	users, blocklist := persistence.NewUsers(db), persistence.NewBlocklist(db)
	ada, now, mail := newUser("ada@example.com"), storetest.Epoch(), newMail("ada@example.com")
	return map[string]operation{
		"by id":      without(func(ctx context.Context) (persistence.User, error) { return users.ByID(ctx, ada.ID) }),
		"by address": without(func(ctx context.Context) (persistence.User, error) { return users.ByEmail(ctx, ada.Email) }),
		"by entity":  without(func(ctx context.Context) (persistence.User, error) { return users.ByEntity(ctx, ada.Entity) }),
		"by identity": without(func(ctx context.Context) (persistence.User, error) {
			return users.ByIdentity(ctx, persistence.Identity{})
		}),
		"by link":    without(func(ctx context.Context) (persistence.User, error) { return users.ByMagicLink(ctx, "x", now) }),
		"identities": without(func(ctx context.Context) ([]persistence.Identity, error) { return users.IdentitiesOf(ctx, ada.ID) }),
		"search": without(func(ctx context.Context) ([]persistence.User, error) {
			return users.Search(ctx, messages.UserQuery{Limit: 1})
		}),
		"statistics": without(func(ctx context.Context) (messages.Statistics, error) { return users.Statistics(ctx, now) }),
		"fits":       without(func(ctx context.Context) (bool, error) { return users.IsTemporaryPassword(ctx, ada.ID, "x", now) }),
		"use":        without(func(ctx context.Context) (bool, error) { return users.UseTemporaryPassword(ctx, ada.ID, "x", now) }),
		"use link":   without(func(ctx context.Context) (bool, error) { return users.UseMagicLink(ctx, "x", now) }),
		"verify": without(func(ctx context.Context) (persistence.User, error) {
			return users.VerifyEmail(ctx, ada.Email, "x", now)
		}),
		"create":   func(ctx context.Context) error { return users.Create(ctx, ada) },
		"register": func(ctx context.Context) error { return users.Register(ctx, registration(ada.Email, "x")) },
		"link": func(ctx context.Context) error {
			return users.LinkIdentity(ctx, ada.ID, persistence.Identity{}, now, mail)
		},
		"by provider": func(ctx context.Context) error { return users.RegisterIdentity(ctx, ada, persistence.Identity{}, 1) },
		"administer":  func(ctx context.Context) error { return users.SetSiteAdmin(ctx, ada.ID, true) },
		"disable":     func(ctx context.Context) error { return users.Disable(ctx, ada.ID, now) },
		"erase":       func(ctx context.Context) error { return users.Erase(ctx, ada) },
		"password":    func(ctx context.Context) error { return users.ChangePassword(ctx, ada.ID, "a", "b", mail) },
		"renew": func(ctx context.Context) error {
			return users.RenewVerification(ctx, ada.ID, persistence.Verification{}, mail)
		},
		"send link": func(ctx context.Context) error { return users.SendMagicLink(ctx, ada.ID, messages.MagicLink{}, mail) },
		"send word": func(ctx context.Context) error {
			return users.SendTemporaryPassword(ctx, ada.ID, messages.TemporaryPassword{}, mail)
		},
		"block":   func(ctx context.Context) error { return blocklist.Block(ctx, "x@example.com", now) },
		"unblock": without(func(ctx context.Context) (bool, error) { return blocklist.Unblock(ctx, "x@example.com") }),
		"blocked": without(func(ctx context.Context) ([]messages.Blocked, error) {
			return blocklist.Blocked(ctx, messages.BlockedQuery{Limit: 1})
		}),
	}
}

func ofFactors(db *persistence.Database, secrets *persistence.Secrets) map[string]operation {
	factors, throttle := persistence.NewTwoFactors(db, secrets), persistence.NewThrottle(db, storetest.Epoch)
	id, mail := storetest.NewID[organization.User](), newMail("ada@example.com")
	return map[string]operation{
		"accept":  without(func(ctx context.Context) (bool, error) { return factors.Accept(ctx, id, 1) }),
		"recover": without(func(ctx context.Context) (bool, error) { return factors.Recover(ctx, id, "x") }),
		"find":    without(func(ctx context.Context) (messages.TwoFactor, error) { return factors.Find(ctx, id) }),
		"propose": func(ctx context.Context) error { return factors.Propose(ctx, id, []byte("seed")) },
		"enable":  func(ctx context.Context) error { return factors.Enable(ctx, id, messages.TwoFactor{}, 1, nil, mail) },
		"disable": func(ctx context.Context) error { return factors.Disable(ctx, id, mail) },
		"renew":   func(ctx context.Context) error { return factors.Renew(ctx, id, nil, mail) },
		"named": without(func(ctx context.Context) ([]byte, error) {
			return secrets.Named(ctx, "x", func() ([]byte, error) { return []byte("x"), nil })
		}),
		"rotate":  func(ctx context.Context) error { return secrets.Rotate(ctx, []byte(strings.Repeat("t", 32))) },
		"take":    without(func(ctx context.Context) (time.Duration, error) { return throttle.Take(ctx, "x", 1, time.Hour) }),
		"forgive": func(ctx context.Context) error { return throttle.Forgive(ctx, "x") },
		"sweep":   throttle.Sweep,
	}
}

func ofJournals(journal *persistence.Journal) map[string]operation {
	id, user, entity := storetest.NewID[organization.Organization](), storetest.NewID[organization.User](), storetest.NewID[captable.Entity]()
	return map[string]operation{
		"page": without(func(ctx context.Context) ([]messages.Row, error) {
			return journal.Page(ctx, id, messages.JournalQuery{Limit: 1})
		}),
		"when": without(func(ctx context.Context) (uint64, error) { return journal.SequenceAt(ctx, id, storetest.Epoch()) }),
		"known": without(func(ctx context.Context) ([]messages.KnownEntity, error) {
			return journal.EntitiesByEmail(ctx, "x@example.com")
		}),
		"of":       without(func(ctx context.Context) ([]organization.ID, error) { return journal.OrganizationsOf(ctx, user) }),
		"held by":  without(func(ctx context.Context) ([]organization.ID, error) { return journal.OrganizationsHeldBy(ctx, entity) }),
		"person":   without(func(ctx context.Context) (organization.UserID, error) { return journal.Person(ctx, entity) }),
		"entities": without(func(ctx context.Context) ([]captable.EntityID, error) { return journal.EntitiesOf(ctx, user) }),
		"head":     func(ctx context.Context) error { _, _, err := journal.Head(ctx, id); return err },
		"locate":   func(ctx context.Context) error { _, _, err := journal.Locate(ctx, id); return err },
		"load":     func(ctx context.Context) error { _, err := journal.LoadSnapshot(ctx, id, 0); return err },
		"save": func(ctx context.Context) error {
			return journal.SaveSnapshot(ctx, id, messages.Snapshot{Sequence: 1, State: "x"})
		},
		"scan": func(ctx context.Context) error {
			return journal.Scan(ctx, id, 0, 0, func(messages.Row) error { return nil })
		},
		"all": func(ctx context.Context) error {
			return journal.Organizations(ctx, func(organization.ID) error { return nil })
		},
		"keys": func(ctx context.Context) error {
			return journal.Keys(ctx, id, storetest.Epoch(), func(string, string, uint64) error { return nil })
		},
		"particulars": func(ctx context.Context) error { _, err := journal.Particulars(ctx, id, entity); return err },
	}
}

func ofPeople(db *persistence.Database) map[string]operation {
	wallets, profiles, ledger, referrals := persistence.NewWallets(db), persistence.NewProfiles(db), persistence.NewCredit(db), persistence.NewReferrals(db)
	user, entity, now := storetest.NewID[organization.User](), storetest.NewID[captable.Entity](), storetest.Epoch()
	once := messages.Once{Key: "k", Fingerprint: "f", At: now}
	return map[string]operation{
		"add":     func(ctx context.Context) error { _, _, err := wallets.Add(ctx, once, persistence.Wallet{}); return err },
		"wallet":  without(func(ctx context.Context) (persistence.Wallet, error) { return wallets.ByID(ctx, messages.WalletID{1}) }),
		"wallets": without(func(ctx context.Context) ([]persistence.Wallet, error) { return wallets.Of(ctx, entity) }),
		"remove":  func(ctx context.Context) error { return wallets.Remove(ctx, messages.WalletID{1}) },
		"profile": without(func(ctx context.Context) (messages.Profile, error) { return profiles.ByEntity(ctx, entity) }),
		"history": without(func(ctx context.Context) ([]credit.Booking, error) {
			return ledger.History(ctx, entity, credit.BookingID{}, 1)
		}),
		"sums": without(func(ctx context.Context) (messages.CreditSums, error) { return ledger.Sums(ctx, entity) }),
		"book": func(ctx context.Context) error {
			_, _, err := ledger.Book(ctx, once, credit.Booking{Amount: 1})
			return err
		},
		"company": func(ctx context.Context) error {
			_, _, err := referrals.AddCompany(ctx, once, messages.Company{})
			return err
		},
		"cards": without(func(ctx context.Context) ([]credit.Card, error) { return referrals.Cards(ctx, entity) }),
		"invited": without(func(ctx context.Context) ([]messages.Invitation, error) {
			return referrals.Invitations(ctx, user, messages.PageQuery{Limit: 1})
		}),
		"referred": func(ctx context.Context) error { _, _, _, err := referrals.Referred(ctx, entity, 1); return err },
		"waitlist": without(func(ctx context.Context) (messages.Waitlist, error) { return referrals.Waitlist(ctx, user, now) }),
		"reveal": without(func(ctx context.Context) (credit.Card, error) {
			return referrals.Reveal(ctx, entity, credit.CardID{}, credit.Booking{})
		}),
		"code": without(func(ctx context.Context) (referral.Code, error) {
			return referrals.Code(ctx, entity, now, func() (referral.Code, error) { return "ABCDEFGH", nil })
		}),
		"invite": func(ctx context.Context) error {
			_, _, err := referrals.Invite(ctx, once, messages.Invitation{}, newMail("x@example.com"), time.Hour)
			return err
		},
		"amend a wallet": without(func(ctx context.Context) (persistence.Wallet, error) {
			return wallets.Amend(ctx, messages.WalletID{1}, now, func(terms wallet.Terms) (wallet.Terms, error) { return terms, nil })
		}),
		"amend a profile": without(func(ctx context.Context) (messages.Profile, error) {
			return profiles.Amend(ctx, entity, nil, now, func(known profile.Particulars) (profile.Particulars, error) { return known, nil })
		}),
	}
}

func ofMails(db *persistence.Database) map[string]operation {
	outbox, now := persistence.NewOutbox(db), storetest.Epoch()
	return map[string]operation{
		"enqueue": func(ctx context.Context) error { return outbox.Enqueue(ctx, newMail("ada@example.com")) },
		"claim":   without(func(ctx context.Context) ([]persistence.Mail, error) { return outbox.Claim(ctx, now, time.Hour, 1) }),
		"sent":    func(ctx context.Context) error { return outbox.Sent(ctx, [16]byte{1}, now) },
		"failed":  func(ctx context.Context) error { return outbox.Failed(ctx, [16]byte{1}, "away", now) },
		"forget":  func(ctx context.Context) error { return outbox.Forget(ctx, now) },
		"waiting": without(outbox.Waiting),
		"answers": func(ctx context.Context) error { return db.ForgetAnswers(ctx, now, time.Hour) },
		"migrate": without(db.Migrate),
		"ready":   db.Ready,
	}
}
