package captable

import (
	"slices"

	"equity/fault"
)

// Authorization is a limit of a security and the date from which it is in force.
type Authorization struct {
	EffectiveDate Date       `json:"effectiveDate"`
	Authorized    Authorized `json:"authorized"`
	// Split is the ratio of the split that multiplied the limit before; absent for a stated limit.
	Split Ratio `json:"split,omitzero"`
}

// SharesAuthorized records a new limit of a security.
type SharesAuthorized struct {
	ID                      SecurityID `json:"id"`
	Authorized              Authorized `json:"authorized"`
	EffectiveDate           Date       `json:"effectiveDate"`
	BoardApprovalDate       Date       `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date       `json:"stockholderApprovalDate,omitzero"`
	Source                  *Source    `json:"source,omitempty"`
	// OfDay is set if a split of the class has a later date. Authorized is then the limit of the
	// effective date, which later splits multiply. Otherwise, it is the present limit.
	OfDay bool `json:"ofDay,omitempty"`
}

// EventType returns the name of the event in the journal.
func (SharesAuthorized) EventType() string { return "sharesAuthorized" }

// Creates returns nil: the event creates no record.
func (SharesAuthorized) Creates() []Created { return nil }

// Records returns the security.
func (e SharesAuthorized) Records(s *State) []any { return records(s.Security(e.ID)) }

// AuthorizeShares adds to the authorized shares of a security. Imports set the total instead,
// which may be lower than before.
type AuthorizeShares struct {
	ID                      SecurityID `json:"-"`
	Quantity                Decimal    `json:"quantity"`
	EffectiveDate           Date       `json:"effectiveDate"`
	BoardApprovalDate       Date       `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date       `json:"stockholderApprovalDate,omitzero"`
	// Total replaces Quantity if an imported package states the new limit.
	Total  *Authorized `json:"-"`
	Source *Source     `json:"-"`
}

// decide adds to the authorized shares or sets their new total. A charter amendment adds
// shares; the Open Cap Format states totals. Issued and reserved shares remain covered (DGCL
// §161, §242).
func (c AuthorizeShares) decide(s *State, m DecideContext) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	ofDay, present := len(security.splitsAfter(c.EffectiveDate)) > 0, security.AuthorizedShares
	if ofDay {
		present = security.authorizedOn(c.EffectiveDate)
	}
	total := present.Add(AuthorizedOf(c.Quantity))
	if c.Total != nil {
		total = *c.Total
	}
	var faults fault.Fields
	m.checkDate(&faults, "/effectiveDate", c.EffectiveDate)
	security.checkBegun(&faults, "/effectiveDate", c.EffectiveDate)
	if c.Total == nil && c.Quantity.Sign() <= 0 {
		faults.Add("/quantity", "notPositive", "The quantity must be more than zero.")
	}
	if !security.Whole(c.Quantity) || !security.Whole(total.Shares) {
		faults.Add("/quantity", "notWhole", "The number of shares must be whole: the security has no fractional shares.")
	}
	if !total.Shares.Fits() {
		faults.Add("/quantity", "tooLarge", "The authorized shares must have at most 19 digits before the decimal point.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if c.Total == nil && total.Unlimited && security.limitedFrom(c.EffectiveDate) { // the event cannot state the new limits
		return nil, fault.Refuse(
			fault.Conflict, "Shares cannot be added on this day: the class is authorized without limit from a later day on.",
		).
			With("date", c.EffectiveDate.String()).
			At(
				"/effectiveDate", "beforeUnlimited",
				"Shares cannot be added before the day from which the class is authorized without limit.",
			)
	}
	event := SharesAuthorized{
		ID: c.ID, Authorized: total, EffectiveDate: c.EffectiveDate,
		BoardApprovalDate: c.BoardApprovalDate, StockholderApprovalDate: c.StockholderApprovalDate, Source: c.Source, OfDay: ofDay,
	}
	after := *security
	if event.change(&after); ofDay && !after.limitsFit() {
		return nil, fault.Refuse(fault.Conflict,
			"After the splits since "+c.EffectiveDate.String()+", the authorized shares must have at most 19 digits before the decimal point.")
	}
	return []Event{event}, nil
}

// checkBegun adds a fault for a date before the first day of the class.
func (s *Security) checkBegun(faults *fault.Fields, pointer string, date Date) {
	if first := s.Authorizations[0].EffectiveDate; !date.IsZero() && date < first {
		faults.Add(pointer, "beforeClass", "The date must not be before the first day of the class, "+first.String()+".")
	}
}

// limitedFrom reports whether the class has a limit on the day or on a later one.
func (s *Security) limitedFrom(day Date) bool {
	return slices.ContainsFunc(s.limits(day), func(span span) bool { return !span.limit.Unlimited })
}

func (e SharesAuthorized) apply(s *State, stamp Stamp) {
	s.classes.changeSecurity(e.ID, stamp, e.change)
}

func (e SharesAuthorized) change(security *Security) {
	if e.OfDay {
		security.authorizeOn(e.EffectiveDate, e.Authorized)
	} else {
		security.authorize(e.EffectiveDate, e.Authorized)
	}
}

