package http

import (
	"context"
	"fmt"
	"iter"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// How much a dashboard shows of what there may be much of.
const (
	mostTopHolders = 10
	mostEvents     = 10
	mostWaiting    = 20
)

// dashboard is the cap table at a glance. What the caller may not see is left out.
type dashboard struct {
	AsOf       captable.Date            `json:"asOf"`
	Sequence   uint64                   `json:"sequence"`
	Currency   string                   `json:"currency"`
	Totals     *captable.Totals         `json:"totals,omitempty"`
	Securities []captable.TableSecurity `json:"securities,omitempty"`
	Pools      []captable.TablePool     `json:"pools,omitempty"`
	TopHolders []topHolder              `json:"topHolders,omitempty"`
	// Own is what the caller holds.
	Own          []ownPosition  `json:"own"`
	Counts       counts         `json:"counts"`
	LatestEvents []journalEntry `json:"latestEvents,omitempty"`
	Waiting      []waiting      `json:"waiting"`
}

type topHolder struct {
	Entity              captable.EntityID `json:"entity"`
	Name                string            `json:"name"`
	Shares              captable.Decimal  `json:"shares"`
	Options             captable.Decimal  `json:"options"`
	Warrants            captable.Decimal  `json:"warrants,omitzero"`
	PercentOutstanding  captable.Decimal  `json:"percentOutstanding"`
	PercentFullyDiluted captable.Decimal  `json:"percentFullyDiluted"`
}

// ownPosition is what the caller has of one security.
type ownPosition struct {
	Security      captable.SecurityID `json:"security"`
	Name          string              `json:"name"`
	Shares        captable.Decimal    `json:"shares"`
	Shareholdings int                 `json:"shareholdings"`
}

// counts are of what the caller may see; holders and members are absent where that is
// only their own.
type counts struct {
	Holders       *int `json:"holders,omitempty"`
	Members       *int `json:"members,omitempty"`
	Securities    int  `json:"securities"`
	Shareholdings int  `json:"shareholdings"`
	Convertibles  int  `json:"convertibles"`
	Warrants      int  `json:"warrants"`
	Waiting       int  `json:"waiting"`
}

// waiting is something that somebody has to do.
type waiting struct {
	Kind   string        `json:"kind"`
	ID     fmt.Stringer  `json:"id"`
	Name   string        `json:"name"`
	Holder string        `json:"holder"`
	Since  captable.Date `json:"since"`
}

// getDashboard gathers what somebody sees first: the company, for those who may view its cap table,
// and for others what they hold themselves.
func (s *Server) getDashboard(ctx context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		made := dashboard{
			AsOf: c.through(), Sequence: c.View.Sequence, Currency: c.View.State.Profile().Currency,
			Own: []ownPosition{}, Waiting: []waiting{},
		}
		if !c.Can(organization.ViewCapTable) {
			made.addHeld(c, c.View.State.Table().ShareholdingsOf(c.Member.Entity))
			made.addRights(c, c.View.State.Table().InstrumentsOf(c.Member.Entity))
			made.Counts.Securities = len(made.Own)
			return made, nil
		}
		made.addHeld(c, c.View.State.Table().Shareholdings())
		made.addRights(c, c.View.State.Table().Instruments())
		made.addTable(c)
		var err error
		made.LatestEvents, err = s.entries(ctx, c, messages.JournalQuery{Limit: mostEvents})
		return made, err
	})
}

// addHeld walks the shareholdings that the caller may see: it counts those that are
// held, lists what waits for acceptance, and sums up the caller's own.
func (d *dashboard) addHeld(c *Call, each iter.Seq[*captable.Shareholding]) {
	for now := range each {
		held, issued := now.On(d.AsOf)
		if !issued || !held.Status.Outstanding() {
			continue
		}
		d.Counts.Shareholdings++
		if held.Entity == c.Member.Entity {
			d.addOwn(c, held)
		}
		if right, ok := c.View.State.Table().RepurchasableOf(held, d.AsOf); ok && c.Can(organization.ViewCapTable) {
			d.wait(waiting{"repurchase", held.ID, held.Certificate, held.ShareholderName, right.Since})
		}
		if held.Status != captable.StatusActive {
			continue
		}
		d.wait(waiting{"acceptance", held.ID, held.Certificate, held.ShareholderName, held.IssueDate})
	}
}

// addRights walks the convertibles and warrants that the caller may see: it counts those
// that are outstanding and lists what waits for acceptance.
func (d *dashboard) addRights(c *Call, each iter.Seq[*captable.Instrument]) {
	for now := range each {
		held, issued := now.On(d.AsOf)
		if !issued || !held.Status.Outstanding() {
			continue
		}
		if held.Kind == captable.KindWarrant {
			d.Counts.Warrants++
		} else {
			d.Counts.Convertibles++
		}
		if held.Status == captable.StatusActive {
			d.wait(waiting{"holdingAcceptance", held.ID, string(held.Kind), c.View.State.NameOf(held.Entity), held.IssueDate})
		}
	}
}

// wait counts what waits, and lists it as long as the list is short.
func (d *dashboard) wait(one waiting) {
	if d.Counts.Waiting++; len(d.Waiting) < mostWaiting {
		d.Waiting = append(d.Waiting, one)
	}
}

// addOwn adds a shareholding to the position in its class.
func (d *dashboard) addOwn(c *Call, held *captable.Shareholding) {
	for i := range d.Own {
		if own := &d.Own[i]; own.Security == held.Security {
			own.Shares = own.Shares.Add(held.Shares)
			own.Shareholdings++
			return
		}
	}
	own := ownPosition{Security: held.Security, Shares: held.Shares, Shareholdings: 1}
	if security, ok := c.View.State.Table().Security(held.Security); ok {
		own.Name = security.Name
	}
	d.Own = append(d.Own, own)
}

// addTable adds what only those see who may see the cap table.
func (d *dashboard) addTable(c *Call) {
	table := c.capTable()
	d.Totals, d.Securities, d.Pools = &table.Totals, table.Securities, table.Pools
	for _, holder := range table.Holders[:min(len(table.Holders), mostTopHolders)] {
		d.TopHolders = append(d.TopHolders, topHolder{
			holder.Entity, holder.Name, holder.Shares, holder.Options, holder.Warrants, holder.PercentOutstanding, holder.PercentFullyDiluted,
		})
	}
	holders, members := len(table.Holders), 0
	for member := range c.View.State.Members() {
		if member.Status != organization.StatusRemoved {
			members++
		}
	}
	d.Counts.Holders, d.Counts.Members, d.Counts.Securities = &holders, &members, len(table.Securities)
}
