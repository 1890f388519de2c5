// Package team is the pure part of the room chat: the team of an organization at the chat server, with its command and its event. It has
// the rules of package organization: no clock, I/O, goroutines or randomness.
package team

import (
	"encoding/json"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// ExtensionName is the name of the extension in snapshots, and of the consumer. It never changes.
const ExtensionName = "chat"

// partVersion changes with each change of the packed form.
const partVersion = 1

// Extension returns the part of the aggregate with the team. Its event has no private fields.
func Extension() organization.Extension {
	return organization.Extension{
		Name:   ExtensionName,
		New:    func() organization.Part { return &Part{} },
		Events: []organization.Declaration{organization.Declare(Linked{})},
	}
}

// Team is the team of an organization at the chat server.
type Team struct {
	// ID identifies the team at the chat server. It is empty without a team.
	ID string `json:"id"`
	// Name is the name of the team in addresses.
	Name string `json:"name"`
}

// Of returns the team of the organization at the chat server. It is zero without a team.
func Of(s *organization.State) Team {
	if part, ok := organization.PartOf[*Part](s, ExtensionName); ok {
		return part.team
	}
	return Team{}
}

// MayChat reports whether the user is a member with a permission beyond those of a holder.
func MayChat(s *organization.State, user organization.UserID) bool {
	member, ok := s.MemberBy(user)
	if !ok || member.Status != organization.StatusJoined {
		return false
	}
	permissions, _ := s.Permissions(user)
	return permissions&^organization.NewPermissions(organization.ViewOrganization, organization.ViewSelf) != 0
}

// Link records the team of the organization at the chat server.
type Link struct{ Team Team }

// Decide returns no event if the team is linked already.
func (c Link) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	switch {
	case c.Team.ID == "" || c.Team.Name == "":
		return nil, fault.InvalidField("/team", "required", "The id and the name of the team are required.")
	case s.ID().IsZero():
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	case c.Team == Of(s):
		return nil, nil
	}
	return []organization.Event{Linked(c)}, nil
}

// Linked records the team of the organization at the chat server.
type Linked struct {
	Team Team `json:"team"`
}

// EventType returns the event's name in the journal.
func (Linked) EventType() string { return "chatTeamLinked" }

// Creates returns nil: the team is a record of the chat server.
func (Linked) Creates() []captable.Created { return nil }

// Records returns nil: the organization is the state itself.
func (Linked) Records(*organization.State) []any { return nil }

func (Linked) Affects(s *organization.State) []organization.Reference {
	return []organization.Reference{{Kind: organization.KindOrganization, ID: s.ID()}}
}

func (e Linked) Apply(s *organization.State, _ captable.Stamp) {
	organization.ChangePart(s, ExtensionName, func() *Part { return &Part{} }).team = e.Team
}

// Part is the team of one organization.
type Part struct{ team Team }

// Version returns the version of the packed form.
func (*Part) Version() uint64 { return partVersion }

// Copy returns an independent copy.
func (p *Part) Copy() organization.Part { return new(*p) }

// Pack packs the team as JSON, because there is at most one.
func (p *Part) Pack(packer *captable.Packer) error {
	packed, err := json.Marshal(p.team)
	text := string(packed)
	packer.Text(&text)
	if !packer.Reading() {
		return err
	}
	return json.Unmarshal([]byte(text), &p.team)
}
