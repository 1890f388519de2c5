package http

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"equity/captable"
	"equity/organization"
)

// capitalChangeHandlers maps operation ids to the handlers of capital changes.
func (s *Server) capitalChangeHandlers() map[string]Handler {
	changes := noun[captable.CapitalChange]{
		server: s,
		key: func(change *captable.CapitalChange) (captable.CapitalChangeID, uint64) {
			return change.ID, change.Version
		},
		all:  (*Call).capitalChanges,
		show: (*Call).showCapitalChange,
		// A single change has no path of its own. The location is the organization's list.
		location: func(c *Call, change *captable.CapitalChange) string {
			return "/organization/" + c.Organization.String() + "/capitalChange?entity=" + change.Entity.String()
		},
	}
	return map[string]Handler{
		"changeCapital": changes.create(inBodyFor("entity",
			func(command *captable.ChangeCapital, id captable.EntityID) { command.Entity = id })),
		"amendCapitalChange": s.amendCapitalChange,
		"listCapitalChanges": changes.list,
	}
}

type capitalChangeRecord struct {
	*captable.CapitalChange
	Organization organization.ID `json:"organization"`
}

func (c *Call) showCapitalChange(change *captable.CapitalChange) any {
	return capitalChangeRecord{change, c.Organization}
}

// amendCapitalChange treats the body as a merge patch, except for the fields that identify the change
// and its organization.
func (s *Server) amendCapitalChange(ctx context.Context, c *Call) (Answer, error) {
	about, err := decode[struct {
		ID captable.CapitalChangeID `json:"id"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(c.Body, &fields); err != nil {
		return Answer{}, fmt.Errorf("amend capital change: %w", err)
	}
	delete(fields, "id")
	delete(fields, "organization")
	patch, err := json.Marshal(fields)
	if err != nil {
		return Answer{}, fmt.Errorf("amend capital change: %w", err)
	}
	command := captable.AmendCapitalChange{ID: about.ID, Entity: pathID[captable.Entity](c, "entity"), Patch: patch}
	return alter(ctx, s, c, command, about.ID, func(change *captable.CapitalChange) shown {
		return shown{record: c.showCapitalChange(change), version: change.Version}
	})
}

// capitalChanges lists all changes or those of the requested holder. Callers without permission to view the cap table
// get their own.
func (c *Call) capitalChanges() iter.Seq[*captable.CapitalChange] {
	entity, all := queryID[captable.Entity](c, "entity"), c.Can(organization.ViewCapTable)
	return only(c.View.State.Table().CapitalChanges(), func(change *captable.CapitalChange) bool {
		return (entity.IsZero() || change.Entity == entity) && (all || change.Entity == c.Member.Entity)
	})
}
