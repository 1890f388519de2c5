package ocf

import (
	"cmp"
	"math/big"
	"slices"

	"equity/captable"
	"equity/captable/exact"
)

// class is a security at its creation and in its current state. Terms are stated without the
// effect of splits, because readers of the package apply the splits.
type class struct {
	stated[captable.SecurityTerms]
	// first is the first day of the class, or zero if the class begins with its approval.
	first captable.Date
	// limits are the authorized shares, ordered by effective date. The first is the initial
	// limit.
	limits []limit
	// splits counts the splits so far; multiplied is the product of their ratios.
	splits     int
	multiplied *big.Rat
	// history holds the splits so far, oldest first.
	history []captable.Split
	// since is the date of the last split or ratio adjustment. A ratio adjustment for changed
	// terms is not dated before it.
	since captable.Date
	// live holds the prices and conversion after the splits, as in the cap table.
	live prices
}

// prices are the terms that a split changes.
type prices struct {
	par, price *captable.Price
	conversion *captable.Conversion
}

func pricesOf(terms captable.SecurityTerms) prices {
	return prices{terms.ParValue, terms.Price, terms.Conversion}
}

// splitsAfter returns the recorded splits of the class after the day. An entry of the day counts in
// shares before them.
func (x *Exporter) splitsAfter(id captable.SecurityID, day captable.Date) (later []captable.SecuritySplit) {
	c := x.classes[id]
	if c == nil || day.IsZero() {
		return nil
	}
	for _, split := range c.history {
		if split.Date > day {
			later = append(later, captable.SecuritySplit{ID: id, Ratio: split.Ratio, Date: split.Date})
		}
	}
	return later
}

// growthAfter returns the product of the ratios of the splits after the day.
func (x *Exporter) growthAfter(id captable.SecurityID, day captable.Date) *big.Rat {
	growth := big.NewRat(1, 1)
	for _, split := range x.splitsAfter(id, day) {
		growth.Mul(growth, split.Ratio.Rat())
	}
	return growth
}

// splitsUntil returns the number of recorded splits of the class up to the day.
func (x *Exporter) splitsUntil(id captable.SecurityID, day captable.Date) int {
	return x.splitsOf(id) - len(x.splitsAfter(id, day))
}

func (x *Exporter) classCreated(e captable.SecurityCreated) {
	if into := e.Terms.Conversion; into != nil && !e.OfDay.IsZero() {
		growth := x.growthAfter(into.Security, e.OfDay)
		e.Terms.Conversion = captable.ConversionInto(into.Security, growth.Mul(growth, into.Each()))
	}
	c := &class{
		stated:     enter(x, x.name(typeClass, e.Terms.ExternalID, e.ID.String()), e.Terms, e.Source),
		multiplied: big.NewRat(1, 1), first: e.EffectiveDate,
	}
	c.limits = []limit{{ // written as a transaction only if an earlier limit precedes it
		date: cmp.Or(e.EffectiveDate, e.Terms.BoardApprovalDate), total: e.Terms.AuthorizedShares, was: e.Terms.AuthorizedShares,
		place: c.place, id: e.ID.String() + "-authorized-0",
	}}
	x.classes[e.ID] = c
	if e.Source == nil {
		c.keep()
		c.now = x.unsplit(c, e.Terms)
	}
	c.live = pricesOf(e.Terms)
}

// classChanged restates a class. The format has no transaction for changed terms, but it has
// one for a limit and one for a ratio. Changes of these are also written as dated
// transactions.
func (x *Exporter) classChanged(e captable.SecurityChanged) {
	c := x.classes[e.ID]
	if c == nil {
		return
	}
	if last := c.limits[len(c.limits)-1].total; last != e.Terms.AuthorizedShares {
		x.limit(c, limit{date: e.EffectiveDate, total: e.Terms.AuthorizedShares, place: x.place(nil)}, e.ID)
	}
	if was, into := c.live.conversion, e.Terms.Conversion; was != nil && into != nil && was.Security == into.Security && *was != *into {
		x.ratioAdjusted(
			captable.ConversionAdjusted{ID: e.ID, Ratio: into.Ratio, Fraction: into.Fraction, Date: max(e.EffectiveDate, c.since)},
		)
	}
	c.restate(x.unsplit(c, e.Terms))
	c.live = pricesOf(e.Terms)
}

// unsplit removes the effect of the splits so far from current terms. A value that differs
// from the known one only by the splits is replaced with the known one.
func (x *Exporter) unsplit(c *class, terms captable.SecurityTerms) captable.SecurityTerms {
	price := func(given, live, known *captable.Price) *captable.Price {
		switch {
		case given == nil || c.splits == 0:
			return given
		case live != nil && *live == *given:
			return known
		default:
			return &captable.Price{Amount: scaled(given.Amount, c.multiplied), Currency: given.Currency}
		}
	}
	into := terms.Conversion
	terms.Price = price(terms.Price, c.live.price, c.now.Price)
	terms.ParValue = price(terms.ParValue, c.live.par, c.now.ParValue)
	switch live := c.live.conversion; {
	case into == nil:
	case live != nil && *live == *into:
		terms.Conversion = c.now.Conversion
	default:
		factor := new(big.Rat).Set(c.multiplied)
		if target := x.classes[into.Security]; target != nil {
			factor.Quo(factor, target.multiplied)
		}
		terms.Conversion = captable.ConversionInto(into.Security, factor.Mul(factor, into.Each()))
	}
	return terms
}

// afterSplit returns the comment for an issuance on the day of a previously recorded split.
func (x *Exporter) afterSplit(of captable.SecurityID, day captable.Date) []string {
	onDay := func(split captable.Split) bool { return split.Date == day }
	if c := x.classes[of]; c != nil && slices.ContainsFunc(c.history, onDay) {
		return []string{commentAfterSplit}
	}
	return nil
}

// restatedOrder returns the comment for a restated issuance on the day of a previously recorded
// split. It moves the issuance behind that split in the package.
func (x *Exporter) restatedOrder(at *place, of captable.SecurityID, day captable.Date) []string {
	order := x.afterSplit(of, day)
	if order != nil {
		*at = x.place(nil)
	}
	return order
}

func scaled(number captable.Decimal, by *big.Rat) captable.Decimal {
	return exact.RoundHalfUp(new(big.Rat).Mul(number.Rat(), by), exact.Places)
}
