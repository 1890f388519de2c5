package conversion

import (
	"slices"
	"strconv"

	"equity/captable/exact"
)

// DayCount says how days become parts of a year.
type DayCount string

// The day counts of the Open Cap Format.
const (
	// Actual365 counts days as the calendar has them and divides by 365, in leap years too.
	Actual365 DayCount = "actual365"
	// Thirty360 is the American (NASD) rule: months of 30 days, years of 360, and the
	// last day of February counts as a 30th.
	Thirty360 DayCount = "30_360"
)

// Compounding says whether interest bears interest.
type Compounding string

// Simple interest stays beside the principal; compounding interest joins it at the end
// of each accrual period.
const (
	Simple   Compounding = "simple"
	Compound Compounding = "compounding"
)

// AccrualPeriod is after which time interest is added up.
type AccrualPeriod string

// The accrual periods of the Open Cap Format.
const (
	Daily      AccrualPeriod = "daily"
	Monthly    AccrualPeriod = "monthly"
	Quarterly  AccrualPeriod = "quarterly"
	SemiAnnual AccrualPeriod = "semiAnnual"
	Annual     AccrualPeriod = "annual"
)

// Payout says when interest is paid: with the principal, or in cash as it falls due.
// Interest that is paid in cash never converts into shares.
type Payout string

// The payouts of the Open Cap Format.
const (
	Deferred Payout = "deferred"
	Cash     Payout = "cash"
)

// Rate is a yearly rate of interest while it is in force.
type Rate struct {
	// Rate is a fraction of a year's balance: 0.08 is 8 %.
	Rate exact.Decimal `json:"rate"`
	From exact.Date    `json:"from"`
	// To is the last day that still bears interest at this rate; zero for no end.
	To exact.Date `json:"to,omitzero"`
}

// Interest are the terms by which a debt bears interest. Days without a rate bear none.
type Interest struct {
	// Rates are in order of time and never overlap.
	Rates       []Rate      `json:"rates"`
	DayCount    DayCount    `json:"dayCount"`
	Compounding Compounding `json:"compounding"`
	// AccrualPeriod matters where interest compounds; periods are counted from the
	// first day that bears interest.
	AccrualPeriod AccrualPeriod `json:"accrualPeriod"`
	Payout        Payout        `json:"payout"`
}

// WithDefaults gives the terms with what was left open: actual/365, simple, a year,
// deferred.
func (i Interest) WithDefaults() Interest {
	if i.DayCount == "" {
		i.DayCount = Actual365
	}
	if i.Compounding == "" {
		i.Compounding = Simple
	}
	if i.AccrualPeriod == "" {
		i.AccrualPeriod = Annual
	}
	if i.Payout == "" {
		i.Payout = Deferred
	}
	return i
}

// Faults lists every term that is unknown or contradicts another: codes unknownTerm,
// required, negative, tooLarge, datesOutOfOrder, overlappingRates.
func (i Interest) Faults() []Fault {
	var f faults
	i = i.WithDefaults()
	known(&f, "/dayCount", i.DayCount, Actual365, Thirty360)
	known(&f, "/compounding", i.Compounding, Simple, Compound)
	known(&f, "/accrualPeriod", i.AccrualPeriod, Daily, Monthly, Quarterly, SemiAnnual, Annual)
	known(&f, "/payout", i.Payout, Deferred, Cash)
	for n, rate := range i.Rates {
		f.within("/rates/"+strconv.Itoa(n), rate.faults())
		if n > 0 {
			f.within("/rates/"+strconv.Itoa(n), rate.follows(i.Rates[n-1]))
		}
	}
	return f
}

func known[T ~string](f *faults, pointer string, term T, terms ...T) {
	if !slices.Contains(terms, term) {
		f.add(pointer, "unknownTerm", strconv.Quote(string(term))+" is none of the terms known here.")
	}
}

// highestRate is 1000 % a year: what is above is a percentage that was not divided.
const highestRate = 10

// faults lists what is wrong with a rate by itself. A percentage in the place of a fraction is told
// by its size.
func (r Rate) faults() []Fault {
	var f faults
	if r.Rate.Sign() < 0 {
		f.add("/rate", "negative", "A rate of interest is zero or more.")
	}
	if r.Rate.Cmp(exact.NewDecimal(highestRate)) > 0 {
		f.add("/rate", "tooLarge", "A rate is a fraction, 0.08 for 8 %; this is more than 1000 % a year.")
	}
	if r.From.IsZero() {
		f.add("/from", "required", "The rate needs the day from which it is in force.")
	}
	if !r.To.IsZero() && r.To < r.From {
		f.add("/to", "datesOutOfOrder", "The rate ends on "+r.To.String()+", before it begins on "+r.From.String()+".")
	}
	return f
}

// follows checks a rate against the one before it.
func (r Rate) follows(before Rate) []Fault {
	var f faults
	switch {
	case r.From.IsZero() || before.From.IsZero():
	case r.From < before.From:
		f.add("/from", "datesOutOfOrder", "The rates are not in order of time.")
	case before.To.IsZero():
		f.add("/from", "overlappingRates", "The rate before has no end, so that both would be in force from "+r.From.String()+" on.")
	case r.From <= before.To:
		f.add("/from", "overlappingRates", "The rate before is in force until "+before.To.String()+", that day included.")
	}
	return f
}

// since is the first day of the first rate, or the given day if that is later.
func (i Interest) since(day exact.Date) exact.Date {
	if len(i.Rates) == 0 {
		return day
	}
	return max(day, i.Rates[0].From)
}

// in gives the rate in force on the day, nil for none, and the next day on which that
// changes, at most until.
func (i Interest) in(day, until exact.Date) (*Rate, exact.Date) {
	for n := range i.Rates {
		rate := &i.Rates[n]
		switch {
		case day < rate.From:
			return nil, min(until, rate.From)
		case rate.To.IsZero():
			return rate, until
		case day <= rate.To:
			return rate, min(until, rate.To+1)
		}
	}
	return nil, until
}
