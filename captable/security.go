package captable

import (
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/captable/timeline"
	"equity/fault"
)

// ShareType is the kind of equity of a security.
type ShareType string

// The share types of the contract.
const (
	ShareCommon          ShareType = "common"
	SharePreferred       ShareType = "preferred"
	ShareUnit            ShareType = "unit"
	ShareProfitsInterest ShareType = "profitsInterest"
)

// SecurityTerms are the fields of a security that its owners set: the body of its creation and
// replacement.
type SecurityTerms struct { //nolint:recvcheck // in returns a changed copy, the checks only read
	Name       string    `json:"name"`
	ShareClass string    `json:"shareClass,omitempty"`
	ShareType  ShareType `json:"shareType"`
	// Prefix is the prefix of certificate numbers: CS for CS-1, CS-2, …
	Prefix string `json:"prefix,omitempty"`
	// AuthorizedShares is at least the sum of the issued and reserved shares.
	AuthorizedShares Authorized `json:"authorizedShares"`
	ParValue         *Price     `json:"parValue,omitempty"`
	Price            *Price     `json:"price,omitempty"`
	VotingShares     bool       `json:"votingShares,omitempty"`
	VotesPerShare    *Decimal   `json:"votesPerShare,omitempty"`
	CertifiedShares  bool       `json:"certifiedShares,omitempty"`
	// FractionalShares allows fractions of a share.
	FractionalShares bool `json:"fractionalShares,omitempty"`
	// Seniority is the order of payment at an exit. The highest is paid first.
	Seniority                     *int        `json:"seniority,omitempty"`
	LiquidationPreferenceMultiple *Decimal    `json:"liquidationPreferenceMultiple,omitempty"`
	Participation                 string      `json:"participation,omitempty"`
	ParticipationCapMultiple      *Decimal    `json:"participationCapMultiple,omitempty"`
	Conversion                    *Conversion `json:"conversion,omitempty"`
	// DividendRate is a fraction of the price per year: 0.08 is 8 %.
	DividendRate            *Decimal   `json:"dividendRate,omitempty"`
	BoardApprovalDate       Date       `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date       `json:"stockholderApprovalDate,omitzero"`
	Legends                 []LegendID `json:"legends,omitempty"`
	ExternalID              string     `json:"externalId,omitempty"`
	Comments                []string   `json:"comments,omitempty"`
}

// Security is a class of stock or of units. Its quantities follow from the events of its
// shareholdings.
type Security struct {
	ID SecurityID `json:"id"`
	SecurityTerms
	// Issued includes treasury shares. Reserved is the number of shares for pools, grants outside
	// a plan and warrants.
	Issued   Decimal `json:"issued"`
	Treasury Decimal `json:"treasury"`
	Reserved Decimal `json:"reserved"`
	// Serials is the last serial number of a certificate.
	Serials uint32 `json:"serials"`
	// Authorizations, TreasuryMoves, Splits, PastConversions and PastPrices are earlier values
	// and changes, oldest first.
	Authorizations  []Authorization  `json:"authorizations,omitempty"`
	TreasuryMoves   []TreasuryMove   `json:"treasuryMoves,omitempty"`
	Splits          []Split          `json:"splits,omitempty"`
	PastConversions []PastConversion `json:"pastConversions,omitempty"`
	PastPrices      []PastPrice      `json:"pastPrices,omitempty"`
	// used is the number of issued and reserved shares by day; see [State.use].
	used timeline.Line
	Meta
}

// Outstanding returns the shares that holders other than the company have.
func (s *Security) Outstanding() Decimal { return s.Issued.Sub(s.Treasury) }

// Available returns the number of shares that can be issued: new shares first, then treasury
// shares. See ruling 146.
func (s *Security) Available() Authorized {
	return s.AuthorizedShares.Minus(s.Outstanding()).Minus(s.Reserved)
}

// Whole reports whether the security allows the quantity.
func (s *Security) Whole(shares Decimal) bool { return s.FractionalShares || shares.IsWhole() }

// Places returns the number of decimal places of a quantity of shares: 0 for a class of whole
// shares.
func (t *SecurityTerms) Places() int {
	if t.FractionalShares {
		return exact.Places
	}
	return 0
}

// SecurityCreated records a new security.
type SecurityCreated struct {
	ID     SecurityID    `json:"id"`
	Terms  SecurityTerms `json:"terms"`
	Source *Source       `json:"source,omitempty"`
	// EffectiveDate is the first day on which shares are authorized. If it is zero, the date of
	// the board's approval applies; without an approval, shares are authorized on all days.
	EffectiveDate Date `json:"effectiveDate,omitzero"`
	// OfDay is the day in whose shares the conversion ratio counts. Splits of the other class
	// restate it for the days before and after. Older events lack it: their ratio is the same on
	// all days until the next split.
	OfDay Date `json:"ofDay,omitzero"`
}

// EventType returns the name of the event in the journal.
func (SecurityCreated) EventType() string { return "securityCreated" }

// Creates returns the security.
func (e SecurityCreated) Creates() []Created { return []Created{{e.ID, kindSecurity}} }

// Records returns the security.
func (e SecurityCreated) Records(s *State) []any { return records(s.Security(e.ID)) }

// SecurityChanged records new terms. EffectiveDate is the first day of a changed limit, price or
// conversion.
type SecurityChanged struct {
	ID            SecurityID    `json:"id"`
	Terms         SecurityTerms `json:"terms"`
	EffectiveDate Date          `json:"effectiveDate"`
}

// EventType returns the name of the event in the journal.
func (SecurityChanged) EventType() string { return "securityChanged" }

// Creates returns nil: the event creates no record.
func (SecurityChanged) Creates() []Created { return nil }

// Records returns the security.
func (e SecurityChanged) Records(s *State) []any { return records(s.Security(e.ID)) }

// SecurityDeleted records the deletion of a security that never had an issuance.
type SecurityDeleted struct {
	ID SecurityID `json:"id"`
}

// EventType returns the name of the event in the journal.
func (SecurityDeleted) EventType() string { return "securityDeleted" }

// Creates returns nil: the event creates no record.
func (SecurityDeleted) Creates() []Created { return nil }

// Records returns nil: the security is deleted.
func (SecurityDeleted) Records(*State) []any { return nil }

// CreateSecurity is the command to create a security.
type CreateSecurity struct {
	SecurityTerms
	Source *Source `json:"-"`
	// EffectiveDate and OfDay are the fields of [SecurityCreated]. OfDay defaults to the first day of
	// the class, or to today if it has none.
	EffectiveDate Date `json:"-"`
	OfDay         Date `json:"-"`
}

// ReplaceSecurity is the command to replace the terms of a security.
type ReplaceSecurity struct {
	ID SecurityID `json:"-"`
	SecurityTerms
}

// DeleteSecurity is the command to delete a security that never had an issuance.
type DeleteSecurity struct{ ID SecurityID }

func (c CreateSecurity) decide(s *State, m DecideContext) ([]Event, error) {
	terms := c.in(m.Currency)
	if err := terms.check(s, SecurityID{}); err != nil {
		return nil, err
	}
	created := SecurityCreated{ID: m.NewID(), Terms: terms, Source: c.Source, EffectiveDate: c.EffectiveDate, OfDay: c.OfDay}
	if created.OfDay.IsZero() {
		created.OfDay = created.begins()
	}
	if created.OfDay.IsZero() {
		created.OfDay = m.today()
	}
	if security := created.begun(s, Stamp{}); !security.ratiosFit() {
		return nil, fault.Refuse(fault.Conflict,
			"After the splits since "+created.OfDay.String()+", the conversion ratio must fit in 19 digits before the decimal point and 10 after it.")
	}
	return []Event{created}, nil
}

// decide replaces the terms of a class from today on. The outstanding shares must remain valid
// under them.
func (c ReplaceSecurity) decide(s *State, m DecideContext) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	terms := c.in(m.Currency)
	if err := terms.check(s, c.ID); err != nil {
		return nil, err
	}
	if security.FractionalShares && !terms.FractionalShares && hasFractions(s, security) {
		return nil, fault.Refuse(fault.Conflict, "The security must keep fractional shares, because some are outstanding.")
	}
	return []Event{SecurityChanged{ID: c.ID, Terms: terms, EffectiveDate: exact.DateOf(m.Now.UTC())}}, nil
}

// decide deletes a class that was entered by mistake. A class with an issued certificate number
// belongs to the past and cannot be deleted.
func (c DeleteSecurity) decide(s *State, _ DecideContext) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	if security.Serials > 0 {
		return nil, fault.Refuse(fault.InUse, "A security that ever had an issuance cannot be deleted.")
	}
	if other := s.classes.convertsInto(c.ID); other != nil {
		return nil, fault.Refuse(fault.InUse, "The security is used by the conversion of another security. Remove it there first.").
			With("security", other.ID.String())
	}
	if err := checkUnmentioned(s, c.ID); err != nil {
		return nil, err
	}
	return []Event{SecurityDeleted(c)}, nil
}

// checkUnmentioned returns an error if a valuation, a funding round, a plan or an instrument refers
// to the security.
func checkUnmentioned(s *State, id SecurityID) error {
	for valuation := range s.Valuations() {
		if valuation.Security == id {
			return fault.Refuse(
				fault.InUse, "The security is used by a valuation. Remove it there first.",
			).With("valuation", valuation.ID.String())
		}
	}
	for block := range s.Blocks() {
		if slices.Contains(block.Securities, id) {
			return fault.Refuse(
				fault.InUse, "The security is used by a funding round. Remove it there first.",
			).With("block", block.ID.String())
		}
	}
	for plan := range s.Plans() {
		if plan.about(id) {
			return fault.Refuse(fault.InUse, "The security is used by a plan. Remove it there first.").With("plan", plan.ID.String())
		}
	}
	for i := range s.Instruments() {
		if i.named(id) {
			return fault.Refuse(fault.InUse, "The security is used by a holding. Remove it there first.").With("holding", i.ID.String())
		}
	}
	return nil
}

// named reports whether an instrument that is not voided refers to the security.
func (i *Instrument) named(id SecurityID) bool {
	fixed := i.FixedConversion != nil && i.FixedConversion.Security == id
	return (i.Security == id || fixed) && i.Status != StatusVoided
}

// hasFractions reports whether a holder, the treasury or an instrument has a fraction of a share.
func hasFractions(s *State, security *Security) bool {
	if !security.Treasury.IsWhole() {
		return true
	}
	for h := range s.Shareholdings() {
		if h.Security == security.ID && h.Status.Outstanding() && !h.Shares.IsWhole() {
			return true
		}
	}
	for i := range s.Instruments() {
		if i.Security == security.ID && !i.reserved().IsWhole() {
			return true
		}
	}
	return false
}

// begins returns the first day of the class, or zero if it exists on all days.
func (e SecurityCreated) begins() Date {
	if !e.EffectiveDate.IsZero() {
		return e.EffectiveDate
	}
	return e.Terms.BoardApprovalDate
}

// begun returns the new class.
func (e SecurityCreated) begun(s *State, stamp Stamp) *Security {
	e.Terms.Conversion = e.Terms.Conversion.settled()
	security := &Security{
		ID: e.ID, SecurityTerms: e.Terms,
		Authorizations: []Authorization{{EffectiveDate: e.begins(), Authorized: e.Terms.AuthorizedShares}},
		Meta:           NewMeta(stamp),
	}
	if into := e.Terms.Conversion; into != nil && !e.OfDay.IsZero() {
		if target, known := s.Security(into.Security); known {
			security.restateConversion(target, e.OfDay)
		}
	}
	return security
}

func (e SecurityCreated) apply(s *State, stamp Stamp) {
	s.classes.securities.Set(e.ID, e.begun(s, stamp))
	s.externalIDs.set(kindSecurity, "", e.Terms.ExternalID, e.ID)
}

func (e SecurityChanged) apply(s *State, stamp Stamp) {
	s.classes.changeSecurity(e.ID, stamp, func(security *Security) {
		s.externalIDs.set(kindSecurity, security.ExternalID, e.Terms.ExternalID, e.ID)
		if e.Terms.AuthorizedShares != security.AuthorizedShares {
			security.authorize(e.EffectiveDate, e.Terms.AuthorizedShares)
		}
		security.convertInto(e.Terms.Conversion, e.EffectiveDate)
		security.restatePrices(e.Terms, e.EffectiveDate)
		conversion := security.Conversion
		security.SecurityTerms = e.Terms
		security.Conversion = conversion
	})
}

func (e SecurityDeleted) apply(s *State, _ Stamp) {
	if old, ok := s.Security(e.ID); ok {
		s.externalIDs.set(kindSecurity, old.ExternalID, "", e.ID)
		s.classes.securities.Delete(e.ID)
	}
}

// in returns the normalized terms: trimmed texts, settled conversion, and prices in the
// organization's own currency without the currency.
func (t SecurityTerms) in(currency string) SecurityTerms {
	t.ParValue, t.Price = t.ParValue.in(currency), t.Price.in(currency)
	t.Conversion = t.Conversion.settled()
	t.Prefix = strings.TrimRight(strings.TrimSpace(t.Prefix), "-")
	t.Name = strings.TrimSpace(t.Name)
	return t
}

// HasPreference reports whether the class has a liquidation preference.
func (s *Security) HasPreference() bool {
	return s.ShareType == SharePreferred || s.LiquidationPreferenceMultiple != nil && !s.LiquidationPreferenceMultiple.IsZero()
}
