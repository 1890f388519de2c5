package captable

import (
	"strconv"
	"strings"

	"equity/captable/conversion"
)

// state puts the round as a problem to be solved. Parties and instruments go by their
// place and kind, so that no two have the same name.
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
	amount, _ := i.converting(r.terms.Date)
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
