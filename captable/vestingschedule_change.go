package captable

import (
	"slices"
	"strings"
)

// VestingScheduleCreated records a new vesting schedule.
type VestingScheduleCreated struct {
	ID     VestingScheduleID    `json:"id"`
	Terms  VestingScheduleTerms `json:"terms"`
	Source *Source              `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (VestingScheduleCreated) EventType() string { return "vestingScheduleCreated" }

// Creates returns the vesting schedule.
func (e VestingScheduleCreated) Creates() []Created { return []Created{{e.ID, kindVestingSchedule}} }

// Records returns the vesting schedule.
func (e VestingScheduleCreated) Records(s *State) []any { return records(s.VestingSchedule(e.ID)) }

// VestingScheduleSuperseded records the successor of a schedule. The successor replaces it in the
// lists of plans. Existing grants and shares keep the old schedule.
type VestingScheduleSuperseded struct {
	ID    VestingScheduleID    `json:"id"`
	Old   VestingScheduleID    `json:"old"`
	Terms VestingScheduleTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (VestingScheduleSuperseded) EventType() string { return "vestingScheduleSuperseded" }

// Creates returns the successor.
func (e VestingScheduleSuperseded) Creates() []Created {
	return []Created{{e.ID, kindVestingSchedule}}
}

// Records returns the successor, then the superseded schedule.
func (e VestingScheduleSuperseded) Records(s *State) []any {
	return append(records(s.VestingSchedule(e.ID)), records(s.VestingSchedule(e.Old))...)
}

// VestingScheduleDeleted records the deletion of an unused schedule, including its entries in the
// lists of plans. Its predecessor becomes current again.
type VestingScheduleDeleted struct {
	ID VestingScheduleID `json:"id"`
}

// EventType returns the name of the event in the journal.
func (VestingScheduleDeleted) EventType() string { return "vestingScheduleDeleted" }

// Creates returns nil: the event creates no record.
func (VestingScheduleDeleted) Creates() []Created { return nil }

// Records returns nil: the vesting schedule is deleted.
func (VestingScheduleDeleted) Records(*State) []any { return nil }

// CreateVestingSchedule is the command to create a vesting schedule.
type CreateVestingSchedule struct {
	VestingScheduleTerms
	Source *Source `json:"-"`
}

// SupersedeVestingSchedule is the command to replace a schedule by a successor with other terms.
type SupersedeVestingSchedule struct {
	Old VestingScheduleID `json:"-"`
	VestingScheduleTerms
}

// DeleteVestingSchedule is the command to delete an unused schedule. Plan is a plan that lists
// it.
type DeleteVestingSchedule struct {
	Plan PlanID
	ID   VestingScheduleID
}

func (c CreateVestingSchedule) decide(s *State, m Moment) ([]Event, error) {
	terms, err := c.checked(s, VestingScheduleID{})
	if err != nil {
		return nil, err
	}
	return []Event{VestingScheduleCreated{ID: m.NewID(), Terms: terms, Source: c.Source}}, nil
}

// decide creates the successor of a schedule for new grants. Existing grants keep their schedule,
// and a schedule has at most one successor.
func (c SupersedeVestingSchedule) decide(s *State, m Moment) ([]Event, error) {
	old, err := s.vestingSchedule(c.Old)
	if err != nil {
		return nil, err
	}
	if !old.Successor.IsZero() {
		return nil, Refuse(CodeConflict, "The vesting schedule has a successor already.").With("successor", old.Successor.String())
	}
	terms, err := c.checked(s, c.Old)
	if err != nil {
		return nil, err
	}
	return []Event{VestingScheduleSuperseded{ID: m.NewID(), Old: c.Old, Terms: terms}}, nil
}

// decide deletes an unused schedule, also from the lists of plans.
func (c DeleteVestingSchedule) decide(s *State, _ Moment) ([]Event, error) {
	plan, err := s.plan(c.Plan)
	if err != nil {
		return nil, err
	}
	schedule, err := s.vestingSchedule(c.ID)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(plan.VestingSchedules, c.ID.String()) {
		return nil, Refuse(CodeNotFound, "The plan has no such vesting schedule.")
	}
	if err := s.vestsBy(c.Plan, schedule); err != nil {
		return nil, err
	}
	return []Event{VestingScheduleDeleted{ID: c.ID}}, nil
}

// vestsBy returns an error if shares or grants vest by the schedule, if a plan other than the
// given one lists it, or if another schedule has taken the name of its predecessor.
func (s *State) vestsBy(plan PlanID, schedule *VestingSchedule) error {
	id := schedule.ID.String()
	for h := range s.Shareholdings() {
		if h.VestingSchedule == id {
			return Refuse(CodeInUse, "Shares vest by this schedule.").With("shareholding", h.ID.String())
		}
	}
	for grant := range s.Grants() {
		if grant.VestingSchedule == id {
			return Refuse(CodeInUse, "A grant vests by this schedule.").With("option", grant.ID.String())
		}
	}
	for other := range s.Plans() {
		if other.ID != plan && slices.Contains(other.VestingSchedules, id) {
			return Refuse(CodeInUse, "Another plan has this vesting schedule.").With("plan", other.ID.String())
		}
	}
	old, succeeds := s.predecessor(schedule.ID)
	if !succeeds || !schedule.Successor.IsZero() {
		return nil
	}
	if taken := s.vestingScheduleNamed(old.Name); taken != nil && taken.ID != schedule.ID {
		return Refuse(CodeConflict, "The schedule that this one succeeded would be current again, and another has its name.").
			With("vestingSchedule", taken.ID.String())
	}
	return nil
}

// predecessor returns the schedule whose successor has the id.
func (s *State) predecessor(id VestingScheduleID) (*VestingSchedule, bool) {
	for schedule := range s.VestingSchedules() {
		if schedule.Successor == id {
			return schedule, true
		}
	}
	return nil, false
}

// checked returns the normalized terms, or an error with the invalid fields. The old id is that
// of the superseded schedule; zero for a new schedule.
func (t VestingScheduleTerms) checked(s *State, old VestingScheduleID) (VestingScheduleTerms, error) {
	t.Name = strings.TrimSpace(t.Name)
	var faults Faults
	if t.Name == "" {
		faults.Add("/name", "required", "A vesting schedule has a name.")
	}
	_, err := t.Compile()
	faults.vestingFaults("", err)
	if err := faults.Err(); err != nil {
		return t, err
	}
	if other := s.vestingScheduleNamed(t.Name); other != nil && other.ID != old {
		return t, Refuse(CodeConflict, "Another vesting schedule has this name.").With("vestingSchedule", other.ID.String())
	}
	return t, s.unusedExternalID(kindVestingSchedule, t.ExternalID, old)
}

func (e VestingScheduleCreated) apply(s *State, stamp Stamp) {
	s.vestingSchedules.Set(e.ID, &VestingSchedule{ID: e.ID, VestingScheduleTerms: e.Terms, Meta: NewMeta(stamp)})
	s.setExternalID(kindVestingSchedule, "", e.Terms.ExternalID, e.ID)
}

func (e VestingScheduleSuperseded) apply(s *State, stamp Stamp) {
	s.changeVestingSchedule(e.Old, stamp, func(old *VestingSchedule) {
		old.Successor = e.ID
		if old.ExternalID == e.Terms.ExternalID { // the external id moves to the successor
			old.ExternalID = ""
		}
	})
	VestingScheduleCreated{ID: e.ID, Terms: e.Terms}.apply(s, stamp)
	s.relist(e.Old, e.ID, stamp)
}

func (e VestingScheduleDeleted) apply(s *State, stamp Stamp) {
	gone, ok := s.VestingSchedule(e.ID)
	if !ok {
		return
	}
	if old, succeeds := s.predecessor(e.ID); succeeds {
		s.changeVestingSchedule(old.ID, stamp, func(old *VestingSchedule) { old.Successor = gone.Successor })
	}
	s.setExternalID(kindVestingSchedule, gone.ExternalID, "", e.ID)
	s.vestingSchedules.Delete(e.ID)
	s.relist(e.ID, VestingScheduleID{}, stamp)
}

func (s *State) changeVestingSchedule(id VestingScheduleID, stamp Stamp, change func(*VestingSchedule)) {
	touch(s.vestingSchedules, id, stamp, change)
}

// relist replaces a schedule by another one in the lists of all plans. It removes the schedule if
// the new id is zero.
func (s *State) relist(old, now VestingScheduleID, stamp Stamp) {
	var changed []*Plan
	for plan := range s.Plans() {
		at := slices.Index(plan.VestingSchedules, old.String())
		if at < 0 {
			continue
		}
		next := *plan
		next.VestingSchedules = slices.Clone(plan.VestingSchedules)
		if now.IsZero() {
			next.VestingSchedules = slices.Delete(next.VestingSchedules, at, at+1)
		} else {
			next.VestingSchedules[at] = now.String()
		}
		next.Touch(stamp)
		changed = append(changed, &next)
	}
	for _, plan := range changed {
		s.plans.Set(plan.ID, plan)
	}
}
