package captable

import (
	"slices"

	"equity/captable/vesting"
)

// ProjectVesting asks what would vest of a grant, without making one.
type ProjectVesting struct {
	Quantity  Decimal `json:"quantity"`
	GrantDate Date    `json:"grantDate"`
	// VestingStart is the grant date when absent, unless a happening says when it came.
	VestingStart Date `json:"vestingStart,omitzero"`
	// Schedule is the schedule itself; nil where another names one that is kept.
	Schedule   *vesting.Scheme     `json:"schedule,omitempty"`
	Happenings []vesting.Happening `json:"happenings,omitempty"`
}

// Projection is what vests of a grant, and how much of it has on a day.
type Projection struct {
	AsOf         Date             `json:"asOf"`
	Installments vesting.Schedule `json:"installments"`
	Vested       Decimal          `json:"vested"`
	// Unvested is the rest of the grant, what no instalment will ever vest included.
	Unvested Decimal `json:"unvested"`
}

// On gives the projection as of the day, by the kept schedule or, without one, by the
// command's own. What cannot be computed with is told as an [Error] that names every
// wrong field.
func (c ProjectVesting) On(day Date, kept *VestingSchedule) (Projection, error) {
	var faults Faults
	if c.Quantity.Sign() <= 0 {
		faults.Add("/quantity", "notPositive", "The quantity must be more than zero.")
	}
	scheme := c.Schedule
	if kept != nil {
		scheme = &kept.Scheme
	}
	if scheme == nil {
		faults.Add("/schedule", "required", "A schedule is needed, or the id of one.")
		return Projection{}, faults.Err()
	}
	terms, err := scheme.Compile()
	faults.vestingFaults("/schedule", err)
	if err := faults.Err(); err != nil {
		return Projection{}, err
	}
	installments, err := vesting.Project(c.award(terms), terms, c.Happenings)
	faults.vestingFaults("", err)
	if err := faults.Err(); err != nil {
		return Projection{}, err
	}
	vested := installments.On(day)
	return Projection{AsOf: day, Installments: installments, Vested: vested, Unvested: c.Quantity.Sub(vested)}, nil
}

// award is the grant, which begins to vest on the day it is made when nothing says when.
func (c ProjectVesting) award(terms vesting.Terms) vesting.Award {
	award := vesting.Award{Quantity: c.Quantity, GrantDate: c.GrantDate, Start: c.VestingStart}
	told := slices.ContainsFunc(c.Happenings, func(h vesting.Happening) bool {
		return slices.ContainsFunc(terms.Conditions, func(condition vesting.Condition) bool {
			return condition.When.Kind == vesting.AtStart && (condition.ID == h.Condition || condition.When.Event == h.Condition)
		})
	})
	if award.Start.IsZero() && !told {
		award.Start = c.GrantDate
	}
	return award
}
