package member

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

func (s members) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"addMember":    s.addMember,
		"listMembers":  s.listMembers,
		"getMember":    s.getMember,
		"amendMember":  s.amendMember,
		"removeMember": s.removeMember,
	}
}

// newMember is the request body for adding a member.
type newMember struct {
	organization.MemberTerms
	Entity captable.EntityID `json:"entity"`
	Email  string            `json:"email"`
}

func (s members) addMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[newMember](c)
	if err != nil {
		return api.Answer{}, err
	}
	if !input.Entity.IsZero() {
		if err := s.MayEnlist(ctx, c, input.Entity); err != nil {
			return api.Answer{}, err
		}
	}
	return s.entering(ctx, c, func() (api.Answer, error) { return s.add(ctx, c, input) })
}

// add adds a member. It depends on the other members of the call's view.
func (s members) add(ctx context.Context, c *api.Call, input newMember) (api.Answer, error) {
	entity, err := s.entered(ctx, c, input)
	if err != nil {
		return api.Answer{}, err
	}
	_, particulars, err := splitParticulars(c.Body, entity)
	if err != nil {
		return api.Answer{}, err
	}
	command := organization.AddMember{MemberTerms: input.MemberTerms, Entity: entity}
	member, reply, err := api.DecideByMembers(ctx, s.Kernel, c, command, nil, particulars...)
	if err != nil {
		return api.Answer{}, err
	}
	answer, err := s.memberAnswer(ctx, c, member, reply)
	if record, ok := answer.Record.(memberRecord); ok {
		location := "/organization/" + c.Organization.String() + "/member/" + record.ID.String()
		answer = api.Created(record, location, answer.ETag)
		answer.Replayed = reply.Replayed
	}
	return answer, err
}

// entered returns the entity of the new member: the named entity, else the entity that the
// organization knows by the address, else a new one. Accounts with the address are ignored; their
// owner claims the membership.
func (s members) entered(ctx context.Context, c *api.Call, input newMember) (captable.EntityID, error) {
	if !input.Entity.IsZero() {
		return input.Entity, s.returns(ctx, c, input)
	}
	known, err := s.knownHere(ctx, c, input.Email)
	if err == nil && known.IsZero() {
		known = captable.ID[captable.Entity](s.NewID())
	}
	return known, err
}

// returns refuses a returning member whose address, new or stored, now belongs to another member.
func (s members) returns(ctx context.Context, c *api.Call, input newMember) error {
	address := input.Email
	if address == "" {
		kept, err := s.Index.Particulars(ctx, c.Organization, input.Entity)
		if err != nil {
			return api.Unavailable(api.Wrap(ctx, "read particulars", err))
		}
		address = email(kept[input.Entity]["email"])
	}
	_, err := s.freeFor(ctx, c, input.Entity, address)
	return err
}

func (s members) amendMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.entering(ctx, c, func() (api.Answer, error) { return s.amend(ctx, c) })
}

// amend changes a member. It depends on the other members and on the stored particulars.
func (s members) amend(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[captable.MemberKind](c, "member")
	member, ok := c.View.State.Member(id)
	if !ok {
		return api.Answer{}, api.NotFound()
	}
	patch, particulars, err := splitParticulars(c.Body, member.Entity)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mergeAddress(ctx, c, particulars); err != nil {
		return api.Answer{}, err
	}
	theirs, err := s.freeFor(ctx, c, member.Entity, emailAmong(particulars))
	if err != nil {
		return api.Answer{}, err
	}
	amend := organization.AmendMember{ID: id, Patch: patch, Readdressed: readdresses(particulars) && !theirs}
	member, reply, err := api.DecideByMembers(ctx, s.Kernel, c, amend, id, particulars...)
	if err != nil {
		return api.Answer{}, err
	}
	return s.memberAnswer(ctx, c, member, reply)
}

// removeMember ends a membership and returns the effects on the member's options and shares.
func (s members) removeMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		KeepHoldings bool `json:"keepHoldings"`
		organization.Departure
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	id := api.PathID[captable.MemberKind](c, "member")
	command := organization.RemoveMember{ID: id, KeepHoldings: input.KeepHoldings, Departure: input.Departure}
	member, reply, err := api.DecideFor(ctx, s.Kernel, c, command, id)
	if err != nil {
		return api.Answer{}, err
	}
	return s.memberAnswer(ctx, c, member, reply)
}

