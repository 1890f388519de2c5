package membership

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Claim links the user to the members that organizations entered with the user's e-mail address, which must be
// verified. The error contains the failures of all organizations; the other memberships are claimed.
func (s *Service) Claim(ctx context.Context, user messages.User, at time.Time) error {
	known, err := s.Index.EntitiesByEmail(ctx, user.Email)
	if err != nil {
		return fmt.Errorf("find holders: %w", err)
	}
	var failures []error
	for _, one := range known {
		if err := s.claimIn(ctx, user, at, one); err != nil {
			failures = append(failures, fmt.Errorf("organization %s: %w", one.Organization, err))
		}
	}
	return errors.Join(failures...)
}

// claimIn links the user to the member with the verified address. It does not change an entity
// that belongs to another account, or an organization of which the user is a member already.
func (s *Service) claimIn(ctx context.Context, user messages.User, at time.Time, one messages.KnownEntity) error {
	view, err := s.Organizations.View(ctx, one.Organization)
	if err != nil {
		return err
	}
	member, ok := view.State.MemberOf(one.Entity)
	_, already := view.State.MemberBy(user.ID)
	if !ok || already || !member.User.IsZero() || member.Status != organization.StatusRegistered {
		return nil
	}
	if _, waits := member.ClaimWaitsUntil(at); waits {
		return nil
	}
	person, err := s.Index.Person(ctx, one.Entity)
	if err != nil || !person.IsZero() && person != user.ID {
		return messages.Unavailable(ctx, "find person", err)
	}
	if person.IsZero() {
		if err := s.checkElsewhere(ctx, user, one.Organization, one.Entity, at); err != nil {
			if fault.Is(err, fault.Conflict) {
				err = nil
			}
			return err
		}
	}
	_, err = s.Organizations.Do(ctx, messages.Command{
		Organization: one.Organization, By: user.ID.String(), At: at,
		Body: organization.ClaimMember{Entity: one.Entity, User: user.ID},
	})
	return err
}

// CheckOwners returns a refusal if the user is the only owner of an organization.
func (s *Service) CheckOwners(ctx context.Context, user organization.UserID) error {
	ids, err := s.Index.OrganizationsOf(ctx, user)
	if err != nil {
		return messages.Unavailable(ctx, "list organizations", err)
	}
	for _, id := range ids {
		view, err := s.Organizations.View(ctx, id)
		if err != nil {
			return err
		}
		if owners := ownersOf(view.State); len(owners) == 1 && owners[0] == user {
			return fault.Refuse(fault.LastOwner, "You are the only owner of an organization. Appoint another owner first.").
				With("organization", id.String())
		}
	}
	return nil
}

// ownersOf returns the users with the Owner role.
func ownersOf(state *organization.State) []organization.UserID {
	var owners []organization.UserID
	for member := range state.Members() {
		if member.Status == organization.StatusJoined && !member.User.IsZero() && slices.Contains(member.Roles, organization.RoleOwner) {
			owners = append(owners, member.User)
		}
	}
	return owners
}

// LeaveAll ends the memberships of the user.
func (s *Service) LeaveAll(ctx context.Context, user organization.UserID, at time.Time) error {
	ids, err := s.Index.OrganizationsOf(ctx, user)
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, err := s.Organizations.Do(ctx, messages.Command{
			Organization: id, By: user.String(), At: at, Body: organization.LeaveOrganization{User: user},
		})
		if err != nil && !fault.Is(err, fault.NotFound) { // removed by a concurrent request
			return err
		}
	}
	return nil
}
