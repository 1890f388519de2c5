package captable

import (
	"bytes"
	"cmp"
	"slices"

	"equity/captable/exact"
)

// RoundRow is one row of the ownership before and after a round: a holder with all shares as
// converted, options and warrants; the promised options; or the available pools. Each column of
// percentages sums to exactly 1.
type RoundRow struct {
	// Kind is holder, promised or pool.
	Kind          string   `json:"kind"`
	Entity        EntityID `json:"entity,omitzero"`
	Name          string   `json:"name"`
	SharesBefore  Decimal  `json:"sharesBefore"`
	SharesAfter   Decimal  `json:"sharesAfter"`
	PercentBefore Decimal  `json:"percentBefore"`
	PercentAfter  Decimal  `json:"percentAfter"`
}

// The kinds of rows.
const (
	rowHolder   = "holder"
	rowPromised = "promised"
	rowPool     = "pool"
)

// addOwnership sets the rows and their sums. The holders come first, in descending order of their
// shares after the round, then the promised options and the pool.
func (o *RoundOutcome) addOwnership(r *round, name func(EntityID) string) {
	rows := map[party]*RoundRow{}
	row := func(by party) *RoundRow {
		if !by.entity.IsZero() {
			by.name = name(by.entity)
		}
		if rows[by] == nil {
			rows[by] = &RoundRow{Kind: rowHolder, Entity: by.entity, Name: by.name}
		}
		return rows[by]
	}
	for entity, shares := range r.shares {
		one := row(party{entity: entity})
		one.SharesBefore, one.SharesAfter = shares, shares
	}
	for _, c := range o.Conversions {
		one := row(party{entity: c.Entity})
		one.SharesAfter = one.SharesAfter.Add(c.Shares)
	}
	for _, purchase := range o.NewMoney {
		one := row(party{purchase.Entity, purchase.Name})
		one.SharesAfter = one.SharesAfter.Add(purchase.Shares)
	}
	o.Ownership = make([]RoundRow, 0, len(rows))
	for _, one := range rows {
		o.Ownership = append(o.Ownership, *one)
	}
	slices.SortFunc(o.Ownership, func(a, b RoundRow) int {
		return cmp.Or(b.SharesAfter.Cmp(a.SharesAfter), bytes.Compare(a.Entity[:], b.Entity[:]), cmp.Compare(a.Name, b.Name))
	})
	o.addReserved(r)
	o.addSums()
}

// addReserved adds the rows without a holder, unless they are zero.
func (o *RoundOutcome) addReserved(r *round) {
	promised := r.terms.OptionsPromised
	for _, one := range []RoundRow{
		{Kind: rowPromised, Name: "Options promised", SharesBefore: promised, SharesAfter: promised},
		{Kind: rowPool, Name: "Left in the pools", SharesBefore: o.Pool.Before, SharesAfter: o.Pool.After},
	} {
		if !one.SharesAfter.IsZero() {
			o.Ownership = append(o.Ownership, one)
		}
	}
}

func (o *RoundOutcome) addSums() {
	var before, after []Decimal
	for _, one := range o.Ownership {
		before, after = append(before, one.SharesBefore), append(after, one.SharesAfter)
		o.SharesBefore, o.SharesAfter = o.SharesBefore.Add(one.SharesBefore), o.SharesAfter.Add(one.SharesAfter)
	}
	before, after = exact.Percentages(before), exact.Percentages(after)
	for i := range o.Ownership {
		o.Ownership[i].PercentBefore, o.Ownership[i].PercentAfter = before[i], after[i]
	}
}
