package vesting

import (
	"slices"

	"equity/captable/exact"
)

// Allocation says how instalments become whole shares; the examples are of 18 shares in
// four instalments.
type Allocation string

// The allocations of the Open Cap Format.
const (
	// CumulativeRounding rounds the running total to the nearest share, a half up: 5, 4, 5, 4.
	CumulativeRounding Allocation = "CUMULATIVE_ROUNDING"
	// CumulativeRoundDown rounds the running total down: 4, 5, 4, 5.
	CumulativeRoundDown Allocation = "CUMULATIVE_ROUND_DOWN"
	// FrontLoaded gives what rounding leaves over to the first instalments: 5, 5, 4, 4.
	FrontLoaded Allocation = "FRONT_LOADED"
	// BackLoaded gives it to the last: 4, 4, 5, 5.
	BackLoaded Allocation = "BACK_LOADED"
	// FrontLoadedToSingleTranche gives all of it to the first: 6, 4, 4, 4.
	FrontLoadedToSingleTranche Allocation = "FRONT_LOADED_TO_SINGLE_TRANCHE"
	// BackLoadedToSingleTranche gives all of it to the last: 4, 4, 4, 6.
	BackLoadedToSingleTranche Allocation = "BACK_LOADED_TO_SINGLE_TRANCHE"
	// Fractional does not round: 4.5 each.
	Fractional Allocation = "FRACTIONAL"
)

// Terms are how grants vest: a graph of conditions. Every condition that no other leads
// to begins a path of its own. Without conditions a grant is vested when it is made.
type Terms struct {
	Allocation Allocation  `json:"allocation,omitempty"`
	Conditions []Condition `json:"conditions"`
}

// Restated gives the terms for a grant whose shares were split since: what vests in shares
// is counted anew, fractions stay.
func (t Terms) Restated(shares func(exact.Decimal) exact.Decimal) Terms {
	restated := t
	restated.Conditions = slices.Clone(t.Conditions)
	for i := range restated.Conditions {
		vests := &restated.Conditions[i].Vests
		vests.Shares = shares(vests.Shares)
	}
	return restated
}

// Condition is a node of the graph.
type Condition struct {
	// ID is unique within the terms and no more than 100 bytes long.
	ID   string `json:"id"`
	When When   `json:"when"`
	// Vests is what each time the condition is met vests; zero for nothing.
	Vests Portion `json:"vests,omitzero"`
	// Next are the conditions that may be met after this one. The one met first is taken,
	// of several on one day the first of the list; the others are not looked at again.
	Next []string `json:"next,omitempty"`
}

// Kind says what a condition waits for.
type Kind string

// What conditions wait for.
const (
	// AtStart waits for the vesting start of the grant.
	AtStart Kind = "start"
	// OnEvent waits for a happening.
	OnEvent Kind = "event"
	// OnDate waits for a day of the calendar.
	OnDate Kind = "date"
	// After waits for some time after another condition of its path.
	After Kind = "after"
)

// When is what a condition waits for. What its kind does not speak of stays zero.
type When struct {
	Kind Kind `json:"kind"`
	// Event names the happening; without it, that is the condition's own id. Several
	// conditions may wait for one event.
	Event string     `json:"event,omitempty"`
	Date  exact.Date `json:"date,omitzero"`
	// Of is the condition that the time is counted from: from its last instalment.
	Of string `json:"of,omitempty"`
	// Every is the time between instalments, Times is how many there are.
	Every Period `json:"every,omitzero"`
	Times int    `json:"times,omitempty"`
	Day   Day    `json:"day,omitempty"`
	// CliffAt is the instalment (the first is 1) before which nothing vests; it takes
	// what was held back. 0 for no cliff.
	CliffAt int `json:"cliff_at,omitempty"`
	// CliffFraction is how much of the whole condition the cliff vests, instead of what
	// was held back; the instalments behind it share the rest equally.
	CliffFraction Fraction `json:"cliff_fraction,omitzero"`
}

// Portion is how much vests. Zero is nothing.
type Portion struct {
	// Fraction is of the whole grant, or of what had not vested when the condition was met.
	Fraction Fraction `json:"fraction,omitzero"`
	Of       Base     `json:"of,omitempty"`
	// Shares is a number of shares, in place of a fraction.
	Shares exact.Decimal `json:"shares,omitzero"`
}

// Base is what a fraction is taken of.
type Base string

// A fraction is of the whole grant unless it is of what remains.
const (
	OfGrant     Base = ""
	OfRemaining Base = "remaining"
)
