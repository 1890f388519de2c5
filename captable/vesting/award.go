package vesting

import (
	"equity/captable/exact"
)

// Award is a grant: its quantity and dates.
type Award struct {
	// Quantity is the granted quantity, zero or greater.
	Quantity exact.Decimal
	// GrantDate is the grant date. If it is zero, no instalment is before the grant.
	GrantDate exact.Date
	// Start is the vesting start of [AtStart] conditions. If it is zero, they are not met.
	Start exact.Date
	// Places is the number of decimal places of a share; 0 for whole shares. A fractional allocation, or quantity,
	// has more.
	Places int
	// CatchUp is the treatment of instalments before the grant date.
	CatchUp CatchUp
	// Vestings replace the terms, unless the list is empty.
	Vestings []Vesting
	// Accelerations vest ahead of schedule, in addition to the terms. Instalments keep their quantities and end
	// when the whole grant has vested.
	Accelerations []Vesting
}

// Vesting is a quantity that vests on a date.
type Vesting struct {
	Date     exact.Date    `json:"date"`
	Quantity exact.Decimal `json:"quantity"`
}

// Happening is the occurrence of an event on a date.
type Happening struct {
	// Condition is the id of the dependent condition, or the name of the event.
	Condition string     `json:"condition"`
	Date      exact.Date `json:"date"`
	// Realized is the achieved fraction of a milestone, from 0 to 1. The quantities of its condition and of the
	// following ones are multiplied by it. If it is absent, the milestone is complete.
	Realized Fraction `json:"realized,omitzero"`
}

// CatchUp is the treatment of instalments that are scheduled before the grant date.
type CatchUp string

// The treatments of instalments before the grant date.
const (
	// OnGrantDate vests them together on the grant date.
	OnGrantDate CatchUp = ""
	// OnNextInstalment vests them with the first instalment on or after the grant date.
	OnNextInstalment CatchUp = "nextInstallment"
	// AsScheduled keeps their dates.
	AsScheduled CatchUp = "asScheduled"
)
