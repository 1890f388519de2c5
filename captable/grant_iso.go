package captable

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"equity/captable/vesting"
)

// ISOSplit is the division of a grant into incentive and non-qualified stock options by the
// $100,000 rule (26 CFR 1.422-4) over all grants of the holder.
type ISOSplit struct {
	ISO    Decimal        `json:"iso"`
	NSO    Decimal        `json:"nso"`
	ByYear []ISOSplitYear `json:"byYear"`
	// Exercises are the exercises with the kinds of the exercised options, in order of date.
	Exercises []ISOSplitExercise `json:"exercises,omitempty"`
	Findings  []ISOFinding       `json:"findings,omitempty"`
}

// ISOSplitYear is the quantity that becomes exercisable for the first time in a calendar year.
type ISOSplitYear struct {
	Year int     `json:"year"`
	ISO  Decimal `json:"iso"`
	NSO  Decimal `json:"nso"`
}

// ISOSplitExercise is an exercise by the kind of its options, in shares of the day of the split.
type ISOSplitExercise struct {
	Date Date    `json:"date"`
	ISO  Decimal `json:"iso"`
	NSO  Decimal `json:"nso"`
}

// ISOFinding is a circumstance that decides the kind of the options, or that prevents a decision.
type ISOFinding struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The codes of [ISOFinding].
const (
	// ISOBelowValue means that the price was below the value, so that the options are NSOs.
	ISOBelowValue = "isoBelowValue"
	// ISOValueCurrency means that the value is not in dollars, so that the limit is not applied.
	ISOValueCurrency = "isoValueCurrency"
	// ISOAfterService means that the options were not exercised in time after the end of service.
	ISOAfterService = "isoAfterService"
)

// isoHolder divides the grants of a holder. All quantities are in shares of the day.
type isoHolder struct {
	state     *State
	currency  string // of the organization
	entity    EntityID
	day       Date
	exercises map[string][]vesting.ISOExercise // by part of a grant
}

// isoPart is a grant between two changes of its exercise price. A change of the price is the grant
// of a new option (26 U.S.C. 424(h)).
type isoPart struct {
	grant  *Grant
	number int
	begin  Date
	// end is the day of the next change of the price, or 0.
	end Date
	// known is the last day whose events are known.
	known Date
	day   Date
}

// ISOSplit divides a grant of an organization with the given currency. It returns nil if the grant is not an incentive stock option.
// See ruling 147.
func (s *State) ISOSplit(grant *Grant, day Date, currency string) *ISOSplit {
	if grant.Type != GrantISO || grant.undoneOn(day) {
		return nil
	}
	h := &isoHolder{s, currency, grant.Entity, day, map[string][]vesting.ISOExercise{}}
	h.exercise()
	split := &ISOSplit{ByYear: []ISOSplitYear{}}
	parts, last, left := isoParts(grant, day, day), grant.lastISODay(day), grant.LeftOn(day)
	for _, year := range vesting.SplitISO(vesting.ISOLimit(), h.grants(day)) {
		if !slices.ContainsFunc(parts, func(p isoPart) bool { return p.id() == year.Grant }) {
			continue
		}
		if !last.IsZero() {
			left = h.endService(&year, last, left)
		}
		split.add(ISOSplitYear{year.Year, year.ISO, year.NSO})
	}
	for _, part := range parts {
		for _, exercise := range h.exercises[part.id()] {
			split.addExercise(exercise, !last.IsZero() && exercise.Date > last)
		}
		split.Findings = append(split.Findings, part.findings(h)...)
	}
	isLate := func(exercise ISOSplitExercise) bool { return exercise.Date > last }
	if !last.IsZero() && (!grant.LeftOn(day).IsZero() || slices.ContainsFunc(split.Exercises, isLate)) {
		split.Findings = append(split.Findings, ISOFinding{
			ISOAfterService,
			"Options that were not exercised until " + last.String() + " are NSOs: the service ended on " + grant.Termination.Date.String() + ".",
		})
	}
	return split
}

// endService makes NSOs of the options of a year that were exercised after the last day, and of
// those that are outstanding. It returns the outstanding options of later years.
func (h *isoHolder) endService(year *vesting.ISOYear, last Date, outstanding Decimal) Decimal {
	var late, iso, nso Decimal
	for _, exercise := range h.exercises[year.Grant] {
		if exercise.Year != year.Year {
			continue
		}
		iso, nso = iso.Add(exercise.ISO), nso.Add(exercise.NSO)
		if exercise.Date > last {
			late = late.Add(exercise.ISO)
		}
	}
	rest := year.ISO.Sub(iso).Min(outstanding)
	outstanding = outstanding.Sub(rest)
	outstanding = outstanding.Sub(year.NSO.Sub(nso).Min(outstanding))
	year.ISO, year.NSO = year.ISO.Sub(late).Sub(rest), year.NSO.Add(late).Add(rest)
	return outstanding
}

