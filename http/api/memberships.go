package api

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// EachHome calls visit with a call for each organization of the caller, in order of creation. Operations without an organization
// in the path run over all of them. A caller may belong to thousands of organizations, so visit keeps no view.
func (s *Kernel) EachHome(ctx context.Context, c *Call, visit func(home *Call)) error {
	ids, err := HomeIDs(ctx, s, c)
	if err != nil {
		return err
	}
	for home, err := range Homes(ctx, s, c, ids) {
		if err != nil {
			return err
		}
		visit(home)
	}
	return nil
}

// HomeIDs returns the organizations of the caller, in order of creation.
func HomeIDs(ctx context.Context, s *Kernel, c *Call) ([]organization.ID, error) {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return nil, Unavailable(Wrap(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, compareIDs)
	return slices.DeleteFunc(ids, func(id organization.ID) bool { return !c.Reaches(id) }), nil
}

// Reaches reports whether the token and the confinement of the call permit reading the organization. The assistant answers within one
// organization: records of others, also those of its user, do not reach the language model.
func (c *Call) Reaches(id organization.ID) bool {
	return c.Caller.Token.Reaches(id) && (c.within.IsZero() || c.within == id)
}

func compareIDs(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) }

// Homes reads several organizations at the same time, and yields their calls in the order of the ids. It omits organizations of which the
// caller is no member, and those whose journal cannot be read. It ends after the first error.
func Homes(ctx context.Context, s *Kernel, c *Call, ids []organization.ID) iter.Seq2[*Call, error] {
	return membership.Found(ctx, ids, func(ctx context.Context, id organization.ID) (*Call, error) {
		home, err := s.HomeOf(ctx, c, id)
		if messages.IsUnreadable(err) {
			return nil, nil
		}
		return home, err
	})
}

// allHomes is Homes with an error for an organization whose journal cannot be read.
func allHomes(ctx context.Context, s *Kernel, c *Call, ids []organization.ID) iter.Seq2[*Call, error] {
	return membership.Found(ctx, ids, func(ctx context.Context, id organization.ID) (*Call, error) { return s.HomeOf(ctx, c, id) })
}

// HomeOf returns the call for the organization; nil if the caller is not a member of it.
func (s *Kernel) HomeOf(ctx context.Context, c *Call, id organization.ID) (*Call, error) {
	if !c.Reaches(id) {
		return nil, nil //nolint:nilnil // nil means no membership
	}
	view, err := s.View(ctx, id)
	if err != nil {
		return nil, err
	}
	home := *c
	home.Organization, home.View, home.Present, home.files = id, view, view, nil
	reader, ok := view.State.Reader(c.Caller.User, c.Caller.Token.Bound(id))
	if !ok {
		return nil, nil //nolint:nilnil // nil means no membership
	}
	home.Member, home.Permissions = reader.Member, reader.Permissions
	return &home, nil
}

// TokenRights returns the present rights of the caller in an organization, or in all of the caller's organizations for the zero ID.
func (s *Kernel) TokenRights(ctx context.Context, c *Call, in organization.ID) (messages.TokenRights, error) {
	rights := messages.TokenRights{}
	err := s.EachHome(ctx, c, func(home *Call) {
		if in.IsZero() || home.Organization == in {
			rights[home.Organization] = organization.Rights{Roles: home.Member.Roles, Permissions: home.Permissions}
		}
	})
	return rights, err
}
