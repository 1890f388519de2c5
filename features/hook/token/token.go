// Package token is the pure part of the room hook: the hook tokens of an organization, with their commands and events. It has the rules
// of package organization: no clock, I/O, goroutines or randomness.
package token

import (
	"slices"

	"equity/captable"
	"equity/organization"
)

// ID identifies a hook token of an organization.
type ID = captable.ID[Token]

// Token authorizes inbound hooks of the organization. The record is immutable. The token itself is not stored; its hash is stored beside
// the journal.
type Token struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	// Author is the user with whose rights the runs of the token read. Zero for the system.
	Author organization.UserID `json:"author,omitzero"`
	// Rights bound those of the author. Tokens of earlier versions have none.
	Rights *organization.Rights `json:"rights,omitempty"`
	captable.Meta
}

// The limits of hook tokens. A second token is for rotation.
const (
	Most     = 2
	mostName = 100
)

// Reader returns the reader for the runs of a hook token: its author within the recorded rights; false if the token is not valid or the
// author is not a member. The zero id is the token of the operator, whose runs read like an Auditor without restricted documents.
func Reader(s *organization.State, id ID) (organization.Reader, bool) {
	if id.IsZero() {
		return organization.Reader{Member: &organization.Member{}, Permissions: s.PermissionsOf([]string{organization.RoleAuditor})}, true
	}
	token, ok := Of(s).Get(id)
	if !ok {
		return organization.Reader{}, false
	}
	return s.Reader(token.Author, token.Rights)
}

// ReadsRunsOf reports whether the reader may read all that the runs of a hook token read. Only Owners may for a token that was revoked.
func ReadsRunsOf(s *organization.State, id ID, reader organization.Reader) bool {
	token, ok := Of(s).Get(id)
	switch {
	case reader.Member.Owns():
		return true
	case id.IsZero():
		return s.PermissionsOf([]string{organization.RoleAuditor})&^reader.Permissions == 0
	case !ok || token.Author.IsZero() || token.Author != reader.Member.User:
		return false
	}
	bound := token.Rights
	if bound == nil {
		bound = s.RightsOf(token.Author)
	}
	missing := func(role string) bool { return !slices.Contains(reader.Member.Roles, role) }
	return bound != nil && bound.Permissions&^reader.Permissions == 0 && !slices.ContainsFunc(bound.Roles, missing)
}
