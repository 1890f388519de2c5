package captable

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// Part is a part of an instrument. Without any field it is the whole instrument.
type Part struct {
	// Amount is a part of the principal of a convertible. Repayments and interest are divided in
	// proportion. It is in the currency of the principal.
	Amount *Price `json:"amount,omitempty"`
	// Quantity is a part of the remaining shares of a warrant.
	Quantity *Decimal `json:"quantity,omitempty"`
}

// The commands that end an instrument without shares in its place.
type (
	// TransferInstrument transfers an instrument or a part of it to another holder.
	TransferInstrument struct {
		ID InstrumentID `json:"-"`
		To HolderRef    `json:"to"`
		Part
		Date Date `json:"date"`
		// Price is the total price of the transfer.
		Price *Price `json:"price,omitempty"`
		// Kind is sale, gift, inheritance or internal.
		Kind   string `json:"kind"`
		Reason string `json:"reason,omitempty"`
	}
	// CancelInstrument cancels an instrument or a part of it without a replacement.
	CancelInstrument struct {
		ID InstrumentID `json:"-"`
		Part
		Date   Date   `json:"date"`
		Reason string `json:"reason"`
	}
)

// InstrumentEnded records the ending of an instrument and the resulting instruments. Its kind
// determines the event type: holdingTransferred, holdingCancelled, holdingRetracted or
// holdingExpired.
type InstrumentEnded struct {
	Kind Status       `json:"kind"`
	ID   InstrumentID `json:"id"`
	Date Date         `json:"date"`
	// Size is the affected part of the principal, or of the remaining shares of a warrant.
	Size Decimal `json:"size"`
	// Result is the instrument of the new holder.
	Result *InstrumentIssue `json:"result,omitempty"`
	// Balance is the unaffected part, or nil if the whole instrument ended.
	Balance *InstrumentIssue `json:"balance,omitempty"`
	// TransferKind is sale, gift, inheritance or internal for a transfer.
	TransferKind string  `json:"transferKind,omitempty"`
	Price        *Price  `json:"price,omitempty"`
	Reason       string  `json:"reason,omitempty"`
	Source       *Source `json:"source,omitempty"`
}

// EventType returns "holding" followed by the kind of the ending, for example holdingTransferred.
func (e InstrumentEnded) EventType() string {
	if e.Kind == "" {
		return "holdingEnded"
	}
	return "holding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}

// Creates returns the instrument of the new holder and the balance.
func (e InstrumentEnded) Creates() []Created {
	var created []Created
	for _, issue := range e.issues() {
		created = append(created, Created{issue.ID, kindHolding})
	}
	return created
}

// Records returns the ended instrument, then that of the new holder, then the balance.
func (e InstrumentEnded) Records(s *State) []any {
	all := records(s.Instrument(e.ID))
	for _, issue := range e.issues() {
		all = append(all, records(s.Instrument(issue.ID))...)
	}
	return all
}

// decide transfers an instrument or a part of it to another holder. The old instrument ends, and
// the parts of both holders are issued anew with their accrued interest.
func (c TransferInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	to := TransferShareholding{To: c.To}.toHolder(&faults, m)
	if to.Entity == i.Entity {
		faults.Add("/to", "sameHolder", "Choose another holder: the holding already belongs to this one.")
	}
	if !slices.Contains([]string{"sale", "gift", "inheritance", "internal"}, c.Kind) {
		faults.Add("/kind", "enum", "The kind must be sale, gift, inheritance or internal.")
	}
	checkPrice(&faults, "/price", c.Price)
	ended, err := divideInstrument(s, i, StatusTransferred, c.Part, c.Date, m, faults)
	if err != nil {
		return nil, err
	}
	ended.Result = i.piece(m, to.Entity, ended.Size, c.Date)
	ended.TransferKind, ended.Price, ended.Reason = c.Kind, c.Price.in(m.Currency), c.Reason
	return []Event{*ended}, nil
}

// decide cancels an instrument or a part of it. A reason is required.
func (c CancelInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the cancellation is required.")
	}
	ended, err := divideInstrument(s, i, StatusCancelled, c.Part, c.Date, m, faults)
	if err != nil {
		return nil, err
	}
	ended.Reason = c.Reason
	return []Event{*ended}, nil
}

