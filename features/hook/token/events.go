package token

import (
	"equity/captable"
	"equity/organization"
)

// Created records a new hook token.
type Created struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	// Rights are those of the author.
	Rights *organization.Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (Created) EventType() string { return "hookTokenCreated" }

// Creates returns the token.
func (e Created) Creates() []captable.Created { return []captable.Created{{ID: e.ID, Kind: kind}} }

// Records returns the token.
func (e Created) Records(s *organization.State) []any {
	if token, ok := Of(s).Get(e.ID); ok {
		return []any{token}
	}
	return nil
}

func (e Created) Apply(s *organization.State, stamp captable.Stamp) {
	edited(s).add(&Token{
		ID: e.ID, Name: e.Name, Author: organization.AccountOf(stamp), Rights: e.Rights, Meta: captable.NewMeta(stamp),
	})
}

// Revoked records the end of a hook token.
type Revoked struct {
	ID ID `json:"id"`
}

// EventType returns the event's name in the journal.
func (Revoked) EventType() string { return "hookTokenRevoked" }

// Creates returns nil.
func (Revoked) Creates() []captable.Created { return nil }

// Records returns nil: the token no longer exists.
func (Revoked) Records(*organization.State) []any { return nil }

func (e Revoked) Affects(*organization.State) []organization.Reference {
	return []organization.Reference{{Kind: kind, ID: e.ID}}
}

func (e Revoked) Apply(s *organization.State, _ captable.Stamp) { edited(s).remove(e.ID) }
