package captable

import (
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// RepayInstrument records a payment of the organization on a debt.
type RepayInstrument struct {
	ID InstrumentID `json:"-"`
	// Amount is in the currency of the principal.
	Amount Price `json:"amount"`
	Date   Date  `json:"date"`
	// InterestFirst pays the interest before the principal. By default the principal is paid
	// first.
	InterestFirst bool `json:"interestFirst,omitempty"`
}

// InstrumentRepaid records a repayment.
type InstrumentRepaid struct {
	ID InstrumentID `json:"id"`
	conversion.Repayment
	// Settled reports whether the debt was paid in full.
	Settled bool `json:"settled,omitempty"`
}

// EventType returns the name of the event in the journal.
func (InstrumentRepaid) EventType() string { return "holdingRepaid" }

// Creates returns nil.
func (InstrumentRepaid) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentRepaid) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// decide checks a repayment. The instrument must be a debt, and the amount is at most the balance.
// A debt with less than half a cent left is settled, because such a rest cannot be paid.
func (c RepayInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	if !i.IsDebt() {
		return nil, Refuse(CodeConflict, "Only a debt is repaid.").With("kind", string(i.Kind))
	}
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	amount := c.Amount.in(i.Principal.Currency)
	checkPositive(&faults, "/amount", &amount.Amount)
	if amount.Currency != "" {
		faults.Add("/amount/currency", "otherCurrency", "It is repaid in the currency of the principal, "+i.Principal.Currency+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	owed := i.ledger().On(c.Date)
	if most := payable(owed); amount.Amount.Cmp(most) > 0 {
		return nil, Refuse(CodeConflict, "More would be repaid than is owed.").
			With("balance", most.String()).With("requested", amount.Amount.String())
	}
	left := new(big.Rat).Sub(owed.Balance(), amount.Amount.Rat())
	return []Event{InstrumentRepaid{
		ID: c.ID, Repayment: conversion.Repayment{Date: c.Date, Amount: amount.Amount, InterestFirst: c.InterestFirst},
		Settled: exact.RoundHalfUp(left, cents).Sign() <= 0,
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
