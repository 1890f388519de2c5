package ocf

import (
	"strconv"

	"equity/captable"
)

// limit is a number of authorized shares, and the transaction that says so.
type limit struct {
	date               captable.Date
	total, was         captable.Authorized
	place              place
	source             *captable.Source
	id                 string
	board, stockholder captable.Date
}

type authorizedObject struct {
	ID          string           `json:"id"`
	Type        string           `json:"object_type"`
	Date        captable.Date    `json:"date"`
	Class       string           `json:"stock_class_id"`
	Shares      captable.Decimal `json:"new_shares_authorized"`
	Board       captable.Date    `json:"board_approval_date,omitzero"`
	Stockholder captable.Date    `json:"stockholder_approval_date,omitzero"`
}

func (x *Exporter) authorized(e captable.SharesAuthorized) {
	if c := x.classes[e.ID]; c != nil {
		x.limit(c, limit{
			date: e.EffectiveDate, total: e.Authorized, place: x.place(e.Source), source: e.Source,
			board: e.BoardApprovalDate, stockholder: e.StockholderApprovalDate,
		}, e.ID)
	}
}

// limit enters a limit from a date on, as the cap table does: those that began later
// move by as much as the present one changed.
func (x *Exporter) limit(c *class, l limit, of captable.SecurityID) {
	l.was = l.total
	l.id = of.String() + "-authorized-" + strconv.Itoa(len(c.limits))
	present, wanted := c.limits[len(c.limits)-1].total, l.total
	at := len(c.limits)
	for at > 0 && c.limits[at-1].date > l.date {
		at--
	}
	l.total = captable.Authorized{}
	if at > 0 {
		l.total = c.limits[at-1].total
	}
	c.limits = append(c.limits, limit{})
	copy(c.limits[at+1:], c.limits[at:])
	c.limits[at] = l
	for i := at; i < len(c.limits); i++ {
		c.limits[i].total = moved(c.limits[i].total, present, wanted)
	}
}

// moved is a limit after the present one changed.
func moved(limit, from, to captable.Authorized) captable.Authorized {
	switch {
	case from.Unlimited || to.Unlimited:
		return to
	case limit.Unlimited:
		return limit
	default:
		return captable.AuthorizedOf(limit.Shares.Add(to.Shares).Sub(from.Shares).Max(captable.Decimal{}))
	}
}

// initial is the place of the limit that a package states with the class. The format
// cannot say of a later limit that it is none: then that is the initial one.
func (c *class) initial() int {
	for i := len(c.limits) - 1; i > 0; i-- {
		if c.limits[i].total.Unlimited {
			return i
		}
	}
	return 0
}
