package member

import (
	"context"
	"encoding/json"

	"equity/captable"
	"equity/http/api"
	"equity/membership"
	"equity/organization"
)

func (s members) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"addMember":    s.addMember,
		"listMembers":  s.listMembers,
		"getMember":    s.getMember,
		"amendMember":  s.amendMember,
		"removeMember": s.removeMember,

		"confirmMemberAddress": s.confirmMemberAddress,
	}
}

func (s members) addMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[membership.NewMember](c)
	if err != nil {
		return api.Answer{}, err
	}
	_, private, err := membership.SplitParticulars(c.Body)
	if err != nil {
		return api.Answer{}, err
	}
	request, err := s.request(c, nil)
	if err != nil {
		return api.Answer{}, err
	}
	changed, err := s.Memberships.Add(ctx, request, input, private)
	answer, err := s.memberAnswer(ctx, c, changed, err)
	if record, ok := answer.Record.(memberRecord); ok {
		location := "/organization/" + c.Organization.String() + "/member/" + record.ID.String()
		answer = api.Created(record, location, answer.ETag)
		answer.Replayed = changed.Reply.Replayed
	}
	return answer, err
}

func (s members) amendMember(ctx context.Context, c *api.Call) (api.Answer, error) {
	patch, private, err := membership.SplitParticulars(c.Body)
	if err != nil {
		return api.Answer{}, err
	}
	id := api.PathID[captable.MemberKind](c, "member")
	request, err := s.request(c, id)
	if err != nil {
		return api.Answer{}, err
	}
	changed, err := s.Memberships.Amend(ctx, request, id, patch, private)
	return s.memberAnswer(ctx, c, changed, err)
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
	request, err := s.request(c, id)
	if err != nil {
		return api.Answer{}, err
	}
	changed, err := s.Memberships.Remove(ctx, request, command)
	return s.memberAnswer(ctx, c, changed, err)
}

// memberAnswer returns the changed member, or the preview of a dry run.
func (s members) memberAnswer(ctx context.Context, c *api.Call, changed membership.Changed, failure error) (api.Answer, error) {
	if failure != nil {
		return api.Answer{}, failure
	}
	member, reply := changed.Member, changed.Reply
	records, err := s.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply, records[0]), nil
	}
	text, err := api.RenderJSON(records[0])
	return api.Answered(records[0], c.RecordTagWith(member.Version, reply.Sequence, text)), err
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
	tag := c.RecordTagWith(member.Version, c.View.Sequence, text) // particulars are erased without an event
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	return api.Answer{Rendered: text, ContentType: api.ContentJSON, ETag: tag}, nil
}

func (s members) listMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		found := api.Paged(
			c, func(m *organization.Member) [16]byte { return m.ID },
			api.Only(c.View.State.Members(), func(member *organization.Member) bool { return sees(c, member) }),
		)
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
