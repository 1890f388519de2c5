package vesting

import (
	"slices"

	"equity/captable/exact"
)

// Allocation determines how instalments are rounded to whole shares. The examples are for 18 shares in four
// instalments.
type Allocation string

// The allocations of the Open Cap Format.
const (
	// CumulativeRounding rounds the running total to the nearest share, halves up: 5, 4, 5, 4.
	CumulativeRounding Allocation = "CUMULATIVE_ROUNDING"
	// CumulativeRoundDown rounds the running total down: 4, 5, 4, 5.
	CumulativeRoundDown Allocation = "CUMULATIVE_ROUND_DOWN"
	// FrontLoaded adds the remainder of rounding to the first instalments: 5, 5, 4, 4.
	FrontLoaded Allocation = "FRONT_LOADED"
	// BackLoaded adds the remainder to the last instalments: 4, 4, 5, 5.
	BackLoaded Allocation = "BACK_LOADED"
	// FrontLoadedToSingleTranche adds the whole remainder to the first instalment: 6, 4, 4, 4.
	FrontLoadedToSingleTranche Allocation = "FRONT_LOADED_TO_SINGLE_TRANCHE"
	// BackLoadedToSingleTranche adds the whole remainder to the last instalment: 4, 4, 4, 6.
	BackLoadedToSingleTranche Allocation = "BACK_LOADED_TO_SINGLE_TRANCHE"
	// Fractional does not round: 4.5 each.
	Fractional Allocation = "FRACTIONAL"
)

// Terms are vesting terms as a graph of conditions. Each condition without a predecessor starts a path of its own.
// Without conditions, the whole grant vests on the grant date.
type Terms struct {
	Allocation Allocation  `json:"allocation,omitempty"`
	Conditions []Condition `json:"conditions"`
}

// Restated returns the terms after a split of the shares: quantities in shares are restated, and fractions are
// unchanged.
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
	// ID is unique within the terms, at most 100 bytes.
	ID   string `json:"id"`
	When When   `json:"when"`
	// Vests is the quantity of each instalment. Zero means no quantity.
	Vests Portion `json:"vests,omitzero"`
	// Next lists the following conditions. The first to be met is taken, and among several on one day, the first
	// in the list. The others are ignored.
	Next []string `json:"next,omitempty"`
}

// Kind is the kind of a condition's trigger.
type Kind string

// The kinds of triggers.
const (
	// AtStart is met at the vesting start of the grant.
	AtStart Kind = "start"
	// OnEvent is met by a happening.
	OnEvent Kind = "event"
	// OnDate is met on a calendar date.
	OnDate Kind = "date"
	// After is met some time after another condition of its path.
	After Kind = "after"
)

// When is the trigger of a condition. Fields that do not apply to its kind are zero.
type When struct {
	Kind Kind `json:"kind"`
	// Event is the name of the event. The default is the condition's own id. Several conditions may depend on one
	// event.
	Event string     `json:"event,omitempty"`
	Date  exact.Date `json:"date,omitzero"`
	// Of is the condition from whose last instalment the time is counted.
	Of string `json:"of,omitempty"`
	// Every is the period between instalments, and Times their number.
	Every Period `json:"every,omitzero"`
	Times int    `json:"times,omitempty"`
	Day   Day    `json:"day,omitempty"`
	// CliffAt is the first vesting instalment, from 1, which includes the withheld ones. 0 means no cliff.
	CliffAt int `json:"cliff_at,omitempty"`
	// CliffFraction is the fraction of the whole condition that vests at the cliff, instead of the withheld
	// instalments. The later instalments share the rest equally.
	CliffFraction Fraction `json:"cliff_fraction,omitzero"`
}

// Portion is the quantity of an instalment. The zero Portion means no quantity.
type Portion struct {
	// Fraction is a fraction of the whole grant, or of the remainder when the condition is met.
	Fraction Fraction `json:"fraction,omitzero"`
	Of       Base     `json:"of,omitempty"`
	// Shares is a number of shares, instead of a fraction.
	Shares exact.Decimal `json:"shares,omitzero"`
}

// Base is the whole that a fraction applies to.
type Base string

// A fraction applies to the whole grant unless its base is the remainder.
const (
	OfGrant     Base = ""
	OfRemaining Base = "remaining"
)
