package vesting

import (
	"equity/captable/exact"
)

// Award is a grant: how much, since when.
type Award struct {
	// Quantity is what was granted: not negative.
	Quantity exact.Decimal
	// GrantDate is the day of the grant. Without one there is nothing to catch up with.
	GrantDate exact.Date
	// Start is the vesting start, which conditions of that kind wait for. Zero while it
	// has not come: they are not met.
	Start exact.Date
	// Places is into how many places behind the point a share may be divided; 0 for whole
	// shares. A fractional allocation, or quantity, divides further.
	Places int
	// CatchUp says what becomes of instalments from before the grant.
	CatchUp CatchUp
	// Vestings, where there are any, are what vests instead of the terms.
	Vestings []Vesting
	// Accelerations vest besides the terms, ahead of schedule: the instalments go on as
	// they were, and end when all has vested.
	Accelerations []Vesting
}

// Vesting is a quantity that vests on a day.
type Vesting struct {
	Date     exact.Date    `json:"date"`
	Quantity exact.Decimal `json:"quantity"`
}

// Happening is the day on which an event came true.
type Happening struct {
	// Condition is the id of the condition that waits for it, or the event's name.
	Condition string     `json:"condition"`
	Date      exact.Date `json:"date"`
	// Realized is how far a milestone was reached, from 0 to 1: what its condition and those
	// after it vest is multiplied by it. Without it, it was reached.
	Realized Fraction `json:"realized,omitzero"`
}

// CatchUp says what becomes of instalments that the schedule puts before the grant.
type CatchUp string

// What becomes of instalments from before the grant.
const (
	// OnGrantDate vests them together on the day of the grant.
	OnGrantDate CatchUp = ""
	// OnNextInstalment vests them with the first instalment that does not lie before the grant.
	OnNextInstalment CatchUp = "nextInstallment"
	// AsScheduled leaves them on their days.
	AsScheduled CatchUp = "asScheduled"
)
