package messages

import "equity/people/credit"

// Booked is a booking, and what it left in the account that it took from.
type Booked struct {
	Booking credit.Booking
	Left    credit.Amount
}

// CreditSums are what the bookings of an account come to.
type CreditSums struct {
	// Earned came from the house, In from others, and Out went to others.
	Earned, In, Out credit.Amount
}

// Balance is what there is.
func (s CreditSums) Balance() credit.Amount { return s.Earned + s.In - s.Out }
