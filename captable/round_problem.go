package captable

import (
	"strconv"
	"strings"

	"equity/captable/conversion"
)

// state sets the problem to solve. The labels of instruments contain their ids and are unique.
func (r *round) state(name func(EntityID) string) {
	r.problem = conversion.Round{
		Company:  r.company,
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

// value returns the number, or zero if it is absent.
func value(number *Decimal) Decimal {
	if number == nil {
		return Decimal{}
	}
	return *number
}

// label returns the label of an instrument: the name of its holder and its id, which makes the
// label unique.
func label(i *Instrument, name func(EntityID) string) string {
	return strings.TrimSpace(name(i.Entity) + " " + i.ID.String())
}

// convertible returns the terms of the instrument. The balance on the day converts, except
// interest that is paid in cash.
func (r *round) convertible(i *Instrument, name func(EntityID) string) conversion.Convertible {
	amount, _ := i.ConvertingAmount(r.terms.Date)
	out := i.inRoundAs(i.ConvertibleTerms, amount)
	out.ID = label(i, name)
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

// right returns a holder's pro rata right, based on the present shares and the converting
// instruments.
func (r *round) right(holder party, name func(EntityID) string) conversion.Participation {
	right := conversion.Participation{ID: holder.name, Shares: r.shares[holder.entity]}
	for _, i := range r.converts {
		if i.Entity == holder.entity {
			right.Convertibles = append(right.Convertibles, label(i, name))
		}
	}
	return right
}

// pointer maps the pointer of a fault in the problem to a field of the request body. The body has
// no elements for convertibles that were not listed.
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

// message returns the message of the fault with the affected holding.
func (r *round) message(fault conversion.Fault) string {
	if i, ok := r.instrument(fault.Pointer); ok {
		return fault.Message + " (holding " + i.ID.String() + ")"
	}
	return fault.Message
}

// instrument returns the convertible to which a pointer of the problem refers.
func (r *round) instrument(pointer string) (*Instrument, bool) {
	rest, found := strings.CutPrefix(pointer, "/convertibles/")
	digits, _, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n >= len(r.converts) {
		return nil, false
	}
	return r.converts[n], true
}