// add adds a row, whose year may be that of an earlier row.
func (i *ISOSplit) add(row ISOSplitYear) {
	i.ISO, i.NSO = i.ISO.Add(row.ISO), i.NSO.Add(row.NSO)
	if n := len(i.ByYear); n > 0 && i.ByYear[n-1].Year == row.Year {
		i.ByYear[n-1].ISO, i.ByYear[n-1].NSO = i.ByYear[n-1].ISO.Add(row.ISO), i.ByYear[n-1].NSO.Add(row.NSO)
		return
	}
	i.ByYear = append(i.ByYear, row)
}

// addExercise adds a part of an exercise. Late options are NSOs.
func (i *ISOSplit) addExercise(part vesting.ISOExercise, late bool) {
	row := ISOSplitExercise{part.Date, part.ISO, part.NSO}
	if late {
		row.ISO, row.NSO = Decimal{}, row.ISO.Add(row.NSO)
	}
	if n := len(i.Exercises); n > 0 && i.Exercises[n-1].Date == row.Date {
		row.ISO, row.NSO = row.ISO.Add(i.Exercises[n-1].ISO), row.NSO.Add(i.Exercises[n-1].NSO)
		i.Exercises = i.Exercises[:n-1]
	}
	i.Exercises = append(i.Exercises, row)
}

// lastISODay returns the last day on which an exercise was one of ISOs if it is before the given
// day, and otherwise 0: three months after the end of service, or twelve after a disability. It is
// without limit after a death (26 U.S.C. 421(c), 422(a)(2), (c)(6)).
func (g *Grant) lastISODay(day Date) Date {
	if !g.TerminatedBy(day) || g.Termination.Reason == InvoluntaryDeath {
		return 0
	}
	period := vesting.Period{N: 3, Unit: vesting.Months}
	if g.Termination.Reason == InvoluntaryDisability {
		period.N = 12
	}
	if last := period.Add(g.Termination.Date); last < day {
		return last
	}
	return 0
}

