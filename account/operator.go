package account

import (
	"context"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// OperatorStore stores the accounts that the operator of the server creates.
type OperatorStore interface {
	// ByEmail ignores case.
	ByEmail(ctx context.Context, email string) (messages.User, error)
	Create(ctx context.Context, user messages.User) error
	SetSiteAdmin(ctx context.Context, id organization.UserID, admin bool) error
}

// Operator contains the use cases of the operator of the server.
type Operator struct {
	Store OperatorStore
	// Now returns the time. NewID returns a new UUID of version 7.
	Now   func() time.Time
	NewID func() [16]byte
}

// NewAccount is the input of an account without a registration.
type NewAccount struct {
	Email, FirstName, LastName, Password string
	SiteAdmin                            bool
}

// Create stores an account. Its address needs no confirmation, because the operator of the server supplies it.
func (o Operator) Create(ctx context.Context, given NewAccount) (messages.User, error) {
	hash, err := newHasher(PasswordCost(), nil).hash(ctx, given.Password)
	if err != nil {
		return messages.User{}, err
	}
	now := o.Now()
	user := messages.User{
		ID: captable.ID[organization.User](o.NewID()), Entity: captable.ID[captable.Entity](o.NewID()), Email: given.Email,
		Username:  given.Email,
		FirstName: given.FirstName, LastName: given.LastName, SiteAdmin: given.SiteAdmin,
		PasswordHash: hash, EmailVerifiedAt: now, AcceptedTermsAt: now, CreatedAt: now,
	}
	return user, o.Store.Create(ctx, user)
}

// Promote makes the account with the address a site administrator. It returns false if there is no such account.
func (o Operator) Promote(ctx context.Context, email string) (messages.User, bool, error) {
	user, err := o.Store.ByEmail(ctx, email)
	if fault.Is(err, fault.UserNotFound) {
		return user, false, nil
	}
	if err == nil {
		err = o.Store.SetSiteAdmin(ctx, user.ID, true)
	}
	return user, err == nil, err
}