// divideInstrument checks the rules that apply to every ending of an instrument:
//
//  1. The date is not in the future and not before the issue or the latest event.
//  2. The affected part is at most the size of the instrument.
//  3. The rest becomes a balance of the same holder with the same terms.
func divideInstrument(
	s *State, i *Instrument, kind Status, part Part, date Date, m DecideContext, faults fault.Fields,
) (*InstrumentEnded, error) {
	i.checkChange(s, &faults, date, m)
	size := part.of(s, i, &faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if size.Cmp(i.size()) > 0 {
		return nil, insufficient(i.size().String()+" is outstanding; "+size.String()+" was requested.", AuthorizedOf(i.size()), size)
	}
	ended := &InstrumentEnded{Kind: kind, ID: i.ID, Date: date, Size: size}
	if rest := i.size().Sub(size); !rest.IsZero() {
		if fixed := i.FixedConversion; fixed != nil && fixed.Price == nil {
			return nil, fault.Refuse(
				fault.Conflict,
				"The holding cannot be divided while its terms fix the shares of the whole: state a conversion price instead.",
			)
		}
		ended.Balance = i.piece(m, i.Entity, rest, date)
	}
	return ended, nil
}

// checkChange adds a fault for a date before the latest event of the instrument or after its last
// day.
func (i *Instrument) checkChange(s *State, faults *fault.Fields, date Date, m DecideContext) {
	i.checkOrder(s, faults, date, m)
	if i.ExpiredOn(date) {
		faults.Add("/date", "expired", "The warrant expired on "+i.ExpirationDate.String()+".")
	}
}

// checkOrder adds a fault for a date before the latest event of the instrument.
func (i *Instrument) checkOrder(s *State, faults *fault.Fields, date Date, m DecideContext) {
	i.checkDate(faults, date, m)
	if security, known := s.Security(i.Security); known {
		security.checkPast(faults, "/date", date)
	}
	if last := i.last(); !date.IsZero() && date < last {
		faults.Add(
			"/date", "datesOutOfOrder",
			"The date must not be before the last repayment, exercise or split of the holding, "+last.String()+".",
		)
	}
}

// last returns the date of the latest repayment, exercise or split, or zero if none was recorded.
func (i *Instrument) last() (last Date) {
	for _, count := range i.Before {
		if !i.IsConvertible() { // a split does not affect a debt, which is an amount of money
			last = max(last, count.Until)
		}
	}
	if i.Account != nil {
		for _, repayment := range i.Account.Repayments {
			last = max(last, repayment.Date)
		}
	}
	return last
}

// of returns the size of the part.
func (p Part) of(s *State, i *Instrument, faults *fault.Fields) Decimal {
	if i.IsConvertible() {
		notOf(faults, "Remove this field: a convertible has none.", map[string]bool{"/quantity": p.Quantity != nil})
		if amount := p.amountOf(i.Principal.Currency, faults); amount != nil {
			p.Quantity = amount
		}
	} else {
		notOf(faults, "Remove this field: a warrant has none.", map[string]bool{"/amount": p.Amount != nil})
		if p.Quantity != nil {
			security, _ := s.Security(i.Security)
			checkShares(faults, "/quantity", *p.Quantity, security)
		}
	}
	if p.Quantity == nil {
		return i.size()
	}
	return *p.Quantity
}

// amountOf returns the part of a principal in the currency; nil for the whole one.
func (p Part) amountOf(currency string, faults *fault.Fields) *Decimal {
	amount := p.Amount.in(currency)
	if amount == nil {
		return nil
	}
	checkPositive(faults, "/amount", &amount.Amount)
	if amount.Currency != "" {
		faults.Add("/amount/currency", "otherCurrency", "The amount must be in the currency of the principal, "+currency+".")
	}
	return &amount.Amount
}

// piece returns a part of the instrument under the same terms, for a new holder or as the balance.
func (i *Instrument) piece(m DecideContext, holder EntityID, size Decimal, date Date) *InstrumentIssue {
	piece := i.InstrumentIssue
	piece.ID, piece.Entity, piece.IssueDate, piece.ExternalID, piece.OfDay = m.NewID(), holder, date, "", true
	if i.IsConvertible() {
		was := i.counted(date)
		piece.FixedConversion = was.FixedConversion
		piece.Principal = &Money{Amount: size, Currency: i.Principal.Currency}
	} else {
		piece.Quantity = size
	}
	return &piece
}

// apply ends the instrument and stores the resulting ones. Each part keeps its portion of the
// account, so that repayments and interest are divided in proportion to the principal.
func (e InstrumentEnded) apply(s *State, stamp Stamp) {
	old, ok := s.Instrument(e.ID)
	if !ok {
		return
	}
	var results []InstrumentID
	for _, issue := range e.issues() {
		results = append(results, issue.ID)
	}
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		i.Results = results
		i.end(e.Kind, e.Date, e.Reason, stamp)
	})
	for _, issue := range e.issues() {
		i := issue.begun(stamp)
		issue.restate(s, i, stamp)
		i.Origin = &InstrumentOrigin{Kind: e.Kind, From: []InstrumentID{e.ID}}
		i.Account = old.Account.portion(e.Date, i.size(), old.size())
		s.setInstrument(i, stamp)
	}
}

