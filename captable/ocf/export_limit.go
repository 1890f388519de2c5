package ocf

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/exact"
)

// limit is a number of authorized shares and the transaction that sets it.
type limit struct {
	date               captable.Date
	total, was         captable.Authorized
	place              place
	source             *captable.Source
	id                 string
	board, stockholder captable.Date
	// split is set for a limit after an imported split. That limit is written only if it is
	// not the previous limit multiplied by the ratio. kept is set for a limit that a split
	// left unchanged; it is always written.
	split *multiple
	kept  bool
	// by is the effect of the split that set the limit; nil for a stated limit.
	by *multiple
}

// multiple is the effect of a split on a number of shares with the given decimal places.
type multiple struct {
	ratio  captable.Ratio
	places int
}

// of returns the limit after the split, rounded as in the cap table.
func (m multiple) of(before captable.Authorized) captable.Authorized {
	if before.Unlimited {
		return before
	}
	shares := new(big.Rat).Mul(before.Shares.Rat(), m.ratio.Numerator.Rat())
	return captable.AuthorizedOf(exact.RoundDown(shares.Quo(shares, m.ratio.Denominator.Rat()), m.places))
}

// isImplied reports whether readers of the package can derive the limit without an
// adjustment.
func (l *limit) isImplied(before captable.Authorized) bool {
	switch {
	case l.source != nil || l.kept:
		return false
	case l.split == nil:
		return l.total == before
	default:
		return l.total == before || l.total == l.split.of(before)
	}
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
	c := x.classes[e.ID]
	if c == nil {
		return
	}
	l := limit{
		date: e.EffectiveDate, total: e.Authorized, place: x.place(e.Source), source: e.Source,
		board: e.BoardApprovalDate, stockholder: e.StockholderApprovalDate,
	}
	if e.OfDay {
		x.limitOn(c, l, e.ID)
	} else {
		x.limit(c, l, e.ID)
	}
}

// limitOn inserts the limit of a day before a recorded split, as the cap table does: later splits
// multiply it, and limits that were stated later change by the difference on their day.
func (x *Exporter) limitOn(c *class, l limit, of captable.SecurityID) {
	l.was, l.id = l.total, c.nextLimit(of)
	at, was, now := c.limitAt(l.date), captable.Authorized{}, l.total
	if at > 0 {
		was = c.limits[at-1].total
	}
	c.limits = slices.Insert(c.limits, at, l)
	for i := at + 1; i < len(c.limits); i++ {
		later := &c.limits[i]
		old := later.total
		if later.by != nil {
			later.total = later.by.of(now)
		} else {
			later.total = moved(old, was, now)
		}
		was, now = old, later.total
	}
}

// limit inserts a limit by its effective date, as the cap table does. Later limits change by
// the same amount as the present one.
func (x *Exporter) limit(c *class, l limit, of captable.SecurityID) {
	l.was = l.total
	l.id = c.nextLimit(of)
	present, wanted, at := c.limits[len(c.limits)-1].total, l.total, c.limitAt(l.date)
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

// limitAt returns the position of a new limit that takes effect on the date.
func (c *class) limitAt(date captable.Date) int {
	at := len(c.limits)
	for at > 0 && c.limits[at-1].date > date {
		at--
	}
	return at
}

// nextLimit returns the id of the next limit of the class.
func (c *class) nextLimit(of captable.SecurityID) string {
	return of.String() + "-authorized-" + strconv.Itoa(len(c.limits))
}

// moved returns a limit after a change of the present one.
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

// initial returns the index of the limit that the class object states. An adjustment cannot
// state an unlimited number, so the last unlimited limit becomes the initial one.
func (c *class) initial() int {
	for i := len(c.limits) - 1; i > 0; i-- {
		if c.limits[i].total.Unlimited {
			return i
		}
	}
	return 0
}
