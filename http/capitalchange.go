package http

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// capitalChangeHandlers maps operation ids to the handlers of capital changes.
func (s *Server) capitalChangeHandlers() map[string]Handler {
	return map[string]Handler{
		"changeCapital":      s.changeCapital,
		"amendCapitalChange": s.amendCapitalChange,
		"listCapitalChanges": s.listCapitalChanges,
	}
}

type capitalChangeRecord struct {
	*captable.CapitalChange
	Organization organization.ID `json:"organization"`
}

func (c *Call) showCapitalChange(change *captable.CapitalChange) any {
	return capitalChangeRecord{change, c.Organization}
}

func (s *Server) changeCapital(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ChangeCapital](c)
	if err != nil {
		return Answer{}, err
	}
	command.Entity = pathID[captable.Entity](c, "entity")
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		change, err := touched[*captable.CapitalChange](reply)
		if err != nil {
			return shown{}, err
		}
		// A single change has no path of its own. The location is the organization's list.
		location := "/organization/" + c.Organization.String() + "/capitalChange?entity=" + change.Entity.String()
		return shown{c.showCapitalChange(change), change.Version, location}, nil
	})
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
	return s.alter(ctx, c, command, about.ID, func(reply messages.Reply) (shown, error) {
		change, err := touched[*captable.CapitalChange](reply)
		if err != nil {
			return shown{}, err
		}
		return shown{record: c.showCapitalChange(change), version: change.Version}, nil
	})
}

// listCapitalChanges lists all changes or those of one holder. Callers without permission to view the
// cap table get their own.
func (s *Server) listCapitalChanges(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		entity, all := queryID[captable.Entity](c, "entity"), c.Can(organization.ViewCapTable)
		id := func(change *captable.CapitalChange) [16]byte { return change.ID }
		found := paged(c, id, only(c.View.State.Table().CapitalChanges(), func(change *captable.CapitalChange) bool {
			return (entity.IsZero() || change.Entity == entity) && (all || change.Entity == c.Member.Entity)
		}))
		return shownPage(found, c.showCapitalChange), nil
	})
}
