package ocf

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"equity/captable"
	"equity/captable/exact"
)

// holding is a shareholding as issued and as stated now.
type holding struct {
	stated[captable.Issue]
	voided bool
	// stopped is the termination that stopped the vesting; wasStopped is the imported one.
	stopped, wasStopped *captable.Termination
	// splits is the number of splits of the class at the issuance.
	splits int
	// ended is the end date; zero before it.
	ended captable.Date
	// order is the comment about a split on the issue date.
	order []string
	// preference is the price paid per share that replaces that of the class, or nil.
	preference *captable.Price
}

// transaction is a transaction on shareholdings, a grant, a plan or a class.
type transaction struct {
	place  place
	source *captable.Source
	date   captable.Date
	// about lists the affected shareholdings. The transaction is left out if one of them was
	// voided.
	about []captable.ShareholdingID
	class captable.SecurityID
	// plan is the affected plan, or nil.
	plan *plan
	// grant is the affected grant, or nil.
	grant *grant
	// wanted reports at the end whether to write the transaction. If nil, it is written.
	wanted func() bool
	// object returns a transaction without a source. It is called at the end, when all ids
	// are known.
	object func() any
}

func (x *Exporter) issued(issue captable.Issue) {
	id := x.name(toSecurity, issue.ExternalID, issue.ID.String())
	h := &holding{stated: enter(x, id, issue, issue.Source), order: x.afterSplit(issue.Security, issue.IssueDate)}
	h.now.Source = nil
	h.splits = x.splitsUntil(issue.Security, issue.IssueDate)
	x.holdings[issue.ID] = h
}

// corrected replaces the issue with the corrected one. If the shares were split since the
// issuance, the previous quantity is kept, because the corrected quantity includes the split.
func (x *Exporter) corrected(e captable.ShareholdingCorrected) {
	h := x.holdings[e.ID]
	if h == nil {
		return
	}
	shares, fromTreasury := h.now.Shares, h.now.FromTreasury
	c := x.classes[e.Security]
	split := c != nil && c.splits > h.splits && e.Security == h.now.Security
	if e.Security != h.now.Security {
		h.preference = nil
	}
	h.followPrice(e.PricePerShare)
	h.restate(e.Issue)
	if split {
		h.now.Shares, h.now.FromTreasury = shares, fromTreasury
		return
	}
	h.splits, h.order = x.splitsUntil(e.Security, e.IssueDate), x.restatedOrder(&h.place, e.Security, e.IssueDate)
}

// followPrice changes a stated price of the preference with a corrected price paid, if it was
// that price.
func (h *holding) followPrice(now *captable.Price) {
	was, stated := h.now.PricePerShare, h.preference
	if stated == nil || was == nil || now == nil || stated.Currency != was.Currency || !stated.Amount.Equal(was.Amount) {
		return
	}
	h.preference = nil
	if now.Amount.Sign() > 0 {
		h.preference = now
	}
}

func (x *Exporter) accepted(e captable.ShareholdingAccepted) {
	id := e.ID.String() + "-accepted"
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Source), source: e.Source, date: e.Date, about: []captable.ShareholdingID{e.ID},
		wanted: func() bool { return x.heldOn(e.ID, e.Date) },
		object: func() any { return transactionObject{id, typeAcceptance, e.Date, x.security(e.ID)} },
	})
}

// heldOn reports whether the shares still existed on the day. An end can be recorded with a
// date before the acceptance.
func (x *Exporter) heldOn(id captable.ShareholdingID, day captable.Date) bool {
	h := x.holdings[id]
	return h == nil || h.ended.IsZero() || h.ended >= day
}

// security returns the export id of a shareholding.
func (x *Exporter) security(id captable.ShareholdingID) string {
	if h := x.holdings[id]; h != nil {
		return h.id
	}
	return id.String()
}

type issuanceObject struct {
	issuedObject
	Class         string           `json:"stock_class_id"`
	Plan          string           `json:"stock_plan_id,omitempty"`
	Price         captable.Money   `json:"share_price"`
	Quantity      captable.Decimal `json:"quantity"`
	Legends       []string         `json:"stock_legend_ids"`
	Kind          string           `json:"issuance_type,omitempty"`
	CostBasis     *captable.Money  `json:"cost_basis,omitempty"`
	Consideration string           `json:"consideration_text,omitempty"`
	Vesting       string           `json:"vesting_terms_id,omitempty"`
	Vestings      []vestingEntry   `json:"vestings,omitempty"`
}

