package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/fault"
)

// Split is a past split of a security.
type Split struct {
	Date  Date  `json:"date"`
	Ratio Ratio `json:"ratio"`
}

// SplitSecurity is the command to multiply the shares of a security by a ratio: 2 : 1 doubles the
// shares and halves the prices, 1 : 10 is a reverse split.
type SplitSecurity struct {
	ID          SecurityID `json:"-"`
	Numerator   Decimal    `json:"numerator"`
	Denominator Decimal    `json:"denominator"`
	Date        Date       `json:"date"`
	// Restated are shareholdings with separate reissues for the split, as in imported packages.
	Restated []ShareholdingID `json:"-"`
	// KeepAuthorized leaves the authorized shares unchanged, because packages state the new limit
	// separately.
	KeepAuthorized bool    `json:"keepAuthorized,omitempty"`
	Source         *Source `json:"-"`
}

// SecuritySplit records a split.
type SecuritySplit struct {
	ID         SecurityID       `json:"id"`
	Ratio      Ratio            `json:"ratio"`
	Date       Date             `json:"date"`
	Authorized Authorized       `json:"authorized"`
	Restated   []ShareholdingID `json:"restated,omitempty"`
	Source     *Source          `json:"source,omitempty"`
	// LaterDays restates the limits and the prices in force on each day from the date on. Older
	// events lack it: they restate the limits and prices after the latest change only.
	LaterDays bool `json:"laterDays,omitempty"`
	// KeepAuthorized leaves the limits of all days unchanged. Only events with LaterDays have it.
	KeepAuthorized bool `json:"keepAuthorized,omitempty"`
}

// EventType returns the name of the event in the journal.
func (SecuritySplit) EventType() string { return "securitySplit" }

// Creates returns nil: the event creates no record.
func (SecuritySplit) Creates() []Created { return nil }

// Records returns the security.
func (e SecuritySplit) Records(s *State) []any { return records(s.Security(e.ID)) }

// decide refuses a split that is dated before another event of the security, because past
// quantities are stated in the shares of their own day.
func (c SplitSecurity) decide(s *State, m DecideContext) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	security.checkBegun(&faults, "/date", c.Date)
	if c.Numerator.Sign() <= 0 {
		faults.Add("/numerator", "notPositive", "The numerator must be more than zero.")
	}
	if c.Denominator.Sign() <= 0 {
		faults.Add("/denominator", "notPositive", "The denominator must be more than zero.")
	}
	if ratio := (Ratio{c.Numerator, c.Denominator}); ratio.positive() && ratio.isOne() {
		faults.Add("/numerator", "sameRatio", "The numerator and the denominator must differ: this split would change nothing.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	event := SecuritySplit{
		ID: c.ID, Ratio: Ratio{c.Numerator, c.Denominator}, Date: c.Date,
		Authorized: security.AuthorizedShares, Restated: c.Restated, Source: c.Source,
		LaterDays: true, KeepAuthorized: c.KeepAuthorized,
	}
	if !c.KeepAuthorized && !event.Authorized.Unlimited {
		event.Authorized.Shares = event.Ratio.apply(event.Authorized.Shares, security.Places())
	}
	lapses := s.Lapses(c.Date) // lapses are counted in shares before the split
	if err := event.check(stateAfter(s, lapses), security); err != nil {
		return nil, err
	}
	return append(lapses, event), nil
}

// check refuses a split if it would restate a number beyond the digits of the contract. Applying
// an event must not fail.
func (e SecuritySplit) check(s *State, security *Security) error {
	if err := e.checkPast(s, security); err != nil {
		return err
	}
	outstanding := Decimal{}
	for h := range s.Shareholdings() {
		if h.Security == e.ID && h.Status.Outstanding() {
			outstanding = outstanding.Add(e.Ratio.apply(h.Shares, security.Places()))
		}
	}
	after := *security
	e.change(&after, outstanding)
	if !after.Issued.Fits() || !e.Authorized.Shares.Fits() || !after.ParValue.fits() || !after.Price.fits() {
		return fault.Refuse(
			fault.Conflict, "After the split, shares and prices must fit in 19 digits before the decimal point and 10 after it.",
		)
	}
	if needed := after.Issued.Add(e.reservedAfter(s, security)); !e.Authorized.Covers(needed) && !s.classes.unlimited || !needed.Fits() {
		return insufficient(
			"The split requires "+needed.String()+" authorized shares; "+e.Authorized.String()+" are authorized.", e.Authorized, needed,
		)
	}
	fit := after.limitsFit() && after.ratiosFit() && e.instrumentsFit(s, security) && e.grantsFit(s, security)
	for other := range s.Securities() {
		converting := *other
		converting.splitConversions(e.Date, e.ofTarget)
		fit = fit && converting.ratiosFit()
	}
	if !fit {
		return fault.Refuse(fault.Conflict,
			"After the split, conversions, warrants, grants and prices must fit in 19 digits before the decimal point and 10 after it.")
	}
	return nil
}

