package ocf

import (
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
)

type splitObject struct {
	ID    string         `json:"id"`
	Type  string         `json:"object_type"`
	Date  captable.Date  `json:"date"`
	Class string         `json:"stock_class_id"`
	Ratio captable.Ratio `json:"split_ratio"`
}

func (x *Exporter) split(e captable.SecuritySplit, stamp captable.Stamp) {
	c := x.classes[e.ID]
	unchanged := e.Ratio.Numerator.Equal(e.Ratio.Denominator) // such splits were recorded before they were refused
	if c == nil || unchanged {
		return
	}
	c.splits++
	c.history = append(c.history, captable.Split{Date: e.Date, Ratio: e.Ratio})
	c.since = max(c.since, e.Date)
	x.roll(c, e.ID, e.Ratio)
	x.splitInstruments(e)
	x.splitGrants(e, c.now.Places())
	c.multiplied = new(big.Rat).Mul(c.multiplied, new(big.Rat).Quo(e.Ratio.Numerator.Rat(), e.Ratio.Denominator.Rat()))
	id := e.ID.String() + "-split-" + strconv.FormatUint(stamp.Sequence, 10)
	later := e.LaterDays && !e.KeepAuthorized && c.limits[len(c.limits)-1].date > e.Date
	raised := later && x.splitLimits(c, e)
	present := c.limits[len(c.limits)-1].total
	var by *multiple
	if e.LaterDays && !e.KeepAuthorized {
		by = &multiple{e.Ratio, c.now.Places()}
	}
	if !later && e.Source == nil && !present.Unlimited && e.Authorized.Covers(present.Shares) { // the limit must be raised before the split
		x.limit(c, limit{date: e.Date, total: e.Authorized, place: x.place(nil), kept: e.Authorized == present, by: by}, e.ID)
	}
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Source), source: e.Source, date: e.Date, class: e.ID,
		object: func() any { return splitObject{id, typeSplit, e.Date, c.id, e.Ratio} },
	})
	switch {
	case later && !raised: // the limit must be lowered after the split
		c.limits[c.limitAt(e.Date)-1].place = x.place(nil)
	case !later && e.Authorized != c.limits[len(c.limits)-1].total:
		l := limit{date: e.Date, total: e.Authorized, place: x.place(nil), by: by}
		if e.Source != nil {
			l.split, l.date = &multiple{e.Ratio, c.now.Places()}, max(e.Date, c.limits[0].date)
		}
		x.limit(c, l, e.ID)
	}
}

// splitLimits multiplies the limits in force on the date of a split and on each later day, as the
// cap table does. It reports whether the limit of the date rises.
func (x *Exporter) splitLimits(c *class, e captable.SecuritySplit) bool {
	by, at := multiple{e.Ratio, c.now.Places()}, c.limitAt(e.Date)
	for i := at; i < len(c.limits); i++ {
		c.limits[i].total = by.of(c.limits[i].total)
	}
	if at == 0 {
		return true
	}
	was := c.limits[at-1].total
	l := limit{date: e.Date, total: by.of(was), was: was, place: x.place(nil), id: c.nextLimit(e.ID), by: &by}
	c.limits = slices.Insert(c.limits, at, l)
	return l.total.Covers(was.Shares)
}

// roll applies a split to the live prices and conversions, rounded as in the cap table.
func (x *Exporter) roll(c *class, of captable.SecurityID, ratio captable.Ratio) {
	by := new(big.Rat).Quo(ratio.Numerator.Rat(), ratio.Denominator.Rat())
	shrink := func(price *captable.Price) *captable.Price {
		if price == nil {
			return nil
		}
		return &captable.Price{Amount: scaled(price.Amount, new(big.Rat).Inv(by)), Currency: price.Currency}
	}
	c.live.price, c.live.par = shrink(c.live.price), shrink(c.live.par)
	if into := c.live.conversion; into != nil {
		c.live.conversion = captable.ConversionInto(into.Security, new(big.Rat).Quo(into.Each(), by))
	}
	for _, other := range x.classes {
		if into := other.live.conversion; into != nil && into.Security == of {
			other.live.conversion = captable.ConversionInto(of, new(big.Rat).Mul(into.Each(), by))
		}
	}
}
