package membership

import (
	"context"
	"encoding/json"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// The particulars with rules of their own.
const (
	fieldEmail   = "email"
	fieldAddress = "address"
)

// Particulars are the personal data of a member by field, as JSON. They are stored outside the journal, so that they can
// be erased.
type Particulars map[string]json.RawMessage

// personalFields lists the fields of a member that are particulars.
func personalFields() []string {
	return []string{fieldEmail, "dateOfBirth", "phone", fieldAddress, "taxResidence"}
}

// SplitParticulars extracts the particulars from the fields of a member, a JSON object. It returns the remaining fields.
func SplitParticulars(body []byte) (rest []byte, _ Particulars, err error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, nil, fault.InvalidField("", "syntax", "The body is not a JSON object.")
	}
	private := Particulars{}
	for _, name := range personalFields() {
		if value, given := fields[name]; given {
			private[name] = value
			delete(fields, name)
		}
	}
	rest, err = json.Marshal(fields)
	return rest, private, err
}

// of returns the particulars for the store.
func (p Particulars) of(entity captable.EntityID) []messages.Particular {
	var all []messages.Particular
	for _, name := range personalFields() {
		if value, given := p[name]; given {
			all = append(all, messages.Particular{Entity: entity, Field: name, Value: value})
		}
	}
	return all
}

// emailOf decodes the JSON value of an e-mail address; empty if absent.
func emailOf(value json.RawMessage) (address string) {
	if json.Unmarshal(value, &address) != nil {
		return ""
	}
	return address
}

// checkAddress refuses an address that belongs to another member. It reports whether the address belongs to
// the entity itself.
func (s *Service) checkAddress(ctx context.Context, view *messages.View, entity captable.EntityID, email string) (own bool, err error) {
	known, err := s.findByAddress(ctx, view, email)
	if err != nil || known == entity {
		return known == entity, err
	}
	if member, ok := view.State.MemberOf(known); ok && member.Status != organization.StatusRemoved {
		return false, fault.Refuse(fault.Conflict, "This person is already a member.").With("member", member.ID.String())
	}
	return false, nil
}

// findByAddress returns the entity with this address in the organization; the zero ID if there is no such
// entity. Active members take precedence over removed ones. The account with the address counts only
// if it is a member, so that the answer does not reveal the existence of other accounts.
func (s *Service) findByAddress(ctx context.Context, view *messages.View, email string) (captable.EntityID, error) {
	if strings.TrimSpace(email) == "" {
		return captable.EntityID{}, nil
	}
	account, err := s.Accounts.ByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.UserNotFound) {
		return captable.EntityID{}, messages.Unavailable(ctx, "find account", err)
	}
	if member, ok := view.State.MemberBy(account.ID); ok && err == nil {
		return member.Entity, nil
	}
	known, err := s.Index.EntitiesByEmail(ctx, email)
	if err != nil {
		return captable.EntityID{}, messages.Unavailable(ctx, "find holders", err)
	}
	var found captable.EntityID
	for _, one := range known {
		if one.Organization != view.State.ID() {
			continue
		}
		member, ok := view.State.MemberOf(one.Entity)
		if ok && (found.IsZero() || member.Status != organization.StatusRemoved) {
			found = one.Entity
		}
	}
	return found, nil
}