// memberAnswer returns the changed member, or the preview of a dry run.
func (s members) memberAnswer(ctx context.Context, c *api.Call, member *organization.Member, reply messages.Reply) (api.Answer, error) {
	records, err := s.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply, records[0]), nil
	}
	text, err := api.RenderJSON(records[0])
	return api.Answered(records[0], c.PersonalTag(member.Version, reply.Sequence, text)), err
}

func (s members) getMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	member, ok := c.View.State.Member(api.PathID[captable.MemberKind](c, "member"))
	if !ok {
		return api.Answer{}, api.NotFound()
	}
	records, err := s.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return api.Answer{}, err
	}
	text, err := api.RenderJSON(records[0])
	if err != nil {
		return api.Answer{}, err
	}
	tag := c.PersonalTag(member.Version, c.View.Sequence, text) // particulars are erased without an event
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	return api.Answer{Rendered: text, ContentType: api.ContentJSON, ETag: tag}, nil
}

func (s members) listMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		found := api.Paged(c, func(m *organization.Member) [16]byte { return m.ID }, api.Only(c.View.State.Members(), func(member *organization.Member) bool { return sees(c, member) }))
		records, err := s.describeMembers(ctx, c, found.Data)
		return api.Page[memberRecord]{Data: records, NextCursor: found.NextCursor}, err
	})
}

// sees reports whether the member matches the request and the caller may see it.
func sees(c *api.Call, member *organization.Member) bool {
	status := c.Query("status")
	wanted := member.Status == status || status == "" && member.Status != organization.StatusRemoved
	return wanted && (c.Can(organization.ViewMembers) || member.ID == c.Member.ID)
}

// memberRecord is the JSON form of a member with its particulars. Particulars are stored outside the
// journal, so that they can be erased.
type memberRecord struct {
	Organization organization.ID `json:"organization"`
	*organization.Member
	Email        json.RawMessage `json:"email,omitempty"`
	DateOfBirth  json.RawMessage `json:"dateOfBirth,omitempty"`
	Phone        json.RawMessage `json:"phone,omitempty"`
	Address      json.RawMessage `json:"address,omitempty"`
	TaxResidence json.RawMessage `json:"taxResidence,omitempty"`
}

func (s *base) describeMembers(ctx context.Context, c *api.Call, members []*organization.Member) ([]memberRecord, error) {
	records := make([]memberRecord, 0, len(members))
	if len(members) == 0 {
		return records, nil
	}
	entities := make([]captable.EntityID, len(members))
	for i, member := range members {
		entities[i] = member.Entity
	}
	c.Personal = true
	particulars, err := s.Index.Particulars(ctx, c.Organization, entities...)
	if err != nil {
		return nil, api.Unavailable(api.Wrap(ctx, "read particulars", err))
	}
	for _, member := range members {
		own := particulars[member.Entity]
		records = append(records, memberRecord{
			Organization: c.Organization, Member: member, Email: own["email"], DateOfBirth: own["dateOfBirth"],
			Phone: own["phone"], Address: own["address"], TaxResidence: own["taxResidence"],
		})
	}
	return records, nil
}

var errNoRecord = errors.New("the change affected no member")

// mergeAddress applies a merge patch to the stored address; omitted parts stay unchanged.
func (s *base) mergeAddress(ctx context.Context, c *api.Call, particulars []messages.Particular) error {
	for i := range particulars {
		p := &particulars[i]
		if p.Field != "address" || string(p.Value) == "null" {
			continue
		}
		known, err := s.Index.Particulars(ctx, c.Organization, p.Entity)
		if err != nil {
			return api.Unavailable(api.Wrap(ctx, "read particulars", err))
		}
		var old organization.Address
		if text := known[p.Entity]["address"]; text != nil {
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

// readdresses reports whether the particulars set or remove the e-mail address.
func readdresses(particulars []messages.Particular) bool {
	return slices.ContainsFunc(particulars, func(p messages.Particular) bool { return p.Field == "email" })
}

// personal lists the fields of a member that are particulars.
func personal() []string { return []string{"email", "dateOfBirth", "phone", "address", "taxResidence"} }

// splitParticulars extracts the particulars from a body that conforms to the contract. It returns the
// remaining body.
func splitParticulars(body []byte, entity captable.EntityID) ([]byte, []messages.Particular, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, nil, api.WrongField("", "syntax", "The body is not a JSON object.")
	}
	var particulars []messages.Particular
	for _, name := range personal() {
		if value, there := fields[name]; there {
			particulars = append(particulars, messages.Particular{Entity: entity, Field: name, Value: value})
			delete(fields, name)
		}
	}
	rest, err := json.Marshal(fields)
	return rest, particulars, err
}
