package explain

import (
	"math/big"
	"slices"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// instrument explains the amounts owed on a convertible or the outstanding shares of a
// warrant.
func (x *explanation) instrument(id captable.InstrumentID, which string) (Term, error) {
	i, known := x.state.Instrument(id)
	if !known {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such holding.")
	}
	if !i.IsConvertible() {
		if which != "outstanding" {
			return Term{}, noFigure("The figure of a warrant must be outstanding.")
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
		return Term{}, noFigure("The figure of a convertible must be principal, accruedInterest or balance.")
	}
}

func (x *explanation) instrumentLabel(i *captable.Instrument) string {
	return x.name(i.Entity) + ", " + instrumentName(i.Kind) + " of " + i.IssueDate.String()
}

// instrumentName returns the name of a kind of instruments in a sentence.
func instrumentName(k captable.InstrumentKind) string {
	switch k {
	case captable.KindNote:
		return "convertible note"
	case captable.KindSAFE:
		return "SAFE"
	case captable.KindCustom:
		return "convertible"
	case captable.KindWarrant:
		return "warrant"
	}
	return string(k)
}

// instrumentSource returns a reference to the instrument and the given events.
func instrumentSource(i *captable.Instrument, events ...string) Reference {
	return Reference{Kind: kindHolding, ID: i.ID, Events: events}
}

// termsSource returns a reference to the events that set the terms of an instrument.
func termsSource(i *captable.Instrument) Reference {
	return instrumentSource(i, captable.InstrumentIssued{}.EventType(), captable.InstrumentCorrected{}.EventType(), captable.InstrumentAmended{}.EventType(),
		captable.InstrumentEnded{Kind: captable.StatusTransferred}.EventType(),
		captable.InstrumentEnded{Kind: captable.StatusCancelled}.EventType())
}

// over returns the term of an instrument that has ended by the day, was voided, or is issued
// later. Otherwise it returns an empty sum and false.
func (x *explanation) over(i *captable.Instrument, label string) (Term, bool) {
	sum := Term{Label: x.instrumentLabel(i) + ", " + label, Operation: OperationSum}
	switch day := x.day; {
	case i.IssueDate > day || i.Status == captable.StatusVoided:
		return sum, true
	case i.End != nil && i.End.Date <= day:
		sum.add(recorded(string(i.Status)+" on "+i.End.Date.String(), captable.Decimal{}, instrumentSource(i)))
		return sum, true
	default:
		return sum, false
	}
}

// turn is a change of a debt other than the accrual of interest: a repayment or a division.
type turn struct {
	label         string
	date          captable.Date
	before, after conversion.Ledger
}

// turnsOf returns the changes of the instrument until the day, in order.
func turnsOf(i *captable.Instrument, day captable.Date) (turns []turn) {
	whole := i.Ledger()
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

// moved returns the term of the effect of a turn on a part of the debt. It returns false if
// there is no effect.
func (t turn) moved(i *captable.Instrument, of func(conversion.Standing) *big.Rat) (Term, bool) {
	change := rounded(of(t.after.On(t.date))).Sub(rounded(of(t.before.On(t.date))))
	return recorded(t.label+" on "+t.date.String(), change, instrumentSource(i)), !change.IsZero()
}

// rounded rounds a part of a debt to 10 decimal places. The terms of a debt are differences of
// rounded amounts, so that they sum to the rounded debt.
func rounded(owed *big.Rat) captable.Decimal { return exact.RoundHalfUp(owed, exact.Places) }

// principal explains the principal and its repayments. It equals the rounded balance minus the
// rounded interest.
func (x *explanation) principal(i *captable.Instrument) Term {
	sum, over := x.over(i, "principal")
	if over {
		return sum
	}
	sum.add(recorded("came in on "+i.Account.Since.String(), i.Account.Principal, termsSource(i)))
	for _, turn := range turnsOf(i, x.day) {
		if term, moved := turn.moved(i, func(s conversion.Standing) *big.Rat { return s.Principal }); moved {
			sum.add(term)
		}
	}
	balance, interest := i.Balance(x.day)
	if rest := balance.Sub(interest).Sub(sum.Value.Shares); !rest.IsZero() {
		sum.add(recorded("rounding", rest, termsSource(i)))
	}
	return sum
}

// interest explains the interest accrued between turns at each rate, and its payments.
func (x *explanation) interest(i *captable.Instrument) Term {
	sum, over := x.over(i, "interest")
	if over {
		return sum
	}
	of := func(s conversion.Standing) *big.Rat { return s.Interest }
	ledger, since := i.Ledger(), i.Account.Since
	ledger.Repayments, ledger.Portions = nil, nil
	for _, turn := range turnsOf(i, x.day) {
		addInterest(i, &sum, ledger, since, turn.date)
		if term, moved := turn.moved(i, of); moved {
			sum.add(term)
		}
		ledger, since = turn.after, turn.date
	}
	addInterest(i, &sum, ledger, since, x.day)
	return sum
}

// addInterest adds the interest between two days, separately for each rate.
func addInterest(i *captable.Instrument, sum *Term, ledger conversion.Ledger, from, to captable.Date) {
	for _, rate := range ledger.Interest.Rates {
		first, behind := max(from, rate.From), to
		if !rate.To.IsZero() {
			behind = min(to, rate.To+1)
		}
		if first >= behind {
			continue
		}
		change := rounded(ledger.On(behind).Interest).Sub(rounded(ledger.On(first).Interest))
		sum.add(recorded("at "+rate.Rate.String()+" a year from "+first.String()+" until "+behind.String(), change, termsSource(i)))
	}
}

// warrant explains the outstanding shares of a warrant: the original quantity minus exercises
// and expiry, restated by splits.
func (x *explanation) warrant(i *captable.Instrument) Term {
	sum, over := x.over(i, "outstanding")
	if over {
		return sum
	}
	left := i.Left
	if len(i.Before) > 0 {
		left = i.Before[0].Left
	}
	sum.add(recorded("issued on "+i.IssueDate.String(), left, termsSource(i)))
	for n, count := range i.Before {
		after := i.Left
		if n+1 < len(i.Before) {
			after = i.Before[n+1].Left
		}
		if change := after.Sub(count.Left); count.Until <= x.day && !change.IsZero() {
			sum.add(recorded(
				"exercised or split on "+count.Until.String(), change, append(x.splitOn(i.Security, count.Until), instrumentSource(i))...,
			))
		}
	}
	if i.ExpiredOn(x.day) && !sum.Value.Shares.IsZero() {
		sum.add(recorded("expired after "+i.ExpirationDate.String(), sum.Value.Shares.Neg(), termsSource(i)))
	}
	return sum
}

// until returns the past records for which happened is true.
func until[R any](past []R, happened func(R) bool) []R {
	return slices.DeleteFunc(slices.Clone(past), func(record R) bool { return !happened(record) })
}
