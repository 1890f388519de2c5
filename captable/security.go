package captable

import (
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/captable/timeline"
)

// ShareType is what kind of equity a security is.
type ShareType string

// The share types of the contract.
const (
	ShareCommon          ShareType = "common"
	SharePreferred       ShareType = "preferred"
	ShareUnit            ShareType = "unit"
	ShareProfitsInterest ShareType = "profitsInterest"
)

// SecurityTerms are the fields of a security that its owners set: the body of
// creating and of replacing one.
type SecurityTerms struct { //nolint:recvcheck // in gives a changed copy, the checks only look
	Name       string    `json:"name"`
	ShareClass string    `json:"shareClass,omitempty"`
	ShareType  ShareType `json:"shareType"`
	// Prefix begins certificate numbers: CS gives CS-1, CS-2, …
	Prefix string `json:"prefix,omitempty"`
	// AuthorizedShares may never be less than what is issued and reserved.
	AuthorizedShares Authorized `json:"authorizedShares"`
	ParValue         *Price     `json:"parValue,omitempty"`
	Price            *Price     `json:"price,omitempty"`
	VotingShares     bool       `json:"votingShares,omitempty"`
	VotesPerShare    *Decimal   `json:"votesPerShare,omitempty"`
	CertifiedShares  bool       `json:"certifiedShares,omitempty"`
	// FractionalShares allows quantities that are not whole.
	FractionalShares bool `json:"fractionalShares,omitempty"`
	// Seniority orders payment at an exit: the higher is paid first.
	Seniority                     *int        `json:"seniority,omitempty"`
	LiquidationPreferenceMultiple *Decimal    `json:"liquidationPreferenceMultiple,omitempty"`
	Participation                 string      `json:"participation,omitempty"`
	ParticipationCapMultiple      *Decimal    `json:"participationCapMultiple,omitempty"`
	Conversion                    *Conversion `json:"conversion,omitempty"`
	// DividendRate is a fraction of the price a year: 0.08 is 8 %.
	DividendRate            *Decimal   `json:"dividendRate,omitempty"`
	BoardApprovalDate       Date       `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date       `json:"stockholderApprovalDate,omitzero"`
	Legends                 []LegendID `json:"legends,omitempty"`
	ExternalID              string     `json:"externalId,omitempty"`
	Comments                []string   `json:"comments,omitempty"`
}

// Security is a class of stock or of units. The quantities follow from the events
// about its shareholdings.
type Security struct {
	ID SecurityID `json:"id"`
	SecurityTerms
	// Issued counts treasury shares; Reserved is set aside for plans.
	Issued   Decimal `json:"issued"`
	Treasury Decimal `json:"treasury"`
	Reserved Decimal `json:"reserved"`
	// Serials is the last serial number given to a certificate.
	Serials uint32 `json:"serials"`
	// Authorizations, TreasuryMoves, Splits, PastConversions and PastPrices are the past, oldest first.
	Authorizations  []Authorization  `json:"authorizations,omitempty"`
	TreasuryMoves   []TreasuryMove   `json:"treasuryMoves,omitempty"`
	Splits          []Split          `json:"splits,omitempty"`
	PastConversions []PastConversion `json:"pastConversions,omitempty"`
	PastPrices      []PastPrice      `json:"pastPrices,omitempty"`
	// used is what is issued or reserved, over the days; see [State.use].
	used timeline.Line
	Meta
}

// Outstanding is what holders other than the company have.
func (s *Security) Outstanding() Decimal { return s.Issued.Sub(s.Treasury) }

// Available is what may still be issued: new shares first, then treasury shares.
func (s *Security) Available() Authorized {
	return s.AuthorizedShares.less(s.Outstanding()).less(s.Reserved)
}

// Whole reports whether the quantity may be held: fractions only where allowed.
func (s *Security) Whole(shares Decimal) bool { return s.FractionalShares || shares.IsWhole() }

// Places is into how many places behind the point a share may be divided: none, where the
// class has whole shares only.
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
	// EffectiveDate is the first day on which shares are authorized; none: the date of the
	// board's approval, or every day.
	EffectiveDate Date `json:"effectiveDate,omitzero"`
}

// SecurityChanged records new terms; EffectiveDate is that of a changed limit.
type SecurityChanged struct {
	ID            SecurityID    `json:"id"`
	Terms         SecurityTerms `json:"terms"`
	EffectiveDate Date          `json:"effectiveDate"`
}

// SecurityDeleted records that a security which never had a share is gone.
type SecurityDeleted struct {
	ID SecurityID `json:"id"`
}

// CreateSecurity asks for a new security.
type CreateSecurity struct {
	SecurityTerms
	Source *Source `json:"-"`
	// EffectiveDate is that of [SecurityCreated].
	EffectiveDate Date `json:"-"`
}

// ReplaceSecurity asks for other terms of a security.
type ReplaceSecurity struct {
	ID SecurityID `json:"-"`
	SecurityTerms
}

// DeleteSecurity asks to remove a security that never had a share.
type DeleteSecurity struct{ ID SecurityID }

func (c CreateSecurity) decide(s *State, m Moment) ([]Event, error) {
	terms := c.in(m.Currency)
	if err := terms.check(s, SecurityID{}); err != nil {
		return nil, err
	}
	return []Event{SecurityCreated{ID: m.NewID(), Terms: terms, Source: c.Source, EffectiveDate: c.EffectiveDate}}, nil
}

// decide gives a class other terms from today on. What is out there has to stay possible
// under them.
func (c ReplaceSecurity) decide(s *State, m Moment) ([]Event, error) {
	security, err := s.security(c.ID)
	if err != nil {
		return nil, err
	}
	terms := c.in(m.Currency)
	if err := terms.check(s, c.ID); err != nil {
		return nil, err
	}
	if security.FractionalShares && !terms.FractionalShares && s.hasFractions(security) {
		return nil, Refuse(CodeConflict, "Fractional shares of this security are outstanding.")
	}
	return []Event{SecurityChanged{ID: c.ID, Terms: terms, EffectiveDate: exact.DateOf(m.Now.UTC())}}, nil
}

// decide deletes a class that was entered by mistake. Once a certificate had one of its
// numbers it belongs to the past, which is not deleted.
func (c DeleteSecurity) decide(s *State, _ Moment) ([]Event, error) {
	security, err := s.security(c.ID)
	if err != nil {
		return nil, err
	}
	if security.Serials > 0 {
		return nil, Refuse(CodeInUse, "A security that ever had an issuance cannot be deleted.")
	}
	if other := s.convertsInto(c.ID); other != nil {
		return nil, Refuse(CodeInUse, "Another security converts into this one.").With("security", other.ID.String())
	}
	if err := s.mentions(c.ID); err != nil {
		return nil, err
	}
	return []Event{SecurityDeleted(c)}, nil
}

// mentions refuses to lose a security that a valuation, a funding round, a plan or
// another holding is about.
func (s *State) mentions(id SecurityID) error {
	for valuation := range s.Valuations() {
		if valuation.Security == id {
			return Refuse(CodeInUse, "A valuation is of this security.").With("valuation", valuation.ID.String())
		}
	}
	for block := range s.Blocks() {
		if slices.Contains(block.Securities, id) {
			return Refuse(CodeInUse, "A funding round is of this security.").With("block", block.ID.String())
		}
	}
	for plan := range s.Plans() {
		if plan.about(id) {
			return Refuse(CodeInUse, "A plan grants this security.").With("plan", plan.ID.String())
		}
	}
	for i := range s.Instruments() {
		if i.named(id) {
			return Refuse(CodeInUse, "A holding is of this security.").With("holding", i.ID.String())
		}
	}
	return nil
}

// named reports whether an instrument that is not voided is of the security.
func (i *Instrument) named(id SecurityID) bool {
	fixed := i.FixedConversion != nil && i.FixedConversion.Security == id
	return (i.Security == id || fixed) && i.Status != StatusVoided
}

// hasFractions reports whether anybody, the company included, has a part of a share.
func (s *State) hasFractions(security *Security) bool {
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

func (e SecurityCreated) apply(s *State, stamp Stamp) {
	e.Terms.Conversion = e.Terms.Conversion.settled()
	from := e.EffectiveDate
	if from.IsZero() {
		from = e.Terms.BoardApprovalDate
	}
	s.securities.Set(e.ID, &Security{
		ID: e.ID, SecurityTerms: e.Terms,
		Authorizations: []Authorization{{EffectiveDate: from, Authorized: e.Terms.AuthorizedShares}},
		Meta:           NewMeta(stamp),
	})
	s.setExternalID(kindSecurity, "", e.Terms.ExternalID, e.ID)
}

func (e SecurityChanged) apply(s *State, stamp Stamp) {
	s.changeSecurity(e.ID, stamp, func(security *Security) {
		s.setExternalID(kindSecurity, security.ExternalID, e.Terms.ExternalID, e.ID)
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
		s.setExternalID(kindSecurity, old.ExternalID, "", e.ID)
		s.securities.Delete(e.ID)
	}
}

// in gives the terms with prices in the organization's own currency unmarked.
func (t SecurityTerms) in(currency string) SecurityTerms {
	t.ParValue, t.Price = t.ParValue.in(currency), t.Price.in(currency)
	t.Conversion = t.Conversion.settled()
	t.Prefix = strings.TrimRight(strings.TrimSpace(t.Prefix), "-")
	t.Name = strings.TrimSpace(t.Name)
	return t
}
