package conversion

import (
	"slices"
	"strconv"

	"equity/captable/exact"
)

// DayCount is the convention that converts days to fractions of a year.
type DayCount string

// The day counts of the Open Cap Format.
const (
	// Actual365 divides the number of calendar days by 365, in leap years too.
	Actual365 DayCount = "actual365"
	// Thirty360 is the American (NASD) rule: months of 30 days and years of 360 days. The last day of February
	// counts as the 30th.
	Thirty360 DayCount = "30_360"
)

// Compounding determines whether interest bears interest.
type Compounding string

// Simple interest does not bear interest. Compounding interest joins the principal at the end of each accrual
// period.
const (
	Simple   Compounding = "simple"
	Compound Compounding = "compounding"
)

// AccrualPeriod is the period after which interest compounds.
type AccrualPeriod string

// The accrual periods of the Open Cap Format.
const (
	Daily      AccrualPeriod = "daily"
	Monthly    AccrualPeriod = "monthly"
	Quarterly  AccrualPeriod = "quarterly"
	SemiAnnual AccrualPeriod = "semiAnnual"
	Annual     AccrualPeriod = "annual"
)

// Payout determines whether interest is paid with the principal or in cash when it falls due. Interest paid in
// cash never converts into shares.
type Payout string

// The payouts of the Open Cap Format.
const (
	Deferred Payout = "deferred"
	Cash     Payout = "cash"
)

// Rate is an annual interest rate with its period.
type Rate struct {
	// Rate is a fraction of the balance per year: 0.08 is 8 %.
	Rate exact.Decimal `json:"rate"`
	From exact.Date    `json:"from"`
	// To is the last day with interest at this rate, or zero without an end.
	To exact.Date `json:"to,omitzero"`
}

// Interest contains the interest terms of a debt. Days without a rate bear no interest.
type Interest struct {
	// Rates are in order of time, without overlap.
	Rates       []Rate      `json:"rates"`
	DayCount    DayCount    `json:"dayCount"`
	Compounding Compounding `json:"compounding"`
	// AccrualPeriod applies to compounding interest. Periods are counted from the first day with interest.
	AccrualPeriod AccrualPeriod `json:"accrualPeriod"`
	Payout        Payout        `json:"payout"`
}

// WithDefaults returns the terms with defaults for absent ones: actual/365, simple, annual, deferred.
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

// Faults returns all unknown or contradictory terms, with the codes unknownTerm, required, negative, tooLarge,
// datesOutOfOrder and overlappingRates.
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
		f.add(pointer, "unknownTerm", strconv.Quote(string(term))+" is not a known term.")
	}
}

// highestRate is 1000 % per year. A higher rate is probably a percentage that was not divided by 100.
const highestRate = 10

// faults returns the faults of a single rate. A percentage in place of a fraction is detected by its size.
func (r Rate) faults() []Fault {
	var f faults
	if r.Rate.Sign() < 0 {
		f.add("/rate", "negative", "The rate must not be negative.")
	}
	if r.Rate.Cmp(exact.NewDecimal(highestRate)) > 0 {
		f.add("/rate", "tooLarge", "The rate must be a fraction, 0.08 for 8 %. This one exceeds 1000 % per year.")
	}
	if r.From.IsZero() {
		f.add("/from", "required", "from is required.")
	}
	if !r.To.IsZero() && r.To < r.From {
		f.add("/to", "datesOutOfOrder", "The rate ends on "+r.To.String()+", before it begins on "+r.From.String()+".")
	}
	return f
}

// follows checks a rate against the previous one.
func (r Rate) follows(before Rate) []Fault {
	var f faults
	switch {
	case r.From.IsZero() || before.From.IsZero():
	case r.From < before.From:
		f.add("/from", "datesOutOfOrder", "The rates must be in order of time.")
	case before.To.IsZero():
		f.add("/from", "overlappingRates", "The previous rate has no end and overlaps from "+r.From.String()+".")
	case r.From <= before.To:
		f.add("/from", "overlappingRates", "The previous rate applies up to and including "+before.To.String()+".")
	}
	return f
}

// since returns the first day of the first rate, or the given day if it is later.
func (i Interest) since(day exact.Date) exact.Date {
	if len(i.Rates) == 0 {
		return day
	}
	return max(day, i.Rates[0].From)
}

// in returns the rate in force on the day, or nil, and the next day on which the rate changes, at most until.
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