// checkPast refuses a split with a date before another change of the security.
func (e SecuritySplit) checkPast(s *State, security *Security) error {
	if n := len(security.Splits); n > 0 && security.Splits[n-1].Date > e.Date {
		return fault.Refuse(
			fault.Conflict, "The date must not be before the last split of the security, "+security.Splits[n-1].Date.String()+".",
		).
			With("date", security.Splits[n-1].Date.String())
	}
	if moved := s.plans.lastMove(e.ID); moved > e.Date {
		return fault.Refuse(
			fault.Conflict, "The date must not be before the last change of a pool of the security, "+moved.String()+".",
		).With("date", moved.String())
	}
	for i := range s.Instruments() {
		if i.Security == e.ID && i.Status != StatusVoided && (i.IssueDate > e.Date || i.last() > e.Date || i.End != nil && i.End.Date > e.Date) {
			return fault.Refuse(fault.Conflict, "The date must not be before the issue, exercise or end of a warrant of the security.").
				With("holding", i.ID.String())
		}
	}
	for grant := range s.Grants() {
		if last := grant.lastDate(); grant.Security == e.ID && last > e.Date {
			return fault.Refuse(fault.Conflict, "The date must not be before a change of a grant of the security, "+last.String()+".").
				With("option", grant.ID.String()).With("date", last.String())
		}
	}
	for h := range s.Shareholdings() {
		if h.Security == e.ID && h.Status != StatusVoided && (h.IssueDate > e.Date || h.End != nil && h.End.Date > e.Date) {
			return fault.Refuse(fault.Conflict, "The date must not be before the issue or end of shares of the security.").
				With("shareholding", h.ID.String())
		}
	}
	return nil
}

// splitsAfter returns the recorded splits of the class after the day, oldest first. An entry of the
// day counts in shares before them, and they restate it. See ruling 142.
func (s *Security) splitsAfter(day Date) (splits []SecuritySplit) {
	if s == nil || day.IsZero() {
		return nil
	}
	for _, split := range s.Splits {
		if split.Date > day {
			splits = append(splits, SecuritySplit{ID: s.ID, Ratio: split.Ratio, Date: split.Date, LaterDays: true})
		}
	}
	return splits
}

// lastSplit returns the date of the last split; zero without one.
func (s *Security) lastSplit() Date {
	if s == nil || len(s.Splits) == 0 {
		return 0
	}
	return s.Splits[len(s.Splits)-1].Date
}

// restateShares applies the splits after the issue to new shares, which count in shares of the day
// of their issue.
func (s *State) restateShares(h *Shareholding, stamp Stamp) {
	security, known := s.Security(h.Security)
	if !known || len(h.Before) > 0 { // a corrected shareholding keeps its splits
		return
	}
	for _, split := range security.splitsAfter(h.IssueDate) {
		split.changeShares(h, security.Places(), stamp)
	}
}

// apply returns the shares after a split, rounded down to the decimal places of
// [SecurityTerms.Places]. The fraction is paid in cash (DGCL §155).
func (r Ratio) apply(shares Decimal, places int) Decimal {
	return exact.RoundDown(new(big.Rat).Quo(new(big.Rat).Mul(shares.Rat(), r.Numerator.Rat()), r.Denominator.Rat()), places)
}

// applyPrice returns a price after a split: the price divided by the ratio, rounded half up.
func (r Ratio) applyPrice(price *Price) *Price {
	if price == nil {
		return nil
	}
	return &Price{Amount: exact.RoundHalfUp(r.perShare(price.Amount.Rat()), exact.Places), Currency: price.Currency}
}

// perShare returns the exact price after a split.
func (r Ratio) perShare(price *big.Rat) *big.Rat {
	return new(big.Rat).Quo(new(big.Rat).Mul(price, r.Denominator.Rat()), r.Numerator.Rat())
}

// ofOwn returns the conversion right of a share of the security after the split. As there are
// more shares, each converts into fewer.
func (e SecuritySplit) ofOwn(c Conversion) Conversion {
	return *ConversionInto(c.Security, new(big.Rat).Quo(c.Each(), e.Ratio.Rat()))
}

