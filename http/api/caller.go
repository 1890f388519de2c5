package api

import (
	"context"

	"equity/account"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// Account returns the caller's account.
func (s *Kernel) Account(ctx context.Context, c *Call) (messages.User, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if IsUnknownUser(err) { // the account was erased before its session ended
		return messages.User{}, Unauthorized()
	}
	return account, Unavailable(Wrap(ctx, "find account", err))
}

// AccountByID finds accounts.
type AccountByID interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// AccountCaller returns the caller for the use cases of accounts.
func AccountCaller(c *Call) account.Caller {
	return account.Caller{
		User: c.Caller.User, Session: c.Caller.Session, MustChangePassword: c.Caller.MustChangePassword,
		Network: c.Caller.Network(), Agent: c.Header("User-Agent"), Request: c.ID, At: c.At,
	}
}

// MembershipCaller returns the caller for the use cases of memberships.
func MembershipCaller(c *Call) membership.Caller {
	return membership.Caller{User: c.Caller.User, Token: c.Caller.Token}
}
