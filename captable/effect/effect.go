// Package effect compares two cap tables. It lists the figures that a change affects, under the paths of
// [equity/captable/explain].
package effect

import (
	"bytes"
	"cmp"
	"slices"

	"equity/captable"
)

// Effects are the changed figures, without those that are equal in both tables.
type Effects struct {
	// Totals are in the order of the fields of [captable.Totals].
	Totals []Change `json:"totals"`
	// Holders contains at most [MostHolders] holders: the largest changes of fully diluted shares first, then in the order of
	// their ids. Holders with a changed percentage only are omitted.
	Holders []Holder `json:"holders"`
	// MoreHolders is the number of further holders with a changed quantity.
	MoreHolders int `json:"moreHolders"`
	// Securities and Pools are in the order of the later table. Deleted ones follow.
	Securities []Security `json:"securities"`
	Pools      []Pool     `json:"pools"`
}

// MostHolders is the largest number of holders in [Effects].
const MostHolders = 50

// Change is a figure before and after a change. A figure of an absent record is 0.
type Change struct {
	// Figure is the path of the figure, such as total/outstanding.
	Figure string              `json:"figure"`
	Before captable.Authorized `json:"before"`
	After  captable.Authorized `json:"after"`
}

// Holder is a changed figure of a holder. Name is the name after the change.
type Holder struct {
	Entity captable.EntityID `json:"entity"`
	Name   string            `json:"name"`
	Change
}

// Security is a changed figure of a class.
type Security struct {
	Security captable.SecurityID `json:"security"`
	Name     string              `json:"name"`
	Change
}

// Pool is a changed figure of a pool.
type Pool struct {
	Pool captable.PoolID `json:"pool"`
	Plan captable.PlanID `json:"plan"`
	Name string          `json:"name"`
	Change
}

// Between returns the differences of two tables of the same day.
func Between(before, after *captable.Table) Effects {
	effects := Effects{
		Totals: changes("total/", totals(before), totals(after)), Securities: securities(before, after), Pools: pools(before, after),
	}
	effects.Holders, effects.MoreHolders = holders(before, after)
	return effects
}

// figures are the figures of a record by name, in a fixed order.
type figures []figure

type figure struct {
	name  string
	value captable.Authorized
}

func (f figures) with(name string, value captable.Decimal) figures {
	return append(f, figure{name, captable.AuthorizedOf(value)})
}

// changes returns the figures with different values. Both lists have the same names; one of them may be empty.
func changes(prefix string, before, after figures) []Change {
	changed := []Change{}
	for i := range max(len(before), len(after)) {
		var was, is figure
		if i < len(before) {
			was = before[i]
		}
		if i < len(after) {
			is = after[i]
		}
		if !equal(was.value, is.value) {
			changed = append(changed, Change{prefix + cmp.Or(was.name, is.name), was.value, is.value})
		}
	}
	return changed
}

func equal(a, b captable.Authorized) bool {
	return a.Unlimited == b.Unlimited && a.Shares.Equal(b.Shares)
}

func totals(table *captable.Table) figures {
	t := &table.Totals
	reserved, available := captable.Decimal{}, captable.Authorized{}
	for i := range table.Securities {
		reserved, available = reserved.Add(table.Securities[i].Reserved), available.Add(table.Securities[i].Available)
	}
	return append(figures{{"authorized", t.Authorized}}.with("issued", t.Issued).with("outstanding", t.Outstanding).
		with("fullyDiluted", t.FullyDiluted).with("treasury", t.Treasury).with("options", t.Options).with("warrants", t.Warrants).
		with("reserved", reserved), figure{"available", available})
}

// inBoth calls compare for each record of the later table, then for the records that only the earlier one has.
// The arguments are nil for an absent record.
func inBoth[R any, K comparable](before, after []R, key func(*R) K, compare func(was, is *R)) {
	earlier := make(map[K]*R, len(before))
	for i := range before {
		earlier[key(&before[i])] = &before[i]
	}
	for i := range after {
		is := &after[i]
		compare(earlier[key(is)], is)
		delete(earlier, key(is))
	}
	if len(earlier) == 0 {
		return
	}
	for i := range before {
		if was := earlier[key(&before[i])]; was != nil {
			compare(was, nil)
		}
	}
}

