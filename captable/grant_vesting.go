package captable

import (
	"slices"

	"equity/captable/vesting"
)

// The commands that change the vesting of a grant.
type (
	// HappenGrant records the occurrence of a vesting event or milestone.
	HappenGrant struct {
		ID GrantID `json:"-"`
		vesting.Happening
		Source *Source `json:"-"`
	}
	// AccelerateGrant vests a part of the grant ahead of its schedule.
	AccelerateGrant struct {
		ID GrantID `json:"-"`
		// Quantity defaults to the unvested quantity.
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		Reason   string   `json:"reason,omitempty"`
		Source   *Source  `json:"-"`
	}
)

// OptionVestingChanged records a change of the vesting of a grant.
type OptionVestingChanged struct {
	ID           GrantID            `json:"id"`
	Happening    *vesting.Happening `json:"happening,omitempty"`
	Acceleration *vesting.Vesting   `json:"acceleration,omitempty"`
	Reason       string             `json:"reason,omitempty"`
	Source       *Source            `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (OptionVestingChanged) EventType() string { return "optionVestingChanged" }

// Creates returns nil.
func (OptionVestingChanged) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionVestingChanged) Records(s *State) []any { return records(s.Grant(e.ID)) }

func (c HappenGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.vestingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	m.checkDate(&faults, "/date", c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	next := *grant
	next.Happenings = []vesting.Happening{c.Happening}
	if next.vestingFaults(&faults); len(faults) > 0 { // faults of the occurrence alone point at the fields of the body
		return nil, faults.within("/happenings/0").Err()
	}
	next.Happenings = append(slices.Clone(grant.Happenings), c.Happening)
	if next.vestingFaults(&faults); len(faults) > 0 {
		return nil, Refuse(CodeConflict, faults[0].Message)
	}
	happening := c.Happening
	return []Event{OptionVestingChanged{ID: c.ID, Happening: &happening, Source: c.Source}}, nil
}

// decide checks an acceleration. The default quantity is the whole unvested quantity. The dates of
// the instalments do not change; the vesting only ends sooner.
func (c AccelerateGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.vestingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	s.checkTaking(&faults, m, grant, c.Date)
	security, _ := s.Security(grant.Security)
	if c.Quantity != nil {
		checkShares(&faults, "/quantity", *c.Quantity, security)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	unvested := grant.On(c.Date).Unvested
	if c.Quantity == nil {
		c.Quantity = &unvested
	}
	if unvested.IsZero() {
		return nil, Refuse(CodeConflict, "Everything has vested by that day.").With("vested", grant.On(c.Date).Vested.String())
	}
	if unvested.Cmp(*c.Quantity) < 0 {
		return nil, insufficient("Less than that has not vested.", AuthorizedOf(unvested), *c.Quantity)
	}
	acceleration := vesting.Vesting{Date: c.Date, Quantity: *c.Quantity}
	return []Event{OptionVestingChanged{ID: c.ID, Acceleration: &acceleration, Reason: c.Reason, Source: c.Source}}, nil
}

// vestingGrant returns a grant that may still vest.
func (s *State) vestingGrant(id GrantID) (*Grant, error) {
	grant, err := s.grant(id)
	switch {
	case err != nil:
		return nil, err
	case grant.undone():
		return nil, Refuse(CodeConflict, "The grant was undone.").With("status", string(grant.Status))
	case grant.Termination != nil:
		return nil, Refuse(CodeConflict, "The holder's service has ended: nothing vests any more.").With("date", grant.Termination.Date.String())
	}
	return grant, nil
}

func (e OptionVestingChanged) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		if e.Happening != nil {
			g.Happenings = append(slices.Clip(g.Happenings), *e.Happening)
		}
		if e.Acceleration != nil {
			g.Accelerations = append(slices.Clip(g.Accelerations), *e.Acceleration)
		}
	})
}
