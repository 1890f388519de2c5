package equity

import (
	"context"
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Limits of the lists in a dashboard.
const (
	maxTopHolders = 10
	maxEvents     = 10
)

// dashboard is a summary of the cap table. Parts that the caller may not see are absent.
type dashboard struct {
	AsOf       captable.Date            `json:"asOf"`
	Sequence   uint64                   `json:"sequence"`
	Currency   string                   `json:"currency"`
	Totals     *captable.Totals         `json:"totals,omitempty"`
	Securities []captable.TableSecurity `json:"securities,omitempty"`
	Pools      []captable.TablePool     `json:"pools,omitempty"`
	TopHolders []topHolder              `json:"topHolders,omitempty"`
	// Own lists the caller's holdings.
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

// ownPosition is the caller's holding of one security.
type ownPosition struct {
	Security      captable.SecurityID `json:"security"`
	Name          string              `json:"name"`
	Shares        captable.Decimal    `json:"shares"`
	Shareholdings int                 `json:"shareholdings"`
}

// counts are the numbers of visible records. Holders and members are absent for callers who see only
// themselves.
type counts struct {
	Holders       *int `json:"holders,omitempty"`
	Members       *int `json:"members,omitempty"`
	Securities    int  `json:"securities"`
	Shareholdings int  `json:"shareholdings"`
	Convertibles  int  `json:"convertibles"`
	Warrants      int  `json:"warrants"`
	Waiting       int  `json:"waiting"`
}

// getDashboard returns a summary of the organization for callers who may view the cap table, and a
// summary of their own holdings for the others.
func (s capTables) getDashboard(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		result := dashboard{
			AsOf: through(c), Sequence: c.View.Sequence, Currency: c.View.State.Profile().Currency,
			Own: []ownPosition{}, Waiting: []waiting{},
		}
		if !c.Can(organization.ViewCapTable) {
			result.addHeld(c, c.View.State.Table().ShareholdingsOf(c.Member.Entity))
			result.addRights(c.View.State.Table().InstrumentsOf(c.Member.Entity))
			result.Counts.Securities = len(result.Own)
			result.addTasks(c)
			return result, nil
		}
		result.addHeld(c, c.View.State.Table().Shareholdings())
		result.addRights(c.View.State.Table().Instruments())
		result.addTable(c)
		result.addTasks(c)
		var err error
		result.LatestEvents, err = s.entries(ctx, c, messages.JournalQuery{Limit: maxEvents})
		return result, err
	})
}

// addHeld counts the outstanding shareholdings that the caller may see, and sums the caller's own.
func (d *dashboard) addHeld(c *api.Call, each iter.Seq[*captable.Shareholding]) {
	for now := range each {
		held, issued := now.On(d.AsOf)
		if !issued || !held.Status.Outstanding() {
			continue
		}
		d.Counts.Shareholdings++
		if held.Entity == c.Member.Entity {
			d.addOwn(c, held)
		}
	}
}

// addRights counts the outstanding convertibles and warrants that the caller may see.
func (d *dashboard) addRights(each iter.Seq[*captable.Instrument]) {
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
	}
}

// addOwn adds a shareholding to the position of its class.
func (d *dashboard) addOwn(c *api.Call, held *captable.Shareholding) {
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

// addTable adds the parts that require permission to view the cap table.
func (d *dashboard) addTable(c *api.Call) {
	table := capTableOf(c)
	d.Totals, d.Securities, d.Pools = &table.Totals, table.Securities, table.Pools
	for _, holder := range table.Holders[:min(len(table.Holders), maxTopHolders)] {
		d.TopHolders = append(d.TopHolders, topHolder{
			holder.Entity, holder.Name, holder.Shares, holder.Options, holder.Warrants, holder.PercentOutstanding,
			holder.PercentFullyDiluted,
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
