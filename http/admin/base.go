// Package admin serves the operations of site administrators and of the gateway.
package admin

import (
	"context"
	"log/slog"
	"maps"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Services are the dependencies of the package.
type Services struct {
	Administration Administration
	Blocklist      Blocklist
	Sessions       Sessions
	Accounts       Accounts
	Log            *slog.Logger
}

// Sessions ends sessions.
type Sessions interface {
	RevokeUser(ctx context.Context, user organization.UserID) error
}

// Accounts finds accounts.
type Accounts interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
}

type (
	accounts  struct{ *base }
	blocklist struct{ *base }
)

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	b := &base{kernel, services}
	all := accounts{b}.operations()
	maps.Copy(all, blocklist{b}.operations())
	return all
}
