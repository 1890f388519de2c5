package http

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func (s *Server) memberHandlers() map[string]Handler {
	return map[string]Handler{
		"addMember":    s.addMember,
		"listMembers":  s.listMembers,
		"getMember":    s.getMember,
		"amendMember":  s.amendMember,
		"removeMember": s.removeMember,

		"inviteMembers":     s.inviteMembers,
		"readInvitation":    s.readInvitation,
		"acceptInvitation":  s.acceptInvitation,
		"declineInvitation": s.declineInvitation,
	}
}

// newMember is the request body for adding a member.
type newMember struct {
	organization.MemberTerms
	Entity captable.EntityID `json:"entity"`
	Email  string            `json:"email"`
}

func (s *Server) addMember(ctx context.Context, c *Call) (Answer, error) {
	input, err := decode[newMember](c)
	if err != nil {
		return Answer{}, err
	}
	if !input.Entity.IsZero() {
		if err := s.mayEnlist(ctx, c, input.Entity); err != nil {
			return Answer{}, err
		}
	}
	return s.entering(ctx, c, func() (Answer, error) { return s.add(ctx, c, input) })
}

// add adds a member. It depends on the other members of the call's view.
func (s *Server) add(ctx context.Context, c *Call, input newMember) (Answer, error) {
	entity, err := s.entered(ctx, c, input)
	if err != nil {
		return Answer{}, err
	}
	_, particulars, err := splitParticulars(c.Body, entity)
	if err != nil {
		return Answer{}, err
	}
	command := organization.AddMember{MemberTerms: input.MemberTerms, Entity: entity}
	member, reply, err := decideByMembers(ctx, s, c, command, nil, particulars...)
	if err != nil {
		return Answer{}, err
	}
	answer, err := s.memberAnswer(ctx, c, member, reply)
	if record, ok := answer.Record.(memberRecord); ok {
		location := "/organization/" + c.Organization.String() + "/member/" + record.ID.String()
		answer = created(record, location, answer.ETag)
		answer.Replayed = reply.Replayed
	}
	return answer, err
}

// entered returns the entity of the new member: the named entity, else the entity that the
// organization knows by the address, else a new one. Accounts with the address are ignored; their
// owner claims the membership.
func (s *Server) entered(ctx context.Context, c *Call, input newMember) (captable.EntityID, error) {
	if !input.Entity.IsZero() {
		return input.Entity, s.returns(ctx, c, input)
	}
	known, err := s.knownHere(ctx, c, input.Email)
	if err == nil && known.IsZero() {
		known = fresh[captable.Entity](s)
	}
	return known, err
}

// returns refuses a returning member whose address, new or stored, now belongs to another member.
func (s *Server) returns(ctx context.Context, c *Call, input newMember) error {
	address := input.Email
	if address == "" {
		kept, err := s.index.Particulars(ctx, c.Organization, input.Entity)
		if err != nil {
			return unavailable(doing(ctx, "read particulars", err))
		}
		address = email(kept[input.Entity]["email"])
	}
	_, err := s.freeFor(ctx, c, input.Entity, address)
	return err
}

func (s *Server) amendMember(ctx context.Context, c *Call) (Answer, error) {
	return s.entering(ctx, c, func() (Answer, error) { return s.amend(ctx, c) })
}

// amend changes a member. It depends on the other members and on the stored particulars.
func (s *Server) amend(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.MemberKind](c, "member")
	member, ok := c.View.State.Member(id)
	if !ok {
		return Answer{}, errNotFound()
	}
	patch, particulars, err := splitParticulars(c.Body, member.Entity)
	if err != nil {
		return Answer{}, err
	}
	if err := s.mergeAddress(ctx, c, particulars); err != nil {
		return Answer{}, err
	}
	theirs, err := s.freeFor(ctx, c, member.Entity, emailAmong(particulars))
	if err != nil {
		return Answer{}, err
	}
	amend := organization.AmendMember{ID: id, Patch: patch, Readdressed: readdresses(particulars) && !theirs}
	member, reply, err := decideByMembers(ctx, s, c, amend, id, particulars...)
	if err != nil {
		return Answer{}, err
	}
	return s.memberAnswer(ctx, c, member, reply)
}

// removeMember ends a membership and returns the effects on the member's options and shares.
func (s *Server) removeMember(ctx context.Context, c *Call) (Answer, error) {
	input, err := decode[struct {
		KeepHoldings bool `json:"keepHoldings"`
		organization.Leaving
	}](c)
	if err != nil {
		return Answer{}, err
	}
	id := pathID[captable.MemberKind](c, "member")
	command := organization.RemoveMember{ID: id, KeepHoldings: input.KeepHoldings, Leaving: input.Leaving}
	member, reply, err := decideFor(ctx, s, c, command, id)
	if err != nil {
		return Answer{}, err
	}
	return s.memberAnswer(ctx, c, member, reply)
}

// memberAnswer returns the changed member, or the preview of a dry run.
func (s *Server) memberAnswer(ctx context.Context, c *Call, member *organization.Member, reply messages.Reply) (Answer, error) {
	records, err := s.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return Answer{}, err
	}
	if c.DryRun() {
		return s.preview(c, reply, records[0]), nil
	}
	text, err := renderJSON(records[0])
	return answered(records[0], c.personalTag(member.Version, reply.Sequence, text)), err
}

func (s *Server) getMember(ctx context.Context, c *Call) (Answer, error) {
	member, ok := c.View.State.Member(pathID[captable.MemberKind](c, "member"))
	if !ok {
		return Answer{}, errNotFound()
	}
	records, err := s.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return Answer{}, err
	}
	text, err := renderJSON(records[0])
	if err != nil {
		return Answer{}, err
	}
	tag := c.personalTag(member.Version, c.View.Sequence, text) // particulars are erased without an event
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	return Answer{Rendered: text, ContentType: contentJSON, ETag: tag}, nil
}

func (s *Server) listMembers(ctx context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		found := paged(c, func(m *organization.Member) [16]byte { return m.ID }, only(c.View.State.Members(), c.sees))
		records, err := s.describeMembers(ctx, c, found.Data)
		return page[memberRecord]{Data: records, NextCursor: found.NextCursor}, err
	})
}

// sees reports whether the member matches the request and the caller may see it.
func (c *Call) sees(member *organization.Member) bool {
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

func (s *Server) describeMembers(ctx context.Context, c *Call, members []*organization.Member) ([]memberRecord, error) {
	records := make([]memberRecord, 0, len(members))
	if len(members) == 0 {
		return records, nil
	}
	entities := make([]captable.EntityID, len(members))
	for i, member := range members {
		entities[i] = member.Entity
	}
	c.personal = true
	particulars, err := s.index.Particulars(ctx, c.Organization, entities...)
	if err != nil {
		return nil, unavailable(doing(ctx, "read particulars", err))
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
func (s *Server) mergeAddress(ctx context.Context, c *Call, particulars []messages.Particular) error {
	for i := range particulars {
		p := &particulars[i]
		if p.Field != "address" || string(p.Value) == "null" {
			continue
		}
		known, err := s.index.Particulars(ctx, c.Organization, p.Entity)
		if err != nil {
			return unavailable(doing(ctx, "read particulars", err))
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
		return nil, nil, wrongField("", "syntax", "The body is not a JSON object.")
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
