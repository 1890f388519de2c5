package member

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/organization/jurisdiction"
)

func (s organizations) operations() map[string]api.Handler {
	return map[string]api.Handler{
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
	// JurisdictionName is the name of Profile.Jurisdiction as a label, without an article.
	JurisdictionName string `json:"jurisdictionName,omitempty"`

	Features    map[string]bool `json:"features"`
	Plan        string          `json:"plan"`
	Roles       []string        `json:"roles"`
	Permissions []string        `json:"permissions"`
	Sequence    uint64          `json:"sequence,omitempty"` // absent in webhooks
	captable.Meta
}

// organizationOf returns the organization for the reader.
func (s organizations) organizationOf(view *messages.View, reader organization.Reader) organizationRecord {
	record := describeOrganization(view.State, s.Features, append([]string{}, reader.Member.Roles...), reader.Permissions)
	if !view.State.FilesFor(reader).Shows(record.Logo) {
		record.Logo = ""
	}
	record.Sequence = view.Sequence
	return record
}

// describeOrganization returns the organization for a member with the roles and their permissions.
func describeOrganization(
	state *organization.State, features map[string]bool, roles []string, permissions organization.Permissions,
) organizationRecord {
	record := organizationRecord{
		ID: state.ID(), Profile: state.Profile(), Meta: state.Meta(), Features: map[string]bool{}, Roles: roles,
		Permissions: permissions.Names(),
	}
	maps.Copy(record.Features, features)
	delete(record.Features, api.FeatureDiagnostic)
	record.Plan = organization.PlanSelfHosted
	if features[api.FeatureBilling] {
		record.Plan = state.Plan()
	}
	if !permissions.Has(organization.ViewOrganization) {
		record.Profile = publicProfile(record.Profile)
	}
	if code := record.Jurisdiction; code != "" {
		record.JurisdictionName = strings.TrimPrefix(jurisdiction.Name(code), "the ")
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
func (s organizations) createOrganization(ctx context.Context, c *api.Call) (api.Answer, error) {
	profile, err := api.Decode[organization.Profile](c)
	if err == nil {
		err = s.checkStorage(ctx, c)
	}
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	c.Organization = s.newOrganizationID(c)
	reply, err := s.Decide(ctx, c, organization.Create{
		ID: c.Organization, Profile: profile,
		Creator: organization.Founder{User: account.ID, Entity: account.Entity, Name: account.FullName()},
	}, nil)
	if err != nil {
		return api.Answer{}, err
	}
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	founder, member := view.State.Reader(account.ID, nil)
	if !member { // a repeated request, after the founder has left
		founder.Member = &organization.Member{}
	}
	record := s.organizationOf(view, founder)
	answer := api.Created(record, "/organization/"+record.ID.String(), api.VersionTag(record.Version, view.Sequence))
	answer.Replayed = reply.Replayed
	return answer, nil
}

// newOrganizationID returns a new id, or with an idempotency key the id derived from it, because there
// is no journal yet in which a repetition could be found. The derived id is a UUID of version 8.
func (s organizations) newOrganizationID(c *api.Call) organization.ID {
	key := c.IdempotencyKey()
	if key == "" {
		return captable.ID[organization.Organization](s.NewID())
	}
	sum := sha256.Sum256([]byte("organization " + key))
	id := organization.ID(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (s organizations) listOrganizations(ctx context.Context, c *api.Call) (api.Answer, error) {
	ids, err := api.HomeIDs(ctx, s.Kernel, c)
	if err != nil {
		return api.Answer{}, err
	}
	after := organization.ID(c.After())
	ids = slices.DeleteFunc(ids, func(id organization.ID) bool { return bytes.Compare(id[:], after[:]) <= 0 })
	found := api.Page[organizationRecord]{Data: []organizationRecord{}}
	for room := c.Limit(); room > 0 && len(ids) > 0; room = c.Limit() - len(found.Data) { // some ids have no record
		next := ids[:min(room, len(ids))]
		ids = ids[len(next):]
		for home, err := range api.Homes(ctx, s.Kernel, c, next) {
			if err != nil {
				return api.Answer{}, err
			}
			found.Data = append(
				found.Data, s.organizationOf(home.View, organization.Reader{Member: home.Member, Permissions: home.Permissions}),
			)
		}
	}
	if len(ids) > 0 {
		last := found.Data[len(found.Data)-1]
		found.NextCursor = api.Cursor{Sequence: api.SinceEver, After: last.ID}.String()
	}
	return api.Answer{Record: found, Private: true}, nil
}

func (s organizations) getOrganization(_ context.Context, c *api.Call) (api.Answer, error) {
	tag := s.tag(c)
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	return api.Answered(s.organizationOf(c.View, organization.Reader{Member: c.Member, Permissions: c.Permissions}), tag), nil
}

// amendOrganization patches the profile and returns the state after the change.
func (s organizations) amendOrganization(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := s.checkStorage(ctx, c); err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Decide(ctx, c, organization.Amend{Patch: c.Body}, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	c.View = view
	record := s.organizationOf(view, organization.Reader{Member: c.Member, Permissions: c.Permissions})
	return api.Answered(record, s.tag(c)), nil
}

// tag returns the ETag of the organization. It includes the features and the plan, which change without the profile.
func (s organizations) tag(c *api.Call) string {
	content := fmt.Sprint(s.Features, c.View.State.Plan()) // a map is printed in the order of its keys
	return c.RecordTagWith(c.View.State.Meta().Version, c.View.Sequence, []byte(content))
}