// exercise divides the exercises of the holder one after the other, each by what was known on its
// day.
func (h *isoHolder) exercise() {
	type exercise struct {
		Deduction
		of *Grant
	}
	var all []exercise
	for grant := range h.of(h.day) {
		for _, deduction := range grant.amountsOn(h.day).Deductions {
			if deduction.Kind == StatusExercised && deduction.Date <= h.day {
				all = append(all, exercise{deduction, grant})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b exercise) int { return cmp.Compare(a.Date, b.Date) })
	for _, one := range all {
		known := max(one.Date, one.of.IssueDate)
		parts := isoParts(one.of, h.day, known)
		id, grants := parts[len(parts)-1].id(), h.grants(known)
		split := vesting.SplitISO(vesting.ISOLimit(), grants)
		at := slices.IndexFunc(grants, func(grant vesting.ISOGrant) bool { return grant.ID == id })
		h.exercises[id] = append(h.exercises[id], vesting.Exercise(split, &grants[at], one.Date, one.Quantity)...)
	}
}

// of returns the ISO grants of the holder that counted on the day.
func (h *isoHolder) of(day Date) func(func(*Grant) bool) {
	return func(yield func(*Grant) bool) {
		for grant := range h.state.GrantsOf(h.entity) {
			if grant.Type == GrantISO && grant.IssueDate <= day && !grant.undoneOn(day) && !yield(grant) {
				return
			}
		}
	}
}

// grants returns the input of the rule by what was known at the end of a day.
func (h *isoHolder) grants(known Date) (grants []vesting.ISOGrant) {
	for grant := range h.of(known) {
		for _, part := range isoParts(grant, h.day, known) {
			one := part.input(h)
			one.Exercises = h.exercises[one.ID]
			grants = append(grants, one)
		}
	}
	return grants
}

// isoParts returns the parts of a grant that were known at the end of a day, in shares of another.
func isoParts(grant *Grant, day, known Date) []isoPart {
	parts := []isoPart{{grant: grant, begin: grant.IssueDate, known: known, day: day}}
	for _, repricing := range grant.amountsOn(day).Repricings {
		if repricing.Date <= known {
			last := &parts[len(parts)-1]
			last.end, last.known = repricing.Date, repricing.Date
			parts = append(parts, isoPart{grant: grant, number: len(parts), begin: repricing.Date, known: known, day: day})
		}
	}
	return parts
}

func (p isoPart) id() string { return p.grant.ID.String() + " " + strconv.Itoa(p.number) }

// input returns the input of the rule for the part.
func (p isoPart) input(h *isoHolder) vesting.ISOGrant {
	value, currency, stated := p.value(h)
	iso := vesting.ISOGrant{
		ID: p.id(), Date: p.begin, ISO: !stated || !p.isBelow(h, value, currency), ExactValue: value, Exercisable: p.exercisable(),
		Replaced: !p.end.IsZero(),
	}
	if currency != isoCurrency {
		iso.ExactValue = new(big.Rat)
	}
	for _, deduction := range p.deductions() {
		if p.within(deduction.Date) && !deduction.exercise() && deduction.Unvested.Sign() > 0 {
			iso.Reductions = append(iso.Reductions, vesting.Vesting{Date: deduction.Date, Quantity: deduction.Unvested})
		}
	}
	switch grant := p.grant; {
	case iso.Replaced:
		iso.Cancelled = p.end
	case grant.TerminatedBy(p.known):
		iso.Cancelled = grant.Termination.Date
	case grant.Status == StatusCancelled && grant.End.Date <= p.known:
		iso.Cancelled = grant.End.Date
	}
	return iso
}

// deductions returns the deductions that are known, with a lapse that is not recorded.
func (p isoPart) deductions() []Deduction {
	deductions := p.grant.amountsOn(p.day).Deductions
	if lapse, lapsed := p.grant.lapse(p.day); lapsed {
		deductions = append(slices.Clip(deductions), lapse)
	}
	return until(deductions, func(d Deduction) bool { return d.Date <= p.known })
}

// within reports whether a day is one of the part.
func (p isoPart) within(day Date) bool { return day >= p.begin && (p.end.IsZero() || day < p.end) }

// exercisable returns the quantities that become exercisable for the first time. After a change of
// the price, the remaining options count as a new option: its vested part is exercisable on the day
// of the change, the rest as scheduled.
func (p isoPart) exercisable() (all []vesting.Vesting) {
	amounts := p.grant.amountsOn(p.day)
	first, kept := Decimal{}, amounts.Quantity // the remaining options are those from first to kept, in order of vesting
	for _, deduction := range amounts.Deductions {
		if deduction.Date >= p.begin {
			continue
		}
		lost := deduction.Unvested
		if deduction.exercise() {
			lost = Decimal{}
		}
		first, kept = first.Add(deduction.Quantity).Sub(lost), kept.Sub(lost)
	}
	if p.grant.EarlyExercise {
		return []vesting.Vesting{{Date: p.begin, Quantity: kept.Sub(first).Max(Decimal{})}}
	}
	var before Decimal
	for _, instalment := range p.grant.scheduleOf(amounts, p.known) {
		after := before.Add(instalment.Quantity)
		quantity := after.Min(kept).Sub(before.Max(first))
		if before = after; quantity.Sign() > 0 {
			all = append(all, vesting.Vesting{Date: max(instalment.Date, p.begin), Quantity: quantity})
		}
	}
	return all
}

// isoCurrency is the currency of the limit.
const isoCurrency = "USD"

// value returns the exact value of one share on the first day of the part, in shares of its day.
// It is the market value of the grant, then the valuation, and otherwise the exercise price.
func (p isoPart) value(h *isoHolder) (value *big.Rat, currency string, stated bool) {
	was := *p.grant
	was.GrantAmounts, was.Before = *p.grant.amountsOn(p.day), p.grant.pastOn(p.day)
	if was.MarketValue != nil && p.number == 0 {
		return exactPrice(was.MarketValue, was.pastPrices(
			func(a *GrantAmounts) *Price { return a.MarketValue },
		)), cmp.Or(was.MarketValue.Currency, h.currency), true
	}
	if quote := marketValue(h.state, p.grant.Security, p.begin); quote != nil {
		return quote.Amount.Quo(quote.Amount, p.growth()), cmp.Or(quote.Currency, h.currency), true
	}
	price, currency := p.price(h)
	return price, currency, false
}

// growth returns the product of the ratios of the splits from the first day of the part to its day.
func (p isoPart) growth() *big.Rat {
	return grown(p.grant.pastOn(p.day), p.day, func(past GrantPast) (Date, Ratio) {
		if past.Until <= p.begin {
			return past.Until, Ratio{}
		}
		return past.Until, past.Ratio
	})
}

// price returns the exact exercise price on the first day of the part, in shares of its day.
func (p isoPart) price(h *isoHolder) (price *big.Rat, currency string) {
	paid := p.grant.amountsOn(p.begin).priceOn(p.begin)
	if paid == nil {
		return new(big.Rat), isoCurrency
	}
	price = paid.Amount.Rat()
	return price.Quo(price, p.growth()), cmp.Or(paid.Currency, h.currency)
}

// isBelow reports whether the exercise price is below the value (26 U.S.C. 422(b)(4)).
func (p isoPart) isBelow(h *isoHolder, value *big.Rat, currency string) bool {
	price, of := p.price(h)
	return of == currency && price.Cmp(value) < 0
}

// findings returns the findings about the part.
func (p isoPart) findings(h *isoHolder) (findings []ISOFinding) {
	value, currency, stated := p.value(h)
	switch {
	case stated && p.isBelow(h, value, currency):
		findings = append(findings, ISOFinding{
			ISOBelowValue, "The exercise price was below the value of a share on " + p.begin.String() + ": the options are NSOs.",
		})
	case currency != isoCurrency:
		findings = append(findings, ISOFinding{
			ISOValueCurrency,
			"The value of a share is in " + currency + ". The limit of $100,000 is not applied. State the market value in USD.",
		})
	}
	return findings
}
