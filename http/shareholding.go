package http

import (
	"context"
	"iter"

	"equity/captable"
	"equity/organization"
)

// shareholdingHandlers maps operation ids to the handlers of shareholdings.
func (s *Server) shareholdingHandlers() map[string]Handler {
	return map[string]Handler{
		"issueShareholding":         s.issueShareholding,
		"listShareholdings":         s.listShareholdings,
		"listRepurchasableShares":   s.listRepurchasableShares,
		"getShareholding":           s.getShareholding,
		"amendShareholding":         s.amendShareholding,
		"correctShareholding":       s.correctShareholding,
		"voidShareholding":          s.voidShareholding,
		"acceptShareholding":        s.acceptShareholding,
		"cancelShareholding":        about("holding", func(command *captable.CancelShareholding, id captable.ShareholdingID) { command.ID = id }, s.end),
		"repurchaseShareholding":    about("holding", func(command *captable.RepurchaseShareholding, id captable.ShareholdingID) { command.ID = id }, s.end),
		"convertShareholding":       about("holding", func(command *captable.ConvertShareholding, id captable.ShareholdingID) { command.ID = id }, s.end),
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
	vestedRecord
	Repurchasable *captable.Repurchasable `json:"repurchasable,omitempty"`
}

// holders converts holdings to JSON records with their member and their vested part on a day.
type holders struct {
	organization organization.ID
	state        *organization.State
	day          captable.Date
}

func (c *Call) holders() holders { return holders{c.Organization, c.View.State, c.AsOf()} }

func (h holders) show(held *captable.Shareholding) shareholdingRecord {
	record := shareholdingRecord{Shareholding: held.Shown(), Organization: h.organization}
	if member, ok := h.state.MemberOf(held.Entity); ok {
		record.Member = member.ID
	}
	if held.Status.Outstanding() {
		record.vestedRecord = vestedOf(h.state.Table(), held, h.day)
		if right, ok := h.state.Table().RepurchasableOf(held, h.day); ok {
			record.Repurchasable = &right
		}
	}
	return record
}

func (s *Server) issueShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.IssueShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, nil, func(held *captable.Shareholding) shown {
		return shown{c.holders().show(held), held.Version, "/shareholding/" + held.ID.String()}
	})
}

func (s *Server) listShareholdings(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(held *captable.Shareholding) [16]byte { return held.ID }
		found := paged(c, id, shaped(c.shareholdings(), c.wanted))
		return shownPage(found, func(held *captable.Shareholding) any { return c.holders().show(held) }), nil
	})
}

// shareholdings lists the shareholdings after the cursor that the caller may see: those of one holder
// if the request or the permissions demand it, else all.
func (c *Call) shareholdings() iter.Seq[*captable.Shareholding] {
	table, entity := c.View.State.Table(), queryID[captable.Entity](c, "entity")
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
func (c *Call) wanted(held *captable.Shareholding) (*captable.Shareholding, bool) {
	if security := queryID[captable.Security](c, "security"); !security.IsZero() && held.Security != security {
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
func (c *Call) shareholding() (*captable.Shareholding, error) {
	held, ok := c.View.State.Table().Shareholding(pathID[captable.Shareholding](c, "holding"))
	if ok && c.Query("asOf") != "" {
		held, ok = held.On(c.AsOf())
	}
	if !ok {
		return nil, errNotFound()
	}
	return held, nil
}

func (s *Server) getShareholding(_ context.Context, c *Call) (Answer, error) {
	held, err := c.shareholding()
	if err != nil {
		return Answer{}, err
	}
	return c.read(c.holders().show(held), held.Version), nil // shares vest without an event
}

// changeShareholding carries out a command for the shareholding in the path.
func (s *Server) changeShareholding(ctx context.Context, c *Call, command captable.CommandOf[*captable.Shareholding]) (Answer, error) {
	return alter(ctx, s, c, command, pathID[captable.Shareholding](c, "holding"), func(held *captable.Shareholding) shown {
		return shown{record: c.holders().show(held), version: held.Version}
	})
}

func (s *Server) amendShareholding(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, captable.AmendShareholding{ID: id, Patch: c.Body})
}

func (s *Server) correctShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CorrectShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, command)
}

// voidShareholding reads the reason from the body, or from the query for clients that cannot send a
// body with DELETE.
func (s *Server) voidShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.VoidShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Shareholding](c, "holding")
	if command.Reason == "" {
		command.Reason = c.Query("reason")
	}
	return s.changeShareholding(ctx, c, command)
}

func (s *Server) acceptShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.AcceptShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Shareholding](c, "holding")
	return s.changeShareholding(ctx, c, command)
}
