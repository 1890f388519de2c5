package membership

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Request is the origin of a change.
type Request struct {
	Caller
	// Network is the key by which attempts are counted; empty for requests without one.
	Network string
	// Command has the organization, the author, the time and the conditions of the change. Its body is ignored.
	Command messages.Command
	// notices are the former addresses that the request has counted.
	notices map[string]bool
}

// Changed is the result of a change of a member.
type Changed struct {
	Member *organization.Member
	Reply  messages.Reply
}

// NewMember is the input of [Service.Add].
type NewMember struct {
	organization.MemberTerms
	Entity captable.EntityID `json:"entity"`
	Email  string            `json:"email"`
}

// Add adds a member: the named entity, else the entity that the organization knows by the address, else a new entity.
// Accounts with the address are ignored; their owner claims the membership.
func (s *Service) Add(ctx context.Context, r Request, input NewMember, private Particulars) (Changed, error) {
	if !input.Entity.IsZero() {
		if err := s.CheckNewMember(ctx, r.Caller, input.Entity); err != nil {
			return Changed{}, err
		}
	}
	r.notices = map[string]bool{}
	return withMembers(ctx, s, r.Command.Organization, func(view *messages.View) (Changed, error) {
		entity, err := s.entityOf(ctx, view, input)
		if err != nil {
			return Changed{}, err
		}
		attempt := r
		if attempt.Command, err = r.Command.Draws(entity); err != nil {
			return Changed{}, err
		}
		add := organization.AddMember{MemberTerms: input.MemberTerms, Entity: entity}
		if former, returns := view.State.MemberOf(entity); returns {
			if add.Address, err = s.readdress(ctx, &attempt, view, former, private); err != nil {
				return Changed{}, err
			}
		}
		return s.change(ctx, attempt, view, add, private.of(entity))
	})
}

// entityOf returns the entity of the new member.
func (s *Service) entityOf(ctx context.Context, view *messages.View, input NewMember) (captable.EntityID, error) {
	if !input.Entity.IsZero() {
		return input.Entity, s.checkReturn(ctx, view, input)
	}
	known, err := s.findByAddress(ctx, view, input.Email)
	if err == nil && known.IsZero() {
		known = captable.ID[captable.Entity](s.NewID())
	}
	return known, err
}

// checkReturn refuses a returning member whose address, new or stored, now belongs to another member.
func (s *Service) checkReturn(ctx context.Context, view *messages.View, input NewMember) error {
	address := input.Email
	if address == "" {
		stored, err := s.Index.Particulars(ctx, view.State.ID(), input.Entity)
		if err != nil {
			return messages.Unavailable(ctx, "read particulars", err)
		}
		address = emailOf(stored[input.Entity][fieldEmail])
	}
	_, err := s.checkAddress(ctx, view, input.Entity, address)
	return err
}

// Amend changes a member. The patch has no particulars; they are in private.
func (s *Service) Amend(ctx context.Context, r Request, id organization.MemberID, patch []byte, private Particulars) (Changed, error) {
	r.notices = map[string]bool{}
	return withMembers(ctx, s, r.Command.Organization, func(view *messages.View) (Changed, error) {
		member, ok := view.State.Member(id)
		if !ok {
			return Changed{}, errNoMember()
		}
		particulars := private.of(member.Entity)
		if err := s.mergeAddress(ctx, r.Command.Organization, particulars); err != nil {
			return Changed{}, err
		}
		own, err := s.checkAddress(ctx, view, member.Entity, emailOf(private[fieldEmail]))
		if err != nil {
			return Changed{}, err
		}
		attempt, address := r, organization.Readdressing{}
		if !own {
			if address, err = s.readdress(ctx, &attempt, view, member, private); err != nil {
				return Changed{}, err
			}
		}
		return s.change(ctx, attempt, view, organization.AmendMember{ID: id, Patch: patch, Address: address}, particulars)
	})
}

// change carries out a command that depends on the members of the view.
func (s *Service) change(
	ctx context.Context, r Request, view *messages.View, body organization.CommandOf[*organization.Member], private []messages.Particular,
) (Changed, error) {
	command := r.Command
	command.Particulars, command.MembersAsOf = private, view.Sequence
	member, reply, err := messages.Do(ctx, s.Organizations, command, body)
	return Changed{member, reply}, messages.Wrap(ctx, "change members of "+command.Organization.String(), err)
}

// Remove ends a membership. The reply contains the effects on the member's options and shares.
func (s *Service) Remove(ctx context.Context, r Request, body organization.RemoveMember) (Changed, error) {
	member, reply, err := messages.Do(ctx, s.Organizations, r.Command, body)
	return Changed{member, reply}, messages.Wrap(ctx, "remove member of "+r.Command.Organization.String(), err)
}

func errNoMember() error { return fault.Refuse(fault.NotFound, "There is no such record.") }

// maxAttempts bounds retries when the member list changes concurrently. Each retry means that another
// change succeeded.
const maxAttempts = 50

// withMembers runs a change that enters e-mail addresses. The journal holds no addresses, so the
// uniqueness of an address is checked against a view. The organization refuses the command if its
// members changed since that view; withMembers then repeats the check with a new view. Concurrent
// requests, also on several servers, therefore never create two members with one address.
func withMembers[R any](ctx context.Context, s *Service, id organization.ID, change func(*messages.View) (R, error)) (R, error) {
	for attempt := 1; ; attempt++ {
		view, err := s.Organizations.View(ctx, id)
		if err != nil {
			var none R
			return none, err
		}
		result, err := change(view)
		if attempt == maxAttempts || !errors.Is(err, messages.ErrMembersChanged) {
			return result, err
		}
	}
}

// mergeAddress applies a merge patch to the stored address; omitted parts stay unchanged.
func (s *Service) mergeAddress(ctx context.Context, id organization.ID, particulars []messages.Particular) error {
	for i := range particulars {
		p := &particulars[i]
		if p.Field != fieldAddress || string(p.Value) == "null" {
			continue
		}
		stored, err := s.Index.Particulars(ctx, id, p.Entity)
		if err != nil {
			return messages.Unavailable(ctx, "read particulars", err)
		}
		var old organization.Address
		if text := stored[p.Entity][fieldAddress]; text != nil {
			if err := json.Unmarshal(text, &old); err != nil {
				return fmt.Errorf("address of %s: %w", p.Entity, err)
			}
		}
		merged, err := captable.Patched(old, p.Value)
		if err != nil {
			return err
		}
		if p.Value, err = json.Marshal(merged); err != nil {
			return fmt.Errorf("address of %s: %w", p.Entity, err)
		}
	}
	return nil
}