// portion returns the account of a part of the principal from the given day on.
func (a *Account) portion(date Date, part, whole Decimal) *Account {
	if a == nil || part.Equal(whole) {
		return a
	}
	next := *a
	next.Portions = append(slices.Clone(a.Portions), conversion.Portion{
		Date: date, After: len(a.Repayments), Numerator: part, Denominator: whole,
	})
	return &next
}

// issues returns the resulting instruments.
func (e InstrumentEnded) issues() []InstrumentIssue {
	var issues []InstrumentIssue
	for _, issue := range []*InstrumentIssue{e.Result, e.Balance} {
		if issue != nil {
			issues = append(issues, *issue)
		}
	}
	return issues
}

// RepayInstrument records a payment of the organization on a debt.
type RepayInstrument struct {
	ID InstrumentID `json:"-"`
	// Amount is in the currency of the principal.
	Amount Price `json:"amount"`
	Date   Date  `json:"date"`
	// InterestFirst pays the interest before the principal. By default the principal is paid
	// first.
	InterestFirst bool `json:"interestFirst,omitempty"`
	// Source is the cancellation in a package that records the repayment of the rest.
	Source *Source `json:"-"`
}

// InstrumentRepaid records a repayment.
type InstrumentRepaid struct {
	ID InstrumentID `json:"id"`
	conversion.Repayment
	// Settled reports whether the debt was paid in full.
	Settled bool    `json:"settled,omitempty"`
	Source  *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (InstrumentRepaid) EventType() string { return "holdingRepaid" }

// Creates returns nil.
func (InstrumentRepaid) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentRepaid) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// decide checks a repayment. The instrument must be a debt, and the amount is at most the balance.
// A debt with less than half a cent left is settled, because such a rest cannot be paid.
func (c RepayInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if !i.IsDebt() {
		return nil, fault.Refuse(fault.Conflict, "Only a debt can be repaid.").With("kind", string(i.Kind))
	}
	var faults fault.Fields
	i.checkChange(s, &faults, c.Date, m)
	amount := c.Amount.in(i.Principal.Currency)
	checkPositive(&faults, "/amount", &amount.Amount)
	if amount.Currency != "" {
		faults.Add("/amount/currency", "otherCurrency", "The amount must be in the currency of the principal, "+i.Principal.Currency+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	owed := i.Ledger().On(c.Date)
	if most := payable(owed); amount.Amount.Cmp(most) > 0 {
		return nil, fault.Refuse(fault.Conflict, most.String()+" is owed on the day; "+amount.Amount.String()+" was requested.").
			With("balance", most.String()).With("requested", amount.Amount.String())
	}
	left := new(big.Rat).Sub(owed.Balance(), amount.Amount.Rat())
	return []Event{InstrumentRepaid{
		ID: c.ID, Repayment: conversion.Repayment{Date: c.Date, Amount: amount.Amount, InterestFirst: c.InterestFirst},
		Settled: exact.RoundHalfUp(left, cents).Sign() <= 0, Source: c.Source,
	}}, nil
}

// cents is the number of decimal places of payments.
const cents = 2

// payable returns the largest payment on a debt: the balance in whole cents or in the places of
// the contract, whichever is more.
func payable(owed conversion.Standing) Decimal {
	balance := owed.Balance()
	return exact.RoundHalfUp(balance, cents).Max(exact.RoundHalfUp(balance, exact.Places))
}

func (e InstrumentRepaid) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		if i.Account == nil {
			return
		}
		account := *i.Account
		account.Repayments = append(slices.Clip(account.Repayments), e.Repayment)
		i.Account = &account
		if e.Settled {
			i.end(StatusRepaid, e.Date, "", stamp)
		}
	})
}
