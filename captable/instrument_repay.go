package captable

import (
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// RepayInstrument records money that the organization paid on a debt.
type RepayInstrument struct {
	ID InstrumentID `json:"-"`
	// Amount is in the currency of the principal.
	Amount Price `json:"amount"`
	Date   Date  `json:"date"`
	// InterestFirst pays the interest before the principal; else the principal comes first.
	InterestFirst bool `json:"interestFirst,omitempty"`
}

// InstrumentRepaid records a repayment.
type InstrumentRepaid struct {
	ID InstrumentID `json:"id"`
	conversion.Repayment
	// Settled is true where nothing was left to pay.
	Settled bool `json:"settled,omitempty"`
}

// decide refuses to repay what is no debt, and more than is owed. A debt of which less
// than half a cent is left is settled: nobody pays that.
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

// cents are the places of money that changes hands.
const cents = 2

// payable is the most that settles a debt: the balance in whole cents, or as it is
// answered, whichever is more.
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