func (e *export) issuance(h *holding) json.RawMessage {
	if h.source != nil && !h.changed && h.stopped == h.wasStopped {
		return h.source.Object
	}
	now := e.issuanceObject(h, h.now)
	now.Comments = append(now.Comments, e.stopComment(h, h.stopped)...)
	if h.source == nil {
		return encoded(now)
	}
	was := e.issuanceObject(h, h.initial())
	was.Comments = append(was.Comments, e.stopComment(h, h.wasStopped)...)
	return written(h.source, true, was, now)
}

// stopComment returns a comment for the termination that stopped the vesting of shares.
// Shares issued from stopped shares inherit the termination, so a termination before the
// issue date is left out. A termination after the date of the cover is left out too.
func (e *export) stopComment(h *holding, stopped *captable.Termination) []string {
	if stopped == nil || stopped.Date < h.now.IssueDate || stopped.Date > e.cover.AsOf {
		return nil
	}
	return []string{strings.TrimSpace(commentStopped + stopped.Date.String() + " " + string(stopped.Reason))}
}

// vestingStopped records a termination for its shareholdings.
func (x *Exporter) vestingStopped(stop captable.VestingStopped) {
	for _, id := range stop.Shareholdings {
		h := x.holdings[id]
		if h == nil {
			continue
		}
		if h.stopped = &stop.Termination; stop.Source != nil {
			h.wasStopped = h.stopped
		}
	}
}

// issuanceObject returns an issuance with the quantity of its issue date. Readers of the
// package apply later splits.
func (x *Exporter) issuanceObject(h *holding, issue captable.Issue) issuanceObject {
	object := issuanceObject{
		issuedObject: x.issuedAs(transactionObject{issue.ID.String() + "-issued", typeIssuance, issue.IssueDate, h.id}, issue.Entity),
		Class:        x.classID(issue.Security), Price: x.pricePaid(issue), Quantity: issue.Shares, Legends: []string{},
		Vesting: x.scheduleID(issue.VestingSchedule),
	}
	object.Custom, object.Board, object.Comments = issue.Certificate, issue.BoardApprovalDate, append(x.shareComments(issue), h.order...)
	object.Comments = append(object.Comments, x.priceFact(commentPreference, h.preference)...)
	if p := x.plans[issue.Pool]; p != nil {
		object.Plan = p.id
	}
	for _, id := range issue.Legends {
		if l := x.legends[id]; l != nil {
			object.Legends = append(object.Legends, l.id)
		}
	}
	switch issue.IssuanceType {
	case "founders":
		object.Kind = "FOUNDERS_STOCK"
	case "restrictedStockAward":
		object.Kind = "RSA"
	}
	for _, v := range issue.Vestings {
		object.Vestings = append(object.Vestings, vestingEntry{v.Date, v.Quantity})
	}
	if c := issue.Consideration; c != nil {
		object.CostBasis = &captable.Money{Amount: c.Total(), Currency: x.currency}
		object.Consideration = x.consideration(c)
	}
	return object
}

// shareComments returns the comments of an issuance, including facts for which the format has
// no field. The printed name is included if it differs from the holder's name.
func (x *Exporter) shareComments(issue captable.Issue) []string {
	comments := slices.Clone(issue.Comments)
	if h := x.holders[issue.Entity]; h != nil && issue.ShareholderName != h.now.Name && issue.ShareholderName != "" {
		comments = append(comments, commentName+issue.ShareholderName)
	}
	if issue.FromTreasury.Sign() > 0 {
		comments = append(comments, commentFromTreasury+issue.FromTreasury.String())
	}
	if !issue.Rule144Date.IsZero() {
		comments = append(comments, commentRule144+issue.Rule144Date.String())
	}
	return comments
}

// pricePaid returns the price per share. If only the total is known, it divides the total by
// the quantity.
func (x *Exporter) pricePaid(issue captable.Issue) captable.Money {
	switch {
	case issue.PricePerShare != nil:
		return *x.money(issue.PricePerShare)
	case issue.Consideration != nil:
		each := new(big.Rat).Quo(issue.Consideration.Total().Rat(), issue.Shares.Rat())
		return captable.Money{Amount: exact.RoundHalfUp(each, exact.Places), Currency: x.currency}
	default:
		return captable.Money{Currency: x.currency}
	}
}
