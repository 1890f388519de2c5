package captable

import (
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// ConvertInstrument converts the whole of a convertible into shares. The price comes from a solved
// round, a stated price or the fixed terms of the instrument. Without any of these, only a
// valuation cap determines it.
type ConvertInstrument struct {
	ID       InstrumentID `json:"-"`
	Security SecurityID   `json:"security"`
	Date     Date         `json:"date"`
	// Elects is the later instrument whose terms the holder of a most favoured nation instrument
	// adopts in full.
	Elects InstrumentID     `json:"elects,omitzero"`
	Round  *ConversionRound `json:"round,omitempty"`
	// PricePerShare is the price that other investors pay, in the currency of the principal.
	PricePerShare *Price `json:"pricePerShare,omitempty"`
	// Capitalization is the number of shares by which a valuation cap is divided.
	Capitalization *Decimal `json:"capitalization,omitempty"`
}

// InstrumentConversion is the result of a conversion. Amounts are in the currency of the
// principal.
type InstrumentConversion struct {
	Shareholding ShareholdingID `json:"shareholding"`
	// Basis is the term that determined the price: cap, discount, roundPrice, fixedPercent,
	// fixedPrice or fixedShares. It is stated if only the shares are known.
	Basis conversion.Basis `json:"basis"`
	// Elects is the instrument whose terms were adopted. It is zero for the instrument's own
	// terms.
	Elects        InstrumentID `json:"elects,omitzero"`
	PricePerShare Decimal      `json:"pricePerShare"`
	// Amount is the converted amount, and Interest the interest in it.
	Amount   Decimal `json:"amount"`
	Interest Decimal `json:"interest"`
	// InterestDue is the interest that the terms pay in cash.
	InterestDue Decimal `json:"interestDue,omitzero"`
	// Cash is the payment for a fraction of a share.
	Cash Decimal `json:"cash,omitzero"`
}

// InstrumentConverted records the conversion of a convertible into shares.
type InstrumentConverted struct {
	ID   InstrumentID `json:"id"`
	Date Date         `json:"date"`
	InstrumentConversion
	Result Issue `json:"result"`
	// Others are further resulting shareholdings.
	Others []Issue `json:"others,omitempty"`
	// Balance is the part that did not convert. It is nil after a full conversion.
	Balance *InstrumentIssue `json:"balance,omitempty"`
	Source  *Source          `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (InstrumentConverted) EventType() string { return "holdingConverted" }

// Creates returns the shareholdings, then the balance.
func (e InstrumentConverted) Creates() []Created {
	var created []Created
	for _, result := range e.results() {
		created = append(created, Created{result.ID, kindShareholding})
	}
	if e.Balance != nil {
		created = append(created, Created{e.Balance.ID, kindHolding})
	}
	return created
}

// Records returns the instrument, then the shareholdings, then the balance.
func (e InstrumentConverted) Records(s *State) []any {
	all := records(s.Instrument(e.ID))
	for _, result := range e.results() {
		all = append(all, records(s.Shareholding(result.ID))...)
	}
	if e.Balance != nil {
		all = append(all, records(s.Instrument(e.Balance.ID))...)
	}
	return all
}

// Bases of fixed conversions, in addition to those of package conversion.
const (
	basisFixedPrice  conversion.Basis = "fixedPrice"
	basisFixedShares conversion.Basis = "fixedShares"
)

// priced is the unrounded number of shares for an amount.
type priced struct {
	basis         conversion.Basis
	shares, price *big.Rat
}

// decide checks a conversion:
//
//  1. The instrument is an outstanding convertible, and the date is not before its latest event.
//  2. Exactly one term determines the price.
//  3. The result is at least one share, and enough shares are authorized.
func (c ConvertInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if !i.IsConvertible() {
		return nil, fault.Refuse(fault.Conflict, "A warrant cannot be converted: exercise it instead.")
	}
	into, err := c.check(s, i, m)
	if err != nil {
		return nil, err
	}
	was := i.InSharesOf(c.Date)
	terms, err := c.Elected(s, was)
	if err != nil {
		return nil, err
	}
	converts, due := i.ConvertingAmount(c.Date)
	found, err := c.priced(s, was, terms, converts)
	if err != nil {
		return nil, err
	}
	made := InstrumentConversion{
		Basis: found.basis, Elects: c.Elects, PricePerShare: exact.RoundHalfUp(found.price, exact.Places),
		Amount:      exact.RoundHalfUp(converts, exact.Places),
		Interest:    exact.RoundHalfUp(new(big.Rat).Sub(converts, i.Owed(c.Date).Principal), exact.Places),
		InterestDue: exact.RoundHalfUp(due, exact.Places),
	}
	var shares Decimal
	if shares, made.Cash = into.rounded(found.shares, found.price); shares.IsZero() {
		return nil, fault.Refuse(fault.Conflict, "The holding must convert into at least one share.")
	}
	result, err := enterFromInstrument(s, i, into, shares, Decimal{}, made.paid(i, m), c.Date, m)
	if err != nil {
		return nil, err
	}
	made.Shareholding = result.ID
	return []Event{InstrumentConverted{ID: c.ID, Date: c.Date, InstrumentConversion: made, Result: result}}, nil
}

// check collects field faults and returns the class of the resulting shares.
func (c ConvertInstrument) check(s *State, i *Instrument, m DecideContext) (*Security, error) {
	var faults fault.Fields
	i.checkChange(s, &faults, c.Date, m)
	into, known := s.Security(c.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	fixed := i.FixedConversion
	if fixed != nil && fixed.Security != c.Security {
		faults.Add("/security", "otherSecurity", "The security must be the one that the terms of the holding fix.")
	}
	price := c.PricePerShare.in(i.Principal.Currency)
	if price != nil {
		checkPositive(&faults, "/pricePerShare", &price.Amount)
		if price.Currency != "" {
			faults.Add(
				"/pricePerShare/currency", "otherCurrency", "The price must be in the currency of the principal, "+i.Principal.Currency+".",
			)
		}
	}
	checkPositive(&faults, "/capitalization", c.Capitalization)
	notOf(&faults, "Remove this field: the terms of the holding fix the shares.", map[string]bool{
		"/round": fixed != nil && c.Round != nil, "/pricePerShare": fixed != nil && price != nil,
		"/capitalization": fixed != nil && c.Capitalization != nil,
	})
	notOf(&faults, "Remove this field: the round determines it.", map[string]bool{
		"/pricePerShare": c.Round != nil && price != nil, "/capitalization": c.Round != nil && c.Capitalization != nil,
	})
	return into, faults.Err()
}

// Elected returns the terms of the conversion: the instrument's own terms, or its terms with the
// cap and the discount of the elected instrument.
func (c ConvertInstrument) Elected(s *State, i *Instrument) (ConvertibleTerms, error) {
	terms := i.ConvertibleTerms
	if c.Elects.IsZero() {
		return terms, nil
	}
	other, known := s.Instrument(c.Elects)
	later := known && other.IsConvertible() && other.Status != StatusVoided && other.issuedAfter(i)
	switch {
	case !i.MFN:
		return terms, fault.Refuse(fault.Conflict, "Only a holding with a most-favoured-nation clause can elect the terms of another one.")
	case !later || other.Principal.Currency != i.Principal.Currency:
		return terms, fault.Refuse(
			fault.Conflict, "The elected convertible must have the same currency and a later issue.",
		).With("elects", c.Elects.String())
	}
	if !other.electable() {
		return terms, fault.Refuse(
			fault.Conflict, "The elected convertible must have a post-money cap, a discount, or both.",
		).With("elects", c.Elects.String())
	}
	terms.ValuationCap, terms.CapBasis, terms.Discount = other.ValuationCap, other.CapBasis, other.Discount
	return terms, nil
}

// electable reports whether the holder of a most favoured nation instrument may elect the terms of
// this instrument.
func (i *Instrument) electable() bool {
	preMoney := i.ValuationCap != nil && i.CapBasis == string(conversion.PreMoney)
	return !preMoney && !i.MFN && i.FixedConversion == nil
}

// issuedAfter orders instruments by issue date, and by id on the same day.
func (i *Instrument) issuedAfter(other *Instrument) bool {
	if i.IssueDate != other.IssueDate {
		return i.IssueDate > other.IssueDate
	}
	return i.ID.String() > other.ID.String()
}

// ConvertingAmount returns the amount that converts on the day and the interest that is due in cash.
func (i *Instrument) ConvertingAmount(day Date) (converts, due *big.Rat) {
	payout := conversion.Deferred
	if i.Interest != nil {
		payout = i.Interest.Payout
	}
	return i.Owed(day).Converting(payout)
}

// paid returns the price details of the resulting shareholding.
func (c InstrumentConversion) paid(i *Instrument, m DecideContext) ShareholdingDetails {
	price := (&Price{Amount: c.PricePerShare, Currency: i.Principal.Currency}).in(m.Currency)
	details := ShareholdingDetails{PricePerShare: price, BoardApprovalDate: i.BoardApprovalDate, Block: i.Block}
	if price.Currency != "" {
		return details
	}
	amount := c.Amount.Sub(c.Cash)
	if i.IsDebt() {
		details.Consideration = &Consideration{DebtCancelled: amount}
	} else {
		details.Consideration = &Consideration{Cash: amount}
	}
	return details
}

// apply ends the convertible and stores the results. The recorded price of a result is the price
// paid for it. The balance keeps its portion of the account.
func (e InstrumentConverted) apply(s *State, stamp Stamp) {
	old, known := s.Instrument(e.ID)
	if !known {
		return
	}
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		i.Conversion = &e.InstrumentConversion
		if e.Balance != nil {
			i.Results = []InstrumentID{e.Balance.ID}
		}
		i.end(StatusConverted, e.Date, "", stamp)
		e.restatePrice(s, i)
	})
	for _, result := range e.results() {
		holdFromInstrument(s, e.ID, Shareholding{
			Issue: result, Origin: &Origin{Kind: StatusConverted},
			PreferencePrice: s.paidPrice(result.Security, result.PricePerShare, e.Date),
		}, stamp)
	}
	if e.Balance != nil {
		i := e.Balance.begun(stamp)
		e.Balance.restate(s, i, stamp)
		i.Origin = &InstrumentOrigin{Kind: StatusConverted, From: []InstrumentID{e.ID}}
		i.Account = old.Account.portion(e.Date, i.size(), old.size())
		s.setInstrument(i, stamp)
	}
}

// restatePrice applies the recorded splits after the conversion to its price.
func (e InstrumentConverted) restatePrice(s *State, i *Instrument) {
	security, _ := s.Security(e.Result.Security)
	price, now := e.PricePerShare.Rat(), e.InstrumentConversion
	for _, split := range security.splitsAfter(e.Date) {
		i.Before = slices.Clone(i.Before)
		same := func(past WarrantCount) bool {
			return past.Until == split.Date && past.Ratio == split.Ratio && past.ConversionPrice == nil
		}
		at := slices.IndexFunc(i.Before, same)
		if at < 0 { // an instrument without fixed terms
			at, i.Before = len(i.Before), append(
				i.Before, WarrantCount{Until: split.Date, Ratio: split.Ratio, FixedConversion: i.FixedConversion},
			)
		}
		i.Before[at].ConversionPrice = new(now.PricePerShare)
		price = split.Ratio.perShare(price)
		now.PricePerShare = exact.RoundHalfUp(price, exact.Places)
	}
	i.Conversion = &now
}

// results returns the resulting shareholdings.
func (e InstrumentConverted) results() []Issue { return append([]Issue{e.Result}, e.Others...) }
