package captable

import (
	"math/big"
	"slices"
)

// Split is a split of a security in its past.
type Split struct {
	Date  Date  `json:"date"`
	Ratio Ratio `json:"ratio"`
}

// SplitSecurity asks to multiply everything of a security by a ratio: 2 : 1 doubles
// the shares and halves the prices, 1 : 10 is a reverse split.
type SplitSecurity struct {
	ID          SecurityID `json:"-"`
	Numerator   Decimal    `json:"numerator"`
	Denominator Decimal    `json:"denominator"`
	Date        Date       `json:"date"`
	// Restated are shareholdings whose shares after the split are stated by
	// reissues of their own, as packages may do.
	Restated []ShareholdingID `json:"-"`
	// KeepAuthorized leaves the authorized shares as they are, as packages state
	// the new limit by themselves.
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
}

// decide refuses a split before anything that happened to the security's shares:
// quantities of the past are stated as they were then.
func (c SplitSecurity) decide(s *State, m Moment) ([]Event, error) {
	security, err := s.security(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	m.checkDate(&faults, "/date", c.Date)
	if c.Numerator.Sign() <= 0 {
		faults.Add("/numerator", "notPositive", "The numerator must be more than zero.")
	}
	if c.Denominator.Sign() <= 0 {
		faults.Add("/denominator", "notPositive", "The denominator must be more than zero.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	event := SecuritySplit{
		ID: c.ID, Ratio: Ratio{c.Numerator, c.Denominator}, Date: c.Date,
		Authorized: security.AuthorizedShares, Restated: c.Restated, Source: c.Source,
	}
	if !c.KeepAuthorized && !event.Authorized.Unlimited {
		event.Authorized.Shares = event.Ratio.apply(event.Authorized.Shares, security.FractionalShares)
	}
	return []Event{event}, event.check(s, security)
}

func (e SecuritySplit) check(s *State, security *Security) error {
	after := Decimal{}
	for h := range s.Shareholdings() {
		if h.Security != e.ID || h.Status == StatusVoided {
			continue
		}
		if h.IssueDate > e.Date || h.End != nil && h.End.Date > e.Date {
			return Refuse(CodeConflict, "Shares of this security were issued or ended after the date of the split.").
				With("shareholding", h.ID.String())
		}
		if h.Status.Outstanding() {
			after = after.Add(e.Ratio.apply(h.Shares, security.FractionalShares))
		}
	}
	if !after.Fits() || !e.Authorized.Shares.Fits() {
		return Refuse(CodeConflict, "The split would give more shares than can be written.")
	}
	if !e.Authorized.Covers(after.Add(security.Reserved)) {
		return insufficient("There are not enough authorized shares for the split.", e.Authorized, after)
	}
	return nil
}

// apply gives the shares after a split, down to a whole share where the security
// has no fractions: the rest is paid in cash.
func (r Ratio) apply(shares Decimal, fractional bool) Decimal {
	places := 0
	if fractional {
		places = Places
	}
	return RoundDown(new(big.Rat).Quo(new(big.Rat).Mul(shares.Rat(), r.Numerator.Rat()), r.Denominator.Rat()), places)
}

// applyPrice gives a price after a split, which goes the other way.
func (r Ratio) applyPrice(price *Price) *Price {
	if price == nil {
		return nil
	}
	exact := new(big.Rat).Quo(new(big.Rat).Mul(price.Amount.Rat(), r.Denominator.Rat()), r.Numerator.Rat())
	return &Price{Amount: RoundHalfUp(exact, Places), Currency: price.Currency}
}

func (e SecuritySplit) apply(s *State, stamp Stamp) {
	security, ok := s.Security(e.ID)
	if !ok {
		return
	}
	outstanding := Decimal{}
	for h := range s.Copy().Shareholdings() { // the copy stays still while records change
		if h.Security != e.ID || !h.Status.Outstanding() {
			continue
		}
		if slices.Contains(e.Restated, h.ID) {
			outstanding = outstanding.Add(h.Shares)
			continue
		}
		s.changeShareholding(h.ID, stamp, func(h *Shareholding) {
			h.Before = append(slices.Clone(h.Before), ShareCount{Until: e.Date, Shares: h.Shares})
			h.Shares = e.Ratio.apply(h.Shares, security.FractionalShares)
			outstanding = outstanding.Add(h.Shares)
		})
	}
	s.changeSecurity(e.ID, stamp, func(security *Security) { e.change(security, outstanding) })
	s.splitConversions(e, stamp)
}

func (e SecuritySplit) change(security *Security, outstanding Decimal) {
	treasury := e.Ratio.apply(security.Treasury, security.FractionalShares)
	if move := treasury.Sub(security.Treasury); !move.IsZero() {
		security.TreasuryMoves = append(slices.Clone(security.TreasuryMoves), TreasuryMove{Date: e.Date, Change: move})
	}
	security.Treasury = treasury
	security.Issued = outstanding.Add(treasury)
	if e.Authorized != security.AuthorizedShares {
		security.authorize(e.Date, e.Authorized)
	}
	security.ParValue, security.Price = e.Ratio.applyPrice(security.ParValue), e.Ratio.applyPrice(security.Price)
	security.Splits = append(slices.Clone(security.Splits), Split{Date: e.Date, Ratio: e.Ratio})
	if c := security.Conversion; c != nil { // each share after the split gives less of the other security
		security.Conversion = &Conversion{Security: c.Security, Ratio: e.Ratio.applyPrice(&Price{Amount: c.Ratio}).Amount}
	}
}

// splitConversions keeps what a share of another security converts into worth the same.
func (s *State) splitConversions(e SecuritySplit, stamp Stamp) {
	for other := range s.Copy().Securities() {
		if other.Conversion != nil && other.Conversion.Security == e.ID {
			s.changeSecurity(other.ID, stamp, func(security *Security) {
				security.Conversion = &Conversion{Security: e.ID, Ratio: e.Ratio.apply(security.Conversion.Ratio, true)}
			})
		}
	}
}