func securities(before, after *captable.Table) []Security {
	changed := []Security{}
	key := func(line *captable.TableSecurity) captable.SecurityID { return line.ID }
	inBoth(before.Securities, after.Securities, key, func(was, is *captable.TableSecurity) {
		line := cmp.Or(is, was)
		for _, change := range changes("security/"+line.ID.String()+"/", ofSecurity(was), ofSecurity(is)) {
			changed = append(changed, Security{line.ID, line.Name, change})
		}
	})
	return changed
}

func ofSecurity(line *captable.TableSecurity) figures {
	if line == nil {
		return nil
	}
	return append(figures{{"authorized", line.Authorized}}.with("issued", line.Issued).with("outstanding", line.Outstanding).
		with("treasury", line.Treasury).with("reserved", line.Reserved), figure{"available", line.Available}).
		with("fullyDiluted", line.FullyDiluted).with("percentOutstanding", line.PercentOutstanding).
		with("percentFullyDiluted", line.PercentFullyDiluted)
}

func pools(before, after *captable.Table) []Pool {
	changed := []Pool{}
	key := func(line *captable.TablePool) captable.PoolRef {
		return captable.PoolRef{Plan: line.Plan, Pool: line.Pool}
	}
	inBoth(before.Pools, after.Pools, key, func(was, is *captable.TablePool) {
		line := cmp.Or(is, was)
		for _, change := range changes("pool/"+line.Pool.String()+"/", ofPool(was), ofPool(is)) {
			changed = append(changed, Pool{line.Pool, line.Plan, line.Name, change})
		}
	})
	return changed
}

func ofPool(line *captable.TablePool) figures {
	if line == nil {
		return nil
	}
	return figures{}.with("reserve", line.Reserve).with("granted", line.Granted).with("outstanding", line.Outstanding).
		with("exercised", line.Exercised).with("cancelled", line.Cancelled).with("returned", line.Returned).
		with("available", line.Available).with("fullyDiluted", line.FullyDiluted).with("percentFullyDiluted", line.PercentFullyDiluted)
}

// changedHolder is a holder with a changed quantity; a line is nil for an absent holder.
type changedHolder struct {
	was, is *captable.TableHolder
	size    captable.Decimal // of the change of fully diluted shares
}

func (h *changedHolder) line() *captable.TableHolder { return cmp.Or(h.is, h.was) }

func holders(before, after *captable.Table) (listed []Holder, more int) {
	listed = []Holder{}
	var all []changedHolder
	key := func(line *captable.TableHolder) captable.EntityID { return line.Entity }
	inBoth(before.Holders, after.Holders, key, func(was, is *captable.TableHolder) {
		if was != nil && is != nil && sameQuantities(was, is) {
			return
		}
		all = append(all, changedHolder{was, is, diluted(is).Sub(diluted(was))})
	})
	for i := range all {
		if all[i].size.Sign() < 0 {
			all[i].size = all[i].size.Neg()
		}
	}
	slices.SortFunc(all, func(a, b changedHolder) int {
		x, y := a.line().Entity, b.line().Entity
		return cmp.Or(b.size.Cmp(a.size), bytes.Compare(x[:], y[:]))
	})
	for i := range all[:min(len(all), MostHolders)] {
		line := all[i].line()
		for _, change := range changes("holder/"+line.Entity.String()+"/", ofHolder(all[i].was), ofHolder(all[i].is)) {
			listed = append(listed, Holder{line.Entity, line.Name, change})
		}
	}
	return listed, max(len(all)-MostHolders, 0)
}

// sameQuantities reports whether the quantities of both lines are equal.
func sameQuantities(was, is *captable.TableHolder) bool {
	return was.Shares.Equal(is.Shares) && was.Options.Equal(is.Options) && was.Warrants.Equal(is.Warrants) && diluted(was).Equal(diluted(is))
}

func diluted(line *captable.TableHolder) captable.Decimal {
	if line == nil {
		return captable.Decimal{}
	}
	return line.FullyDiluted()
}

func ofHolder(line *captable.TableHolder) figures {
	if line == nil {
		return nil
	}
	return figures{}.with("shares", line.Shares).with("options", line.Options).with("warrants", line.Warrants).
		with("fullyDiluted", line.FullyDiluted()).with("percentOutstanding", line.PercentOutstanding).
		with("percentFullyDiluted", line.PercentFullyDiluted)
}
