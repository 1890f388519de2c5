package captable

import (
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// ConvertInstrument asks to make shares of a convertible: all of it or nothing. A price
// comes from a round that is solved, or is stated, or was fixed by the instrument's terms;
// without any, only a cap sets one.
type ConvertInstrument struct {
	ID       InstrumentID `json:"-"`
	Security SecurityID   `json:"security"`
	Date     Date         `json:"date"`
	// Elects is the later instrument whose terms a most favoured holder takes, whole.
	Elects InstrumentID     `json:"elects,omitzero"`
	Round  *ConversionRound `json:"round,omitempty"`
	// PricePerShare is what others pay, in the currency of the principal.
	PricePerShare *Price `json:"pricePerShare,omitempty"`
	// Capitalization is the number of shares that a cap is divided by.
	Capitalization *Decimal `json:"capitalization,omitempty"`
}

// InstrumentConversion is what a convertible became. Money is in the currency of its
// principal.
type InstrumentConversion struct {
	Shareholding ShareholdingID `json:"shareholding"`
	// Basis is the term that set the price: cap, discount, roundPrice, fixedPercent,
	// fixedPrice, fixedShares, or stated where only the shares are known.
	Basis conversion.Basis `json:"basis"`
	// Elects is the instrument whose terms these were; none for its own.
	Elects        InstrumentID `json:"elects,omitzero"`
	PricePerShare Decimal      `json:"pricePerShare"`
	// Amount is what became shares, Interest the interest in it.
	Amount   Decimal `json:"amount"`
	Interest Decimal `json:"interest"`
	// InterestDue is what is paid in cash instead, by the terms.
	InterestDue Decimal `json:"interestDue,omitzero"`
	// Cash is paid for a part of a share.
	Cash Decimal `json:"cash,omitzero"`
}

// InstrumentConverted records that a convertible became shares.
type InstrumentConverted struct {
	ID   InstrumentID `json:"id"`
	Date Date         `json:"date"`
	InstrumentConversion
	Result Issue `json:"result"`
	// Others are further shareholdings that came of it.
	Others []Issue `json:"others,omitempty"`
	// Balance is the part that did not convert; nil if all did.
	Balance *InstrumentIssue `json:"balance,omitempty"`
	Source  *Source          `json:"source,omitempty"`
}

// Bases of what an instrument fixed, besides those of package conversion.
const (
	basisFixedPrice  conversion.Basis = "fixedPrice"
	basisFixedShares conversion.Basis = "fixedShares"
)

// priced is how many shares an amount gives before anything is rounded.
type priced struct {
	basis         conversion.Basis
	shares, price *big.Rat
}

// decide checks a conversion:
//
//  1. it is of an outstanding convertible, no earlier than what happened to it last;
//  2. one thing sets the price;
//  3. it gives at least a share, and there are as many.
func (c ConvertInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	if !i.convertible() {
		return nil, Refuse(CodeConflict, "A warrant does not convert, it is exercised.")
	}
	into, err := c.check(s, i, m)
	if err != nil {
		return nil, err
	}
	terms, err := c.elected(s, i)
	if err != nil {
		return nil, err
	}
	converts, due := i.converting(c.Date)
	found, err := c.priced(s, i, terms, converts)
	if err != nil {
		return nil, err
	}
	made := InstrumentConversion{
		Basis: found.basis, Elects: c.Elects, PricePerShare: exact.RoundHalfUp(found.price, exact.Places),
		Amount:   exact.RoundHalfUp(converts, exact.Places),
		Interest: exact.RoundHalfUp(new(big.Rat).Sub(converts, i.Owed(c.Date).Principal), exact.Places), InterestDue: exact.RoundHalfUp(due, exact.Places),
	}
	var shares Decimal
	if shares, made.Cash = into.rounded(found.shares, found.price); shares.IsZero() {
		return nil, Refuse(CodeConflict, "It converts into less than one share.")
	}
	result, err := s.enterFrom(i, into, shares, Decimal{}, made.paid(i, m), c.Date, m)
	if err != nil {
		return nil, err
	}
	made.Shareholding = result.ID
	return []Event{InstrumentConverted{ID: c.ID, Date: c.Date, InstrumentConversion: made, Result: result}}, nil
}

// check notes the wrong fields and gives what the instrument converts into.
func (c ConvertInstrument) check(s *State, i *Instrument, m Moment) (*Security, error) {
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	into, known := s.Security(c.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	fixed := i.FixedConversion
	if fixed != nil && fixed.Security != c.Security {
		faults.Add("/security", "otherSecurity", "Its terms fix another security.")
	}
	price := c.PricePerShare.in(i.Principal.Currency)
	if price != nil {
		checkPositive(&faults, "/pricePerShare", &price.Amount)
		if price.Currency != "" {
			faults.Add("/pricePerShare/currency", "otherCurrency", "The price is in the currency of the principal, "+i.Principal.Currency+".")
		}
	}
	checkPositive(&faults, "/capitalization", c.Capitalization)
	notOf(&faults, "Its terms fix what it becomes.", map[string]bool{
		"/round": fixed != nil && c.Round != nil, "/pricePerShare": fixed != nil && price != nil, "/capitalization": fixed != nil && c.Capitalization != nil,
	})
	notOf(&faults, "The round sets it.", map[string]bool{
		"/pricePerShare": c.Round != nil && price != nil, "/capitalization": c.Round != nil && c.Capitalization != nil,
	})
	return into, faults.Err()
}

// elected gives the terms by which the instrument converts: its own, or the cap and the
// discount of the one that its holder elects.
func (c ConvertInstrument) elected(s *State, i *Instrument) (ConvertibleTerms, error) {
	terms := i.ConvertibleTerms
	if c.Elects.IsZero() {
		return terms, nil
	}
	other, known := s.Instrument(c.Elects)
	later := known && other.convertible() && other.Status != StatusVoided && other.issuedAfter(i)
	switch {
	case !i.MFN:
		return terms, Refuse(CodeConflict, "Only a most favoured holder elects the terms of another.")
	case !later || other.Principal.Currency != i.Principal.Currency:
		return terms, Refuse(CodeConflict, "The election goes to a convertible of the same currency that was issued later.").With("elects", c.Elects.String())
	}
	if !other.electable() {
		return terms, Refuse(CodeConflict, "The election goes to a convertible with a post-money cap, a discount, or both.").With("elects", c.Elects.String())
	}
	terms.ValuationCap, terms.CapBasis, terms.Discount = other.ValuationCap, other.CapBasis, other.Discount
	return terms, nil
}

// electable reports whether a most favoured holder may elect the terms of the instrument.
func (i *Instrument) electable() bool {
	preMoney := i.ValuationCap != nil && i.CapBasis == string(conversion.PreMoney)
	return !preMoney && !i.MFN && i.FixedConversion == nil
}

// issuedAfter orders by the day of issue, and within a day by entry.
func (i *Instrument) issuedAfter(other *Instrument) bool {
	if i.IssueDate != other.IssueDate {
		return i.IssueDate > other.IssueDate
	}
	return i.ID.String() > other.ID.String()
}

// converting is what becomes shares on the day, and what is paid in cash by then.
func (i *Instrument) converting(day Date) (converts, due *big.Rat) {
	payout := conversion.Deferred
	if i.Interest != nil {
		payout = i.Interest.Payout
	}
	return i.Owed(day).Converting(payout)
}

// paid is what the shareholding says of its price.
func (c InstrumentConversion) paid(i *Instrument, m Moment) ShareholdingDetails {
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

// apply ends the convertible and enters what came of it. The balance goes on with its part of
// the account.
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
	})
	for _, result := range e.results() {
		s.holdFrom(e.ID, StatusConverted, result, stamp)
	}
	if e.Balance != nil {
		i := e.Balance.begun(stamp)
		i.Origin = &InstrumentOrigin{Kind: StatusConverted, From: []InstrumentID{e.ID}}
		i.Account = old.Account.portion(e.Date, i.size(), old.size())
		s.setInstrument(i, stamp)
	}
}

// results lists the shareholdings that came of the convertible.
func (e InstrumentConverted) results() []Issue { return append([]Issue{e.Result}, e.Others...) }
