package ocf

import (
	"strconv"

	"equity/captable"
)

// ratioObject is an adjustment of the conversion ratio of a class.
type ratioObject struct {
	ID        string          `json:"id"`
	Type      string          `json:"object_type"`
	Date      captable.Date   `json:"date"`
	Class     string          `json:"stock_class_id"`
	Mechanism mechanismObject `json:"new_ratio_conversion_mechanism"`
}

// ratioAdjusted writes a new conversion ratio with its date. The class object keeps the
// initial ratio.
func (x *Exporter) ratioAdjusted(e captable.ConversionAdjusted) {
	c := x.classes[e.ID]
	if c == nil || c.live.conversion == nil {
		return
	}
	stated := captable.Conversion{Ratio: e.Ratio, Fraction: e.Fraction}
	into := captable.ConversionInto(c.live.conversion.Security, stated.Each())
	terms := captable.SecurityTerms{Price: c.live.price}
	own, target := x.growthAfter(e.ID, e.Date), x.growthAfter(into.Security, e.Date)
	if price := terms.Price; price != nil && len(x.splitsAfter(e.ID, e.Date)) > 0 {
		terms.Price = &captable.Price{Amount: scaled(price.Amount, own), Currency: price.Currency}
	}
	c.live.conversion = captable.ConversionInto(into.Security, target.Mul(into.Each(), target.Quo(target, own)))
	c.since = max(c.since, e.Date)
	id := c.id + "-ratio-" + strconv.Itoa(x.placed)
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Source), source: e.Source, date: e.Date, class: e.ID, object: func() any {
			return ratioObject{id, typeRatio, e.Date, c.id, x.right(terms, into).Mechanism}
		},
	})
}
