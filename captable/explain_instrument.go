package captable

import (
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// instrument explains what is owed on a convertible, or how many shares a warrant gives
// still.
func (x *explanation) instrument(id InstrumentID, which string) (Term, error) {
	i, err := x.state.instrument(id)
	if err != nil {
		return Term{}, err
	}
	if !i.convertible() {
		if which != "outstanding" {
			return Term{}, noFigure("A warrant's figure is outstanding.")
		}
		return x.warrant(i), nil
	}
	switch which {
	case "principal":
		return x.principal(i), nil
	case "accruedInterest":
		return x.interest(i), nil
	case "balance":
		return plus(x.instrumentLabel(i)+", owed", x.principal(i), x.interest(i)), nil
	default:
		return Term{}, noFigure("The figures of a convertible are principal, accruedInterest and balance.")
	}
}

func (x *explanation) instrumentLabel(i *Instrument) string {
	return x.name(i.Entity) + ", " + string(i.Kind) + " of " + i.IssueDate.String()
}

// from names the instrument, and the events that a figure of it was set by.
func (i *Instrument) from(events ...string) Reference {
	return Reference{Kind: kindHolding, ID: i.ID, Events: events}
}

// stated are the events that say what an instrument is.
func (i *Instrument) stated() Reference {
	return i.from(InstrumentIssued{}.EventType(), InstrumentCorrected{}.EventType(), InstrumentAmended{}.EventType(),
		InstrumentEnded{Kind: StatusTransferred}.EventType(), InstrumentEnded{Kind: StatusCancelled}.EventType())
}

// over gives the term of an instrument that is over, or that was not there yet, on the day.
func (x *explanation) over(i *Instrument, label string) (Term, bool) {
	sum := Term{Label: x.instrumentLabel(i) + ", " + label, Operation: OperationSum}
	switch day := x.day; {
	case i.IssueDate > day || i.Status == StatusVoided:
		return sum, true
	case i.End != nil && i.End.Date <= day:
		sum.add(recorded(string(i.Status)+" on "+i.End.Date.String(), Decimal{}, i.from()))
		return sum, true
	default:
		return sum, false
	}
}

// turn is a day on which a debt became another by more than time: it was repaid, or divided.
type turn struct {
	label         string
	date          Date
	before, after conversion.Ledger
}

// turns lists those of the instrument until the day, in their order.
func (i *Instrument) turns(day Date) (turns []turn) {
	whole := i.ledger()
	cut := func(repaid, divided int) conversion.Ledger {
		l := whole
		l.Repayments, l.Portions = whole.Repayments[:repaid], whole.Portions[:divided]
		return l
	}
	divided := 0
	for n := 0; n <= len(whole.Repayments); n++ {
		for ; divided < len(whole.Portions) && whole.Portions[divided].After <= n; divided++ {
			turns = append(turns, turn{"divided", whole.Portions[divided].Date, cut(n, divided), cut(n, divided+1)})
		}
		if n < len(whole.Repayments) {
			turns = append(turns, turn{"repaid", whole.Repayments[n].Date, cut(n, divided), cut(n+1, divided)})
		}
	}
	return until(turns, func(t turn) bool { return t.date <= day })
}

// moved is the term of what a turn did to a part of what is owed; false where nothing.
func (t turn) moved(i *Instrument, of func(conversion.Standing) *big.Rat) (Term, bool) {
	change := rounded(of(t.after.On(t.date))).Sub(rounded(of(t.before.On(t.date))))
	return recorded(t.label+" on "+t.date.String(), change, i.from()), !change.IsZero()
}

// rounded is a part of what is owed to the places of the contract. The terms of a debt are
// differences of what is rounded, so that they sum to it.
func rounded(owed *big.Rat) Decimal { return exact.RoundHalfUp(owed, exact.Places) }

// principal is what came in and what of it was repaid: the balance without the interest, as
// both are rounded.
func (x *explanation) principal(i *Instrument) Term {
	sum, over := x.over(i, "principal")
	if over {
		return sum
	}
	sum.add(recorded("came in on "+i.Account.Since.String(), i.Account.Principal, i.stated()))
	for _, turn := range i.turns(x.day) {
		if term, moved := turn.moved(i, func(s conversion.Standing) *big.Rat { return s.Principal }); moved {
			sum.add(term)
		}
	}
	balance, interest := i.Balance(x.day)
	if rest := balance.Sub(interest).Sub(sum.Value.Shares); !rest.IsZero() {
		sum.add(recorded("rounding", rest, i.stated()))
	}
	return sum
}

// interest is what accrued from one turn to the next at each rate, and what of it was paid.
func (x *explanation) interest(i *Instrument) Term {
	sum, over := x.over(i, "interest")
	if over {
		return sum
	}
	of := func(s conversion.Standing) *big.Rat { return s.Interest }
	ledger, since := i.ledger(), i.Account.Since
	ledger.Repayments, ledger.Portions = nil, nil
	for _, turn := range i.turns(x.day) {
		i.accrued(&sum, ledger, since, turn.date)
		if term, moved := turn.moved(i, of); moved {
			sum.add(term)
		}
		ledger, since = turn.after, turn.date
	}
	i.accrued(&sum, ledger, since, x.day)
	return sum
}

// accrued adds the interest of the days, each rate by itself.
func (i *Instrument) accrued(sum *Term, ledger conversion.Ledger, from, to Date) {
	for _, rate := range ledger.Interest.Rates {
		first, behind := max(from, rate.From), to
		if !rate.To.IsZero() {
			behind = min(to, rate.To+1)
		}
		if first >= behind {
			continue
		}
		change := rounded(ledger.On(behind).Interest).Sub(rounded(ledger.On(first).Interest))
		sum.add(recorded("at "+rate.Rate.String()+" a year from "+first.String()+" until "+behind.String(), change, i.stated()))
	}
}

// warrant is what it gave at first, and what exercises, splits and its last day took of it.
func (x *explanation) warrant(i *Instrument) Term {
	sum, over := x.over(i, "outstanding")
	if over {
		return sum
	}
	left := i.Left
	if len(i.Before) > 0 {
		left = i.Before[0].Left
	}
	sum.add(recorded("issued on "+i.IssueDate.String(), left, i.stated()))
	for n, count := range i.Before {
		after := i.Left
		if n+1 < len(i.Before) {
			after = i.Before[n+1].Left
		}
		if change := after.Sub(count.Left); count.Until <= x.day && !change.IsZero() {
			sum.add(recorded("exercised or split on "+count.Until.String(), change, append(x.splitOn(i.Security, count.Until), i.from())...))
		}
	}
	if i.ExpiredOn(x.day) && !sum.Value.Shares.IsZero() {
		sum.add(recorded("expired after "+i.ExpirationDate.String(), sum.Value.Shares.Neg(), i.stated()))
	}
	return sum
}
