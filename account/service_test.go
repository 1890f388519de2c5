package account_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"

	"equity/account"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

const (
	email    = "ada@example.com"
	password = "a quiet harbour at dusk"
)

// letters keeps the secrets of the mails.
type letters struct{ code, temporary string }

func (l *letters) Verification(at time.Time, to, code string) (messages.Mail, error) {
	l.code = code
	return newMail(at, to), nil
}

func (l *letters) TemporaryPassword(at time.Time, to, _, password string) (messages.Mail, error) {
	l.temporary = password
	return newMail(at, to), nil
}

func (*letters) MagicLink(at time.Time, to messages.User, _ string) (messages.Mail, error) {
	return newMail(at, to.Email), nil
}

func (*letters) Notice(at time.Time, to messages.User, _ account.Notice) (messages.Mail, error) {
	return newMail(at, to.Email), nil
}

func newMail(at time.Time, to string) messages.Mail {
	return messages.Mail{ID: newID(), To: to, Subject: "Subject", Text: "Text", CreatedAt: at}
}

func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

// claims records the users whose memberships are claimed.
type claims struct{ users []organization.UserID }

func (c *claims) Claim(_ context.Context, user messages.User, _ time.Time) error {
	c.users = append(c.users, user.ID)
	return nil
}

func (*claims) CheckOwners(context.Context, organization.UserID) error { return nil }

func (*claims) Invites(_ context.Context, token, address, _ string, _ time.Time) (bool, error) {
	return token == "invitation of "+address, nil
}

func (*claims) LeaveAll(context.Context, organization.UserID, time.Time) error { return nil }

// bundle is the service on the tables of SQLite.
type bundle struct {
	*account.Service
	users   *persistence.Users
	letters *letters
	claims  *claims
	by      account.Caller
}

func setup(t *testing.T) bundle {
	t.Helper()
	db := storetest.Open(t, storetest.SQLite(t))
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	b := bundle{
		users: persistence.NewUsers(db), letters: &letters{}, claims: &claims{}, by: account.Caller{Network: "192.0.2.1", At: now},
	}
	clock := func() time.Time { return now }
	b.Service = account.New(account.Settings{
		PasswordCost: argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32},
	}, account.Services{
		Accounts: b.users, Passwords: b.users, Identities: b.users, Memberships: b.claims, Letters: b.letters,
		Throttle: persistence.NewThrottle(db, clock), Log: slog.New(slog.DiscardHandler), Now: clock, NewID: newID, Random: rand.Reader,
	})
	return b
}

// registered returns the bundle with an account whose address is not verified.
func registered(t *testing.T) bundle {
	t.Helper()
	b := setup(t)
	if _, err := b.Register(t.Context(), b.by, account.Registration{Email: email, Password: password, FirstName: "Ada"}); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSignInIsRefusedBeforeTheAddressIsVerified(t *testing.T) {
	t.Parallel()
	b := registered(t)
	_, err := b.SignIn(t.Context(), b.by, account.Credentials{Email: email, Password: password})
	if !fault.Is(err, fault.EmailNotVerified) {
		t.Error(err)
	}
}

func TestConfirmedAddressClaimsMembershipsAndPermitsSignIn(t *testing.T) {
	t.Parallel()
	b := registered(t)
	confirmed, err := b.Confirm(t.Context(), b.by, b.letters.code, "", false)
	if err != nil || len(b.claims.users) != 1 || b.claims.users[0] != confirmed.User.ID {
		t.Fatal(err, b.claims.users)
	}
	entry, err := b.SignIn(t.Context(), b.by, account.Credentials{Email: email, Password: password})
	if err != nil || entry.User.ID != confirmed.User.ID || entry.EndOthers {
		t.Errorf("%+v %v", entry, err)
	}
}

func TestInvitedAddressIsVerifiedAtTheRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	input := account.Registration{Email: email, Password: password, FirstName: "Ada", Invitation: "invitation of " + email}
	registered, err := b.Register(t.Context(), b.by, input)
	if err != nil || registered.Entry == nil || registered.Browser != "" || b.letters.code != "" || len(b.claims.users) != 1 {
		t.Fatalf("%+v %v, code %q", registered, err, b.letters.code)
	}
	if entry, err := b.SignIn(
		t.Context(), b.by, account.Credentials{Email: email, Password: password},
	); err != nil || entry.User.ID != registered.User.ID {
		t.Errorf("%+v %v", entry, err)
	}
}

func TestOtherAddressThanTheInvitedOneIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	input := account.Registration{Email: email, Password: password, Invitation: "invitation of eve@example.com"}
	if _, err := b.Register(t.Context(), b.by, input); !fault.Is(err, fault.Invalid) {
		t.Error(err)
	}
}

func TestRegisteringBrowserIsSignedInByTheCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	registered, err := b.Register(t.Context(), b.by, account.Registration{Email: email, Password: password, FirstName: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	confirmed, err := b.Confirm(t.Context(), b.by, b.letters.code, registered.Browser, true)
	if err != nil || confirmed.TakenOver || confirmed.Entry == nil || confirmed.Entry.User.ID != registered.User.ID {
		t.Errorf("%+v %v", confirmed, err)
	}
}

func TestOtherBrowserIsNotSignedInByTheCode(t *testing.T) {
	t.Parallel()
	b := registered(t)
	confirmed, err := b.Confirm(t.Context(), b.by, b.letters.code, "another browser", false)
	if err != nil || confirmed.Entry != nil {
		t.Errorf("%+v %v", confirmed, err)
	}
}

func TestTemporaryPasswordPermitsOneSignIn(t *testing.T) {
	t.Parallel()
	b := registered(t)
	if err := b.ResetPassword(t.Context(), b.by, email); err != nil {
		t.Fatal(err)
	}
	entry, err := b.SignIn(t.Context(), b.by, account.Credentials{Email: email, Password: b.letters.temporary})
	if err != nil || !entry.User.MustChangePassword || !entry.EndOthers {
		t.Fatalf("%+v %v", entry, err)
	}
	_, err = b.SignIn(t.Context(), b.by, account.Credentials{Email: email, Password: b.letters.temporary})
	if !fault.Is(err, fault.InvalidCredentials) {
		t.Errorf("second use: %v", err)
	}
}

func TestAttemptsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	b := registered(t)
	var err error
	for range 11 {
		_, err = b.SignIn(t.Context(), b.by, account.Credentials{Email: email, Password: "another harbour at dusk"})
	}
	if !fault.Is(err, fault.TooManyAttempts) {
		t.Error(err)
	}
}

func TestOperatorPromotesAnExistingAccount(t *testing.T) {
	t.Parallel()
	b := registered(t)
	operator := account.Operator{Store: b.users, Now: func() time.Time { return b.by.At }, NewID: newID}
	_, exists, err := operator.Promote(t.Context(), email)
	if err != nil || !exists {
		t.Fatal(exists, err)
	}
	user, err := b.users.ByEmail(t.Context(), email)
	if err != nil || !user.SiteAdmin {
		t.Errorf("%+v %v", user, err)
	}
}
