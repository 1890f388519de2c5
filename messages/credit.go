package messages

import "equity/people/credit"

// Booked is a booking and the remaining balance of its source account.
type Booked struct {
	Booking credit.Booking
	Left    credit.Amount
}

// CreditSums are the totals of an account's bookings.
type CreditSums struct {
	// Earned is the credit from the house, In from other accounts, and Out to other accounts.
	Earned, In, Out credit.Amount
}

// Balance returns the available credit.
func (s CreditSums) Balance() credit.Amount { return s.Earned + s.In - s.Out }
