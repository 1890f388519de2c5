package equity

import (
	"context"
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of shareholdings.
func (s shareholdings) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"issueShareholding":       s.issueShareholding,
		"listShareholdings":       s.listShareholdings,
		"listRepurchasableShares": s.listRepurchasableShares,
		"getShareholding":         s.getShareholding,
		"amendShareholding":       s.amendShareholding,
		"correctShareholding":     s.correctShareholding,
		"voidShareholding":        s.voidShareholding,
		"acceptShareholding":      s.acceptShareholding,
		"cancelShareholding": api.About(
			"holding", func(command *captable.CancelShareholding, id captable.ShareholdingID) { command.ID = id }, s.end,
		),
		"repurchaseShareholding": api.About(
			"holding", func(command *captable.RepurchaseShareholding, id captable.ShareholdingID) { command.ID = id }, s.end,
		),
		"convertShareholding": api.About(
			"holding", func(command *captable.ConvertShareholding, id captable.ShareholdingID) { command.ID = id }, s.end,
		),
		"transferShareholding":      s.transferShareholding,
		"getShareholdingConfig":     s.getShareholdingConfig,
		"replaceShareholdingConfig": s.replaceShareholdingConfig,
	}
}

// shareholdingRecord is the JSON form of a shareholding with its holder.
type shareholdingRecord struct {
	*captable.Shareholding
	Organization organization.ID   `json:"organization"`
	Member       captable.MemberID `json:"member,omitzero"`
	// HolderName is the name in the register, which may differ from the printed one.
	HolderName string `json:"holderName,omitempty"`
	vestedRecord
	Repurchasable *captable.Repurchasable `json:"repurchasable,omitempty"`
}

// holders converts holdings to JSON records with their member and their vested part on a day.
type holders struct {
	organization organization.ID
	state        *organization.State
	day          captable.Date
	files        *organization.Files
}

func holdersOf(c *api.Call) holders {
	return holders{c.Organization, c.View.State, c.AsOf(), c.ReadableFiles()}
}

func (h holders) show(held *captable.Shareholding) shareholdingRecord {
	record := shareholdingRecord{Shareholding: held.Shown(), Organization: h.organization}
	if member, ok := h.state.MemberOf(held.Entity); ok {
		record.Member, record.HolderName = member.ID, member.FullName
	}
	if held.Status.Outstanding() {
		record.vestedRecord = vestedOf(h.state.Table(), held, h.day)
		if right, ok := h.state.Table().RepurchasableOf(held, h.day); ok {
			record.Repurchasable = &right
		}
	}
	return record
}

func (s shareholdings) issueShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.IssueShareholding](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, nil, func(held *captable.Shareholding) api.Result {
		return api.Result{Record: holdersOf(c).show(held), Version: held.Version, Location: "/shareholding/" + held.ID.String()}
	})
}

func (s shareholdings) listShareholdings(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		id := func(held *captable.Shareholding) [16]byte { return held.ID }
		found := api.Paged(
			c, id,
			api.Shaped(shareholdingsOf(c), func(held *captable.Shareholding) (*captable.Shareholding, bool) { return wanted(c, held) }),
		)
		return api.ShownPage(found, func(held *captable.Shareholding) any { return holdersOf(c).show(held) }), nil
	})
}

// shareholdings lists the shareholdings after the cursor that the caller may see: those of one holder
// if the request or the permissions demand it, else all.
func shareholdingsOf(c *api.Call) iter.Seq[*captable.Shareholding] {
	table, entity := c.View.State.Table(), api.QueryID[captable.Entity](c, "entity")
	after := captable.ShareholdingID(c.After())
	if !c.Can(organization.ViewCapTable) {
		if !entity.IsZero() && entity != c.Member.Entity {
			return func(func(*captable.Shareholding) bool) {}
		}
		entity = c.Member.Entity
	}
	if entity.IsZero() {
		return table.ShareholdingsAfter(after)
	}
	return table.ShareholdingsOfAfter(entity, after)
}

// wanted returns the shareholding as of the requested day, and whether it matches the filters of the
// request.
func wanted(c *api.Call, held *captable.Shareholding) (*captable.Shareholding, bool) {
	if security := api.QueryID[captable.Security](c, "security"); !security.IsZero() && held.Security != security {
		return nil, false
	}
	issued := true
	if c.Query("asOf") != "" {
		held, issued = held.On(c.AsOf())
	}
	if !issued {
		return nil, false
	}
	status := c.Query("status")
	return held, status == "" || status == string(held.Status)
}

// shareholding returns the shareholding of the path as of the requested day.
func shareholding(c *api.Call) (*captable.Shareholding, error) {
	held, ok := c.View.State.Table().Shareholding(api.PathID[captable.Shareholding](c, "holding"))
	if ok && c.Query("asOf") != "" {
		held, ok = held.On(c.AsOf())
	}
	if !ok {
		return nil, api.NotFound()
	}
	return held, nil
}

func (s shareholdings) getShareholding(_ context.Context, c *api.Call) (api.Answer, error) {
	held, err := shareholding(c)
	if err != nil {
		return api.Answer{}, err
	}
	return c.Read(holdersOf(c).show(held), held.Version), nil // shares vest without an event
}

// changeShareholding carries out a command for the shareholding in the path.
func (s shareholdings) changeShareholding(
	ctx context.Context, c *api.Call, command captable.CommandOf[*captable.Shareholding],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, api.PathID[captable.Shareholding](c, "holding"), func(
		held *captable.Shareholding,
	) api.Result {
		return api.Result{Record: holdersOf(c).show(held), Version: held.Version}
	})
}

func (s shareholdings) amendShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, captable.AmendShareholding{ID: id, Patch: c.Body})
}

func (s shareholdings) correctShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.CorrectShareholding](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, command)
}

// voidShareholding reads the reason from the body, or from the query for clients that cannot send a
// body with DELETE.
func (s shareholdings) voidShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.VoidShareholding](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Shareholding](c, "holding")
	if command.Reason == "" {
		command.Reason = c.Query("reason")
	}
	return s.changeShareholding(ctx, c, command)
}

func (s shareholdings) acceptShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.AcceptShareholding](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, command)
}