// ofTarget returns the right of a share to convert into the security after the split.
func (e SecuritySplit) ofTarget(c Conversion) Conversion {
	if c.Security != e.ID {
		return c
	}
	return *ConversionInto(c.Security, new(big.Rat).Mul(c.Each(), e.Ratio.Rat()))
}

func (e SecuritySplit) apply(s *State, stamp Stamp) {
	security, ok := s.Security(e.ID)
	if !ok {
		return
	}
	e.splitPools(s, security, stamp) // uses the holdings and grants before the split
	restated := e.restated()
	outstanding := Decimal{}
	for h := range s.Copy().Shareholdings() { // iterates over a copy because the records change
		if h.Security != e.ID || h.Status == StatusVoided {
			continue
		}
		if !h.Status.Outstanding() { // ended records are restated for reading in the same shares
			s.shares.change(h.ID, stamp, func(h *Shareholding) { e.changeShares(h, security.Places(), stamp) })
			continue
		}
		if restated[h.ID] {
			outstanding = outstanding.Add(h.Shares)
			continue
		}
		s.shares.change(h.ID, stamp, func(h *Shareholding) {
			e.changeShares(h, security.Places(), stamp)
			outstanding = outstanding.Add(h.Shares)
		})
	}
	s.classes.changeSecurity(e.ID, stamp, func(security *Security) { e.change(security, outstanding) })
	e.splitInstruments(s, security, stamp)
	e.splitGrants(s, security, stamp)
	for other := range s.Copy().Securities() { // conversions into the class keep their value
		if other.ID != e.ID && other.convertedInto(e.ID) {
			s.classes.changeSecurity(other.ID, stamp, func(security *Security) { security.splitConversions(e.Date, e.ofTarget) })
		}
	}
}

// restated returns the set of shareholdings that separate reissues restate.
func (e SecuritySplit) restated() map[ShareholdingID]bool {
	restated := make(map[ShareholdingID]bool, len(e.Restated))
	for _, id := range e.Restated {
		restated[id] = true
	}
	return restated
}

// changeShares applies the split to one holding. An outstanding holding without a remaining share
// ends, because it is paid in cash.
func (e SecuritySplit) changeShares(h *Shareholding, places int, stamp Stamp) {
	h.Before = append(slices.Clone(h.Before), ShareCount{Until: e.Date, Shares: h.Shares, Ratio: e.Ratio, FromTreasury: h.FromTreasury})
	h.Shares, h.FromTreasury = e.Ratio.apply(h.Shares, places), e.Ratio.apply(h.FromTreasury, places)
	if h.Shares.IsZero() && h.Status.Outstanding() {
		h.Status = StatusCancelled
		h.End = &End{Date: e.Date, Reason: "split", At: stamp.At, By: stamp.By}
	}
}

func (e SecuritySplit) change(security *Security, outstanding Decimal) {
	security.used = security.used.Add(e.Date, outstanding.Sub(security.Outstanding()))
	treasury := e.Ratio.apply(security.Treasury, security.Places())
	security.keep(treasury.Sub(security.Treasury), e.Date)
	security.Issued = outstanding.Add(treasury)
	switch {
	case e.LaterDays && !e.KeepAuthorized:
		security.splitLimits(e.Ratio, e.Date)
	case !e.LaterDays && e.Authorized != security.AuthorizedShares:
		security.authorize(e.Date, e.Authorized)
	}
	security.splitPrices(e.Ratio, e.Date, e.LaterDays)
	security.Splits = append(slices.Clone(security.Splits), Split{Date: e.Date, Ratio: e.Ratio})
	security.splitConversions(e.Date, e.ofOwn)
}

// A split changes all figures of its class that are numbers of shares or prices per share. They
// are all restated in the same way:
//
//   - A record of the class keeps its earlier figures with the ratio of each later split
//     ([ShareCount], [GrantPast], [WarrantCount], [PastPrice], [PastStrike]). A read as of a
//     day uses the figures of that day.
//   - A price with a date of its own, such as that of a valuation, is stored in the journal as
//     quoted. [Security.growth] restates it for the day of the read.
//
// Shares are rounded down at each split, because fractions of a share are paid in cash. Prices
// are rounded for output only. Calculations use the exact price, which is derived from the oldest
// quotation.

// growth returns the factor by which splits multiplied a share of the class between the ends of
// two days. It is the divisor that restates a price of the first day for the second. See ruling 31.
func (s *Security) growth(from, to Date) *big.Rat {
	growth := big.NewRat(1, 1)
	for _, split := range s.Splits {
		if from < split.Date && split.Date <= to {
			growth.Mul(growth, split.Ratio.Rat())
		}
	}
	return growth
}
