package captable

import (
	"slices"

	"equity/captable/vesting"
)

// ProjectVesting is a request for the vesting of a planned grant.
type ProjectVesting struct {
	Quantity  Decimal `json:"quantity"`
	GrantDate Date    `json:"grantDate"`
	// VestingStart defaults to the grant date, unless a happening states the start.
	VestingStart Date `json:"vestingStart,omitzero"`
	// Schedule is the schedule itself; nil if the request refers to a stored one.
	Schedule   *vesting.Scheme     `json:"schedule,omitempty"`
	Happenings []vesting.Happening `json:"happenings,omitempty"`
}

// Projection is the vesting of a grant, with the vested quantity on a day.
type Projection struct {
	AsOf         Date             `json:"asOf"`
	Installments vesting.Schedule `json:"installments"`
	Vested       Decimal          `json:"vested"`
	// Unvested is the rest of the grant, including any part without an instalment.
	Unvested Decimal `json:"unvested"`
}

// On returns the projection as of the day. It uses the stored schedule, or that of the request if
// kept is nil. The error is an [Error] with every invalid field.
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

// award returns the grant. Its vesting starts on the grant date unless the request states the
// start.
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
