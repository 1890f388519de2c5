package http

import (
	"bytes"
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"equity/captable"
	"equity/organization"
)

func (s *Server) organizationHandlers() map[string]Handler {
	return map[string]Handler{
		"createOrganization": s.createOrganization,
		"listOrganizations":  s.listOrganizations,
		"getOrganization":    s.getOrganization,
		"amendOrganization":  s.amendOrganization,
	}
}

// organizationRecord is the JSON form of an organization for one of its members.
type organizationRecord struct {
	ID organization.ID `json:"id"`
	organization.Profile
	Features    map[string]bool `json:"features"`
	Roles       []string        `json:"roles"`
	Permissions []string        `json:"permissions"`
	captable.Meta
}

// organizationOf returns the organization for the member.
func (s *Server) organizationOf(state *organization.State, user organization.UserID) organizationRecord {
	record := organizationRecord{
		ID: state.ID(), Profile: state.Profile(), Meta: state.Meta(), Features: map[string]bool{}, Roles: []string{},
	}
	maps.Copy(record.Features, s.settings.Features)
	delete(record.Features, FeatureDiagnostic)
	permissions, _ := state.Permissions(user)
	record.Permissions = permissions.Names()
	if member, ok := state.MemberBy(user); ok {
		record.Roles = member.Roles
	}
	if !permissions.Has(organization.ViewOrganization) {
		record.Profile = publicProfile(record.Profile)
	}
	return record
}

// publicProfile returns the part of the profile that every member may see.
func publicProfile(p organization.Profile) organization.Profile {
	return organization.Profile{
		Name: p.Name, LegalName: p.LegalName, Type: p.Type, Website: p.Website, Logo: p.Logo, Currency: p.Currency, Storage: p.Storage,
	}
}

// createOrganization founds an organization with the caller as its Owner. The id is derived from the
// idempotency key, if there is a key, so that a repeated request finds the first organization.
func (s *Server) createOrganization(ctx context.Context, c *Call) (Answer, error) {
	profile, err := decode[organization.Profile](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if isUnknownUser(err) {
		return Answer{}, errUnauthorized()
	}
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	c.Organization = s.newOrganizationID(c)
	reply, err := s.decideOn(ctx, c, organization.Create{
		ID: c.Organization, Profile: profile,
		Creator: organization.Founder{User: account.ID, Entity: account.Entity, Name: fullName(account)},
	}, nil)
	if err != nil {
		return Answer{}, err
	}
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	record := s.organizationOf(view.State, account.ID)
	answer := created(record, "/organization/"+record.ID.String(), versionTag(record.Version, view.Sequence))
	answer.Replayed = reply.Replayed
	return answer, nil
}

// newOrganizationID returns a new id, or with an idempotency key the id derived from it, because there
// is no journal yet in which a repetition could be found. The derived id is a UUID of version 8.
func (s *Server) newOrganizationID(c *Call) organization.ID {
	key := c.idempotencyKey()
	if key == "" {
		return fresh[organization.Organization](s)
	}
	sum := sha256.Sum256([]byte("organization " + key))
	id := organization.ID(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (s *Server) listOrganizations(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	s.claim(ctx, c, account) // memberships entered since the sign-in
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, func(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) })
	found := page[organizationRecord]{Data: []organizationRecord{}}
	after := c.After()
	for _, id := range ids {
		if bytes.Compare(id[:], after[:]) <= 0 {
			continue
		}
		if len(found.Data) == c.Limit() {
			last := found.Data[len(found.Data)-1]
			found.NextCursor = cursor{sequence: 1, after: last.ID}.String()
			break
		}
		view, err := s.view(ctx, id)
		if isDamaged(err) {
			continue
		}
		if err != nil {
			return Answer{}, err
		}
		if _, ok := view.State.MemberBy(c.Caller.User); ok {
			found.Data = append(found.Data, s.organizationOf(view.State, c.Caller.User))
		}
	}
	return Answer{Record: found, Private: true}, nil
}

func (s *Server) getOrganization(_ context.Context, c *Call) (Answer, error) {
	tag := c.recordTag(c.View.State.Meta().Version)
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	return answered(s.organizationOf(c.View.State, c.Caller.User), tag), nil
}

// amendOrganization patches the profile and returns the state after the change.
func (s *Server) amendOrganization(ctx context.Context, c *Call) (Answer, error) {
	reply, err := s.decideOn(ctx, c, organization.Amend{Patch: c.Body}, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.preview(c, reply), nil
	}
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	c.View = view
	record := s.organizationOf(view.State, c.Caller.User)
	return answered(record, c.recordTag(record.Version)), nil
}
