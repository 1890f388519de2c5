package persistence_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
	"equity/persistence"
	"equity/persistence/storetest"
)

// referring is a store and a user with a referral code.
type referring struct {
	users     *persistence.Users
	referrals *persistence.Referrals
	books     *persistence.Credit
	ada       persistence.User
	code      referral.Code
}

func setupReferrals(t *testing.T, db *persistence.Database) *referring {
	t.Helper()
	r := &referring{
		users: persistence.NewUsers(db), referrals: persistence.NewReferrals(db), books: persistence.NewCredit(db),
		ada: newUser("ada@example.org"),
	}
	must(t, r.users.Create(t.Context(), r.ada))
	code, err := r.referrals.Code(t.Context(), r.ada.Entity, storetest.Epoch(), func() (referral.Code, error) { return "3fa9c1", nil })
	must(t, err)
	r.code = code
	return r
}

// register registers a user with Ada's code.
func (r *referring) register(t *testing.T, email string) persistence.User {
	t.Helper()
	requested := registration(email, email)
	requested.Referred = &messages.Referred{
		Code:        r.code,
		ForNewcomer: credit.Card{ID: storetest.NewID[credit.Card](), Kind: credit.CardSignup, Value: credit.Credits(25)},
		ForReferrer: credit.Card{ID: storetest.NewID[credit.Card](), Kind: credit.CardReferral, Value: credit.Credits(50)},
	}
	must(t, r.users.Register(t.Context(), requested))
	return requested.User
}

func (r *referring) cards(t *testing.T, of captable.EntityID) []credit.Card {
	t.Helper()
	cards, err := r.referrals.Cards(t.Context(), of)
	must(t, err)
	return cards
}

func TestEntityHasOneCode(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r := setupReferrals(t, db)
		draws := 0
		draw := func() (referral.Code, error) { // a used code, then an unused one
			draws++
			return referral.Code(fmt.Sprintf("3fa9c%d", draws)), nil
		}
		other := storetest.NewID[captable.Entity]()
		for range 2 {
			if code, err := r.referrals.Code(t.Context(), other, storetest.Epoch(), draw); err != nil || code != "3fa9c2" {
				t.Fatalf("%s %v", code, err)
			}
		}
		_, err := r.referrals.Code(
			t.Context(), storetest.NewID[captable.Entity](), storetest.Epoch(), func() (referral.Code, error) { return "3fa9c1", nil },
		)
		if err == nil {
			t.Fatal("two entities have the same code")
		}
	})
}

func TestJoiningEarnsBothACard(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r := setupReferrals(t, db)
		bob := r.register(t, "bob@example.org")
		if got := append(r.cards(t, r.ada.Entity), r.cards(t, bob.Entity)...); len(got) != 0 {
			t.Fatalf("before the address is confirmed: %v", got)
		}
		_, referred, joined, err := r.referrals.Referred(t.Context(), r.ada.Entity, 10)
		if err != nil || referred != 1 || joined != 0 {
			t.Fatalf("%d %d %v", referred, joined, err)
		}
		_, err = r.users.VerifyEmail(t.Context(), "", "bob@example.org", storetest.Epoch())
		must(t, err)
		adas, bobs := r.cards(t, r.ada.Entity), r.cards(t, bob.Entity)
		if len(adas) != 1 || adas[0].Kind != credit.CardReferral || len(bobs) != 1 || bobs[0].Kind != credit.CardSignup || adas[0].Revealed {
			t.Fatalf("%v %v", adas, bobs)
		}
		list, _, joined, err := r.referrals.Referred(t.Context(), r.ada.Entity, 10)
		if err != nil || joined != 1 || len(list) != 1 || !list[0].Joined || list[0].FirstName != bob.FirstName {
			t.Fatalf("%v %v", list, err)
		}
	})
}

func TestUnknownReferralCodeRefusesRegistration(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, requested := persistence.NewUsers(db), registration("bob@example.org", "c")
		requested.Referred = &messages.Referred{Code: "000000"}
		refused(t, users.Register(t.Context(), requested), fault.Invalid)
		_, err := users.ByEmail(t.Context(), "bob@example.org")
		refused(t, err, fault.UserNotFound)
	})
}

func TestCardIsCreditedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r := setupReferrals(t, db)
		bob := r.register(t, "bob@example.org")
		reveal := func(ctx context.Context, of captable.EntityID, id credit.CardID) (credit.Card, error) {
			return r.referrals.Reveal(ctx, of, id, credit.Booking{ID: storetest.NewID[credit.Booking](), By: "bob", At: storetest.Epoch()})
		}
		_, err := r.users.VerifyEmail(t.Context(), "", "bob@example.org", storetest.Epoch())
		must(t, err)
		card := r.cards(t, bob.Entity)[0]
		_, err = reveal(t.Context(), r.ada.Entity, card.ID)
		refused(t, err, fault.NotFound)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				got, err := reveal(t.Context(), bob.Entity, card.ID)
				if err != nil || got.Value != card.Value || !got.Revealed {
					t.Errorf("%+v %v", got, err)
				}
			})
		}
		all.Wait()
		if got := balance(t, r.books, bob.Entity); got != card.Value || balance(t, r.books, credit.House()) != -card.Value {
			t.Fatalf("%v of %v", got, card.Value)
		}
	})
}

func TestCompanyIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r := setupReferrals(t, db)
		tell := func(entity captable.EntityID) error {
			company := messages.Company{
				ID: storetest.NewID[messages.Company](), Entity: entity, Name: "Acme", Website: "https://acme.example", Site: "acme.example",
				ContactEmail: "a@acme.example", At: storetest.Epoch(),
				Card: credit.Card{ID: storetest.NewID[credit.Card](), Entity: entity, Kind: credit.CardOrganizationInfo, Value: 1000},
			}
			_, _, err := r.referrals.AddCompany(t.Context(), messages.Once{}, company)
			return err
		}
		must(t, tell(r.ada.Entity))
		refused(t, tell(storetest.NewID[captable.Entity]()), fault.Conflict)
		if cards := r.cards(t, r.ada.Entity); len(cards) != 1 || cards[0].Kind != credit.CardOrganizationInfo {
			t.Fatalf("%v", cards)
		}
	})
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r, outbox := setupReferrals(t, db), persistence.NewOutbox(db)
		invite := func(email, message string, at time.Time) (messages.Invitation, error) {
			got, _, err := r.referrals.Invite(t.Context(), messages.Once{}, messages.Invitation{
				ID: storetest.NewID[messages.Invitation](), User: r.ada.ID, Email: email, Message: message, SentAt: at,
			}, newMail(email), time.Hour)
			return got, err
		}
		first, err := invite("Bob@example.org", "Come", storetest.Epoch())
		must(t, err)
		_, err = invite("bob@example.org", "Come!", storetest.Epoch().Add(59*time.Minute))
		refused(t, err, fault.RecentInvitation)
		again, err := invite("bob@EXAMPLE.org", "Please", storetest.Epoch().Add(time.Hour))
		if err != nil || again.ID != first.ID || again.Times != 2 || again.Message != "Please" || again.Email != "Bob@example.org" {
			t.Fatalf("%+v %v", again, err)
		}
		if waiting, err := outbox.Waiting(t.Context()); err != nil || waiting != 2 {
			t.Fatalf("%d mails: %v", waiting, err)
		}
		must(t, r.users.Create(t.Context(), newUser("carol@example.org"))) // without the code, so it is not reported
		_, err = invite("carol@example.org", "", storetest.Epoch())
		must(t, err)
		r.register(t, "bob@example.org")
		list, err := r.referrals.Invitations(t.Context(), r.ada.ID, messages.PageQuery{Limit: 10})
		if err != nil || len(list) != 2 || !list[0].Registered || list[0].Joined || list[1].Registered {
			t.Fatalf("%+v %v", list, err)
		}
	})
}

func TestWaitlist(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		r := setupReferrals(t, db)
		late := newUser("late@example.org")
		late.CreatedAt = storetest.Epoch().Add(10 * 24 * time.Hour)
		must(t, r.users.Create(t.Context(), late))
		for user, position := range map[organization.UserID]int{r.ada.ID: 1, late.ID: 2, {}: 0} {
			got, err := r.referrals.Waitlist(t.Context(), user, late.CreatedAt)
			if want := (messages.Waitlist{Total: 2, LastWeek: 1, Position: position}); err != nil || got != want {
				t.Errorf("%+v instead of %+v: %v", got, want, err)
			}
		}
	})
}
