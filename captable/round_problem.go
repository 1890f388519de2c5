package captable

import (
	"math/big"
	"strconv"
	"strings"

	"equity/captable/conversion"
)

// state puts the round as a problem to be solved. Parties and instruments go by their
// place and kind, so that no two have the same name.
func (r *round) state(name func(EntityID) string) {
	held := Decimal{}
	for _, shares := range r.shares {
		held = held.Add(shares)
	}
	r.problem = conversion.Round{
		Company: conversion.Company{
			Common: held.Sub(r.granted), OptionsGranted: r.granted,
			OptionsPromised: r.terms.OptionsPromised, PoolAvailable: r.available,
		},
		PreMoney: value(r.terms.PreMoney), PostMoney: value(r.terms.PostMoney), PricePerShare: value(r.terms.PricePerShare),
		Convention: r.terms.Convention, Fractional: true,
	}
	if pool := r.terms.Pool; pool != nil {
		r.problem.Pool = conversion.Pool{Target: value(pool.Target), Increase: value(pool.Increase)}
	}
	for i, investment := range r.terms.NewMoney {
		r.problem.NewMoney = append(r.problem.NewMoney, conversion.Investment{ID: r.investors[i].name, Amount: investment.Amount})
	}
	for _, instrument := range r.converts {
		r.problem.Convertibles = append(r.problem.Convertibles, r.convertible(instrument, name))
	}
	for _, holder := range r.rights {
		r.problem.ProRata = append(r.problem.ProRata, r.right(holder, name))
	}
}

// value reads a number that may be absent.
func value(number *Decimal) Decimal {
	if number == nil {
		return Decimal{}
	}
	return *number
}

// label is how the round calls an instrument: its holder's name, and its id, which no
// other has.
func label(i *Instrument, name func(EntityID) string) string {
	return strings.TrimSpace(name(i.Entity) + " " + i.ID.String())
}

// convertible gives the instrument's terms. What is owed on the day converts, but for
// interest that is paid in cash.
func (r *round) convertible(i *Instrument, name func(EntityID) string) conversion.Convertible {
	out := conversion.Convertible{
		ID: label(i, name), Amount: i.converts(r.terms.Date), CapBasis: conversion.CapBasis(i.CapBasis),
		Discount: value(i.Discount), MFN: i.MFN,
	}
	if i.ValuationCap != nil {
		out.Cap = i.ValuationCap.Amount
	}
	if fixed := i.FixedConversion; fixed != nil {
		switch {
		case fixed.Fraction != nil:
			out.FixedPercent = *fixed.Fraction
		case fixed.Shares != nil:
			out.FixedShares = fixed.Shares.Rat()
		case fixed.Price != nil:
			out.FixedShares = new(big.Rat).Quo(out.Amount, fixed.Price.Rat())
		}
	}
	for _, election := range r.terms.Convertibles {
		if election.Holding != i.ID || election.Elects.IsZero() {
			continue
		}
		out.Elects = election.Elects.String()
		for _, other := range r.converts {
			if other.ID == election.Elects {
				out.Elects = label(other, name)
			}
		}
	}
	return out
}

// converts is the part of what is owed on the day that becomes shares.
func (i *Instrument) converts(day Date) *big.Rat {
	owed := i.Owed(day)
	if i.Interest != nil && i.Interest.Payout == conversion.Cash {
		return owed.Principal
	}
	return owed.Balance()
}

// right is a holder's pro rata right: by what is held already and by what converts.
func (r *round) right(holder party, name func(EntityID) string) conversion.Participation {
	right := conversion.Participation{ID: holder.name, Shares: r.shares[holder.entity]}
	for _, i := range r.converts {
		if i.Entity == holder.entity {
			right.Convertibles = append(right.Convertibles, label(i, name))
		}
	}
	return right
}

// pointer leads from a fault of the problem to the field of the body. Convertibles that
// were not listed are not in it.
func (r *round) pointer(of string) string {
	_, listed := r.instrument(of)
	switch {
	case listed && r.terms.Convertibles == nil:
		return "/convertibles"
	case strings.HasPrefix(of, "/company/optionsPromised"):
		return "/optionsPromised"
	case strings.HasPrefix(of, "/company"):
		return ""
	default:
		return of
	}
}

// message names the holding that a fault is about.
func (r *round) message(fault conversion.Fault) string {
	if i, ok := r.instrument(fault.Pointer); ok {
		return fault.Message + " (holding " + i.ID.String() + ")"
	}
	return fault.Message
}

// instrument finds the convertible that a pointer of the problem is about.
func (r *round) instrument(pointer string) (*Instrument, bool) {
	rest, found := strings.CutPrefix(pointer, "/convertibles/")
	digits, _, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n >= len(r.converts) {
		return nil, false
	}
	return r.converts[n], true
}
