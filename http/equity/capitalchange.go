package equity

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of capital changes.
func (s capitalChanges) operations() map[string]api.Handler {
	changes := api.Noun[captable.CapitalChange]{
		Kernel: s.Kernel,
		Key: func(change *captable.CapitalChange) (captable.CapitalChangeID, uint64) {
			return change.ID, change.Version
		},
		All:  capitalChangesOf,
		Show: showCapitalChange,
		// A single change has no path of its own. The location is the organization's list.
		Location: func(c *api.Call, change *captable.CapitalChange) string {
			return "/organization/" + c.Organization.String() + "/capitalChange?entity=" + change.Entity.String()
		},
	}
	return map[string]api.Handler{
		"changeCapital": changes.Create(api.InBodyFor("entity",
			func(command *captable.ChangeCapital, id captable.EntityID) { command.Entity = id })),
		"amendCapitalChange": s.amendCapitalChange,
		"listCapitalChanges": changes.List,
	}
}

type capitalChangeRecord struct {
	*captable.CapitalChange
	Organization organization.ID `json:"organization"`
}

func showCapitalChange(c *api.Call, change *captable.CapitalChange) any {
	return capitalChangeRecord{change, c.Organization}
}

// amendCapitalChange treats the body as a merge patch, except for the fields that identify the change
// and its organization.
func (s capitalChanges) amendCapitalChange(ctx context.Context, c *api.Call) (api.Answer, error) {
	about, err := api.Decode[struct {
		ID captable.CapitalChangeID `json:"id"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(c.Body, &fields); err != nil {
		return api.Answer{}, fmt.Errorf("amend capital change: %w", err)
	}
	delete(fields, "id")
	delete(fields, "organization")
	patch, err := json.Marshal(fields)
	if err != nil {
		return api.Answer{}, fmt.Errorf("amend capital change: %w", err)
	}
	command := captable.AmendCapitalChange{ID: about.ID, Entity: api.PathID[captable.Entity](c, "entity"), Patch: patch}
	return api.Change(ctx, s.Kernel, c, command, about.ID, func(change *captable.CapitalChange) api.Result {
		return api.Result{Record: showCapitalChange(c, change), Version: change.Version}
	})
}

// capitalChangesOf lists all changes or those of the requested holder. Callers without permission to view the cap table
// get their own.
func capitalChangesOf(c *api.Call) iter.Seq[*captable.CapitalChange] {
	entity, all := api.QueryID[captable.Entity](c, "entity"), c.Can(organization.ViewCapTable)
	return api.Only(c.View.State.Table().CapitalChanges(), func(change *captable.CapitalChange) bool {
		return (entity.IsZero() || change.Entity == entity) && (all || change.Entity == c.Member.Entity)
	})
}
