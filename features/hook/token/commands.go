package token

import (
	"strings"

	"equity/fault"
	"equity/organization"
)

// Create adds a hook token. The caller chooses its id, because its hash is stored under the id.
type Create struct {
	ID   ID
	Name string
}

// Revoke ends the validity of a hook token.
type Revoke struct{ ID ID }

func (c Create) Decide(s *organization.State, m organization.DecideContext) ([]organization.Event, error) {
	c.Name = strings.TrimSpace(c.Name)
	var faults fault.Fields
	switch {
	case c.Name == "":
		faults.Add("/name", "required", "name is required.")
	case len([]rune(c.Name)) > mostName:
		faults.Add("/name", "maxLength", "name has at most 100 characters.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if s.ID().IsZero() {
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	}
	if len(Of(s).All()) >= Most {
		return nil, fault.Refuse(organization.CodeLimit, "An organization can have at most 2 hook tokens. Revoke one first.")
	}
	if _, exists := Of(s).Get(c.ID); exists {
		return nil, fault.Refuse(fault.Conflict, "The hook token exists already.")
	}
	return []organization.Event{Created{c.ID, c.Name, s.RightsOf(m.By)}}, nil
}

func (c Create) Result(_ []organization.Event, after *organization.State) (*Token, bool) {
	return Of(after).Get(c.ID)
}

func (c Revoke) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	if _, ok := Of(s).Get(c.ID); !ok {
		return nil, fault.Refuse(fault.NotFound, "The hook token does not exist.")
	}
	return []organization.Event{Revoked(c)}, nil
}
