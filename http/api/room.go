package api

import (
	"context"
	"net/http"

	"equity/fault"
	"equity/organization"
)

// Room is what a feature outside of the core adds to the API. Each field may be nil.
type Room struct {
	// Operations returns the handlers by operation id.
	Operations func(kernel *Kernel) map[string]Handler
	// Show returns the JSON form of a record of the room for the caller; false for other records.
	Show func(c *Call, record any) (shown any, known bool)
	// Name returns the kind and the name of the record with the id, in the organization of the call; empty if it is not one of the room, or
	// if the caller may not see it.
	Name func(c *Call, id [16]byte) (kind, name string)
	// Statuses are the HTTP statuses of the codes of its refusals.
	Statuses map[fault.Code]int
	// SessionsEnded is called when the last session of a user ends.
	SessionsEnded func(ctx context.Context, user organization.UserID) error
	// EndedCookies end the session of a browser at another server. They are sent when another user signs in, and at each sign-out.
	EndedCookies []*http.Cookie
}
