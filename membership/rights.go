package membership

import (
	"context"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Views provides the views of organizations.
type Views interface {
	// View returns the organization as of its last durable event. If it does not exist, it returns a
	// fault.Error with code resourceNotFound.
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// People finds the owners of entities and the organizations of users.
type People interface {
	// OrganizationsOf returns the organizations of which the user is a member.
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
	// Person returns the owner of the entity; the zero ID if the entity has no account.
	Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error)
}

// Caller is a user, with the token through which the user acts; nil in a session.
type Caller struct {
	User  organization.UserID
	Token *messages.TokenGrant
}

// Rights decides on behalf of which entities a user may act.
type Rights struct {
	people People
	views  Views
}

// NewRights returns the rights that result from the memberships.
func NewRights(people People, views Views) *Rights { return &Rights{people, views} }

// Person returns the owner of an entity: the account created with it, or the account that became a
// member of an organization as this entity. It returns the zero ID for an entity without an account.
func (r *Rights) Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	found, err := r.people.Person(ctx, entity)
	return found, messages.Unavailable(ctx, "find person", err)
}

// ActsFor reports whether the user acts for an entity without an account. For an organization's own
// entity, the user must be allowed to edit its details; for a holder, the members of an organization
// to which the holder belongs.
func (r *Rights) ActsFor(ctx context.Context, by Caller, entity captable.EntityID) (acts bool, err error) {
	err = r.eachOrganization(ctx, by, func(state *organization.State, permissions organization.Permissions) {
		switch {
		case captable.EntityID(state.ID()) == entity:
			acts = acts || permissions.Has(organization.EditOrganizationDetails)
		default:
			_, known := state.MemberOf(entity)
			acts = acts || known && permissions.Has(organization.EditMembers)
		}
	})
	return acts, err
}

// Controls reports whether the user may act as an entity: their own, or one without an account for
// which they act.
func (r *Rights) Controls(ctx context.Context, by Caller, entity captable.EntityID) (bool, error) {
	person, err := r.Person(ctx, entity)
	if err != nil || !person.IsZero() {
		return err == nil && person == by.User, err
	}
	return r.ActsFor(ctx, by, entity)
}

// CheckNewMember refuses a new member whose entity the user does not act for. Entities of people with an
// account cannot be named: people are invited, or claim the membership with their address.
func (r *Rights) CheckNewMember(ctx context.Context, by Caller, entity captable.EntityID) error {
	person, err := r.Person(ctx, entity)
	if err != nil {
		return err
	}
	acts := false
	if person.IsZero() {
		acts, err = r.ActsFor(ctx, by, entity)
	}
	if err == nil && !acts {
		err = fault.InvalidField("/entity", "unknownReference", "Name an entity that has no account and whose memberships you may edit.")
	}
	return err
}

// ProfileRights are the rights of a user to the profile of an entity.
type ProfileRights struct {
	// Own reports that the profile is the user's.
	Own bool
	// View and Update result from memberships of the entity.
	View, Update bool
}

// OnProfile determines the user's rights to the profile of the entity. Organizations can access the profile of a person
// who joined as this entity and is still a member, and the profiles of holders without an account.
func (r *Rights) OnProfile(ctx context.Context, by Caller, entity captable.EntityID) (ProfileRights, error) {
	person, err := r.Person(ctx, entity)
	if err != nil {
		return ProfileRights{}, err
	}
	rights := ProfileRights{Own: person == by.User}
	err = r.eachOrganization(ctx, by, func(state *organization.State, permissions organization.Permissions) {
		member, ok := state.MemberOf(entity)
		if !ok || member.Status == organization.StatusRemoved || member.User != person {
			return
		}
		rights.Update = rights.Update || permissions.Has(organization.EditMembers)
		rights.View = rights.View || permissions.Has(organization.ViewMembers)
	})
	return rights, err
}

// eachOrganization calls visit for the organizations of the caller, with the permissions in them. It omits organizations with a damaged
// journal.
func (r *Rights) eachOrganization(ctx context.Context, by Caller, visit func(*organization.State, organization.Permissions)) error {
	ids, err := r.people.OrganizationsOf(ctx, by.User)
	if err != nil {
		return messages.Unavailable(ctx, "list organizations", err)
	}
	for state, err := range statesOf(ctx, r.views, ids) {
		if err != nil {
			return err
		}
		reader, member := state.Reader(by.User, by.Token.Bound(state.ID()))
		if member && by.Token.Reaches(state.ID()) {
			visit(state, reader.Permissions)
		}
	}
	return nil
}