// authorizeOn sets the limit of a day. Later splits multiply it. A limit that was stated later
// changes by the difference on its day.
func (s *Security) authorizeOn(from Date, limit Authorized) {
	past := slices.Clone(s.Authorizations)
	at := len(past)
	for at > 0 && past[at-1].EffectiveDate > from {
		at--
	}
	was, now := s.authorizedOn(from), limit
	past = slices.Insert(past, at, Authorization{EffectiveDate: from, Authorized: limit})
	for i := at + 1; i < len(past); i++ {
		old := past[i].Authorized
		if past[i].Split.positive() {
			past[i].Authorized = past[i].Split.limit(now, s.Places())
		} else {
			past[i].Authorized = old.moved(was, now)
		}
		was, now = old, past[i].Authorized
	}
	s.Authorizations, s.AuthorizedShares = past, now
}

// limit returns a limit after a split, rounded down.
func (r Ratio) limit(before Authorized, places int) Authorized {
	if before.Unlimited {
		return before
	}
	return AuthorizedOf(r.apply(before.Shares, places))
}

// authorize sets a new limit from a date on and inserts it into the history, which is ordered
// by date. Later limits change by the same difference, so that the last one in the history is
// always the present limit.
func (s *Security) authorize(from Date, limit Authorized) {
	past := slices.Clone(s.Authorizations)
	at := len(past)
	for at > 0 && past[at-1].EffectiveDate > from {
		at--
	}
	change := Authorization{EffectiveDate: from}
	if at > 0 {
		change.Authorized = past[at-1].Authorized
	}
	past = slices.Insert(past, at, change)
	for i := at; i < len(past); i++ {
		past[i].Authorized = past[i].Authorized.moved(s.AuthorizedShares, limit)
	}
	s.Authorizations, s.AuthorizedShares = past, limit
}

// splitLimits multiplies the limits in force on the date and on each later day by the ratio of a
// split, rounded down.
func (s *Security) splitLimits(ratio Ratio, on Date) {
	multiply := func(limit Authorized) Authorized { return ratio.limit(limit, s.Places()) }
	limits := slices.Clone(s.Authorizations)
	at := len(limits)
	for at > 0 && limits[at-1].EffectiveDate > on {
		at--
	}
	for i := at; i < len(limits); i++ {
		limits[i].Authorized = multiply(limits[i].Authorized)
	}
	if at > 0 {
		limits = slices.Insert(limits, at, Authorization{EffectiveDate: on, Authorized: multiply(s.authorizedOn(on)), Split: ratio})
	}
	s.Authorizations, s.AuthorizedShares = limits, multiply(s.AuthorizedShares)
}

// limitsFit reports whether each past and present limit fits into the number format.
func (s *Security) limitsFit() bool {
	return !slices.ContainsFunc(s.Authorizations, func(a Authorization) bool { return !a.Authorized.Shares.Fits() })
}

const unlimited = "unlimited"

// Authorized is the number of shares of a security that may be issued: a quantity, or
// unlimited.
type Authorized struct {
	Unlimited bool
	Shares    Decimal
}

// AuthorizedOf returns a limit of the given number of shares.
func AuthorizedOf(shares Decimal) Authorized { return Authorized{Shares: shares} }

// MarshalText returns the quantity or "unlimited".
func (a Authorized) MarshalText() ([]byte, error) {
	if a.Unlimited {
		return []byte(unlimited), nil
	}
	return a.Shares.MarshalText()
}

// UnmarshalText parses a quantity or "unlimited".
func (a *Authorized) UnmarshalText(text []byte) error {
	if string(text) == unlimited {
		*a = Authorized{Unlimited: true}
		return nil
	}
	a.Unlimited = false
	return a.Shares.UnmarshalText(text)
}

// String returns the quantity or "unlimited".
func (a Authorized) String() string {
	if a.Unlimited {
		return unlimited
	}
	return a.Shares.String()
}

// Covers reports whether the number of shares is within the limit.
func (a Authorized) Covers(shares Decimal) bool {
	return a.Unlimited || a.Shares.Cmp(shares) >= 0
}

// Add returns the sum of both limits.
func (a Authorized) Add(other Authorized) Authorized {
	if a.Unlimited || other.Unlimited {
		return Authorized{Unlimited: true}
	}
	return Authorized{Shares: a.Shares.Add(other.Shares)}
}

// Minus returns the limit reduced by the number of shares, but not below zero.
func (a Authorized) Minus(shares Decimal) Authorized {
	if a.Unlimited {
		return a
	}
	return Authorized{Shares: a.Shares.Sub(shares).Max(Decimal{})}
}

// moved returns the limit changed by the difference between two other limits, but not below
// zero. If one of these is unlimited, it returns the second one. Otherwise, an
// unlimited limit stays unlimited.
func (a Authorized) moved(from, to Authorized) Authorized {
	switch {
	case from.Unlimited || to.Unlimited:
		return to
	case a.Unlimited:
		return a
	default:
		return Authorized{Shares: a.Shares.Add(to.Shares).Sub(from.Shares).Max(Decimal{})}
	}
}
