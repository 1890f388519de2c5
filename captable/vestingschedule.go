package captable

import (
	"errors"
	"strings"

	"equity/captable/vesting"
)

// VestingScheduleTerms are the fields of a vesting schedule that its owners set.
type VestingScheduleTerms struct {
	// Name is unique among the schedules without a successor, regardless of case.
	Name string `json:"name"`
	vesting.Scheme
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// VestingSchedule contains the conditions and instalments by which grants and shares vest. Its
// terms never change. A successor replaces it for new grants; existing grants keep it.
type VestingSchedule struct {
	ID VestingScheduleID `json:"id"`
	VestingScheduleTerms
	// Successor is the schedule that replaced it; zero for a current schedule.
	Successor VestingScheduleID `json:"successor,omitzero"`
	Meta
}

// Project returns the instalments of an award by the schedule, given the happenings. The error is
// of type [vesting.Faults].
func (v *VestingSchedule) Project(award vesting.Award, happenings []vesting.Happening) (vesting.Schedule, error) {
	terms, err := v.Compile()
	if err != nil {
		return nil, err
	}
	return vesting.Project(award, terms, happenings)
}

// VestingSchedule returns the vesting schedule with the id, including schedules with a successor.
func (s *State) VestingSchedule(id VestingScheduleID) (*VestingSchedule, bool) {
	return s.schedules.records.Get(id)
}

// VestingScheduleOf returns the vesting schedule with the given id, or the current schedule with
// the given name, regardless of case.
func (s *State) VestingScheduleOf(text string) (*VestingSchedule, bool) { return s.schedules.of(text) }

func (r *scheduleRegister) of(text string) (*VestingSchedule, bool) {
	if text == "" {
		return nil, false
	}
	if id, err := ParseID[VestingSchedule](text); err == nil {
		return r.records.Get(id)
	}
	schedule := r.named(strings.TrimSpace(text))
	return schedule, schedule != nil
}

func (r *scheduleRegister) schedule(id VestingScheduleID) (*VestingSchedule, error) {
	if schedule, ok := r.records.Get(id); ok {
		return schedule, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such vesting schedule.")
}

// named returns the current schedule with the name, or nil.
func (r *scheduleRegister) named(name string) *VestingSchedule {
	for schedule := range r.records.All() {
		if schedule.Successor.IsZero() && strings.EqualFold(schedule.Name, name) {
			return schedule
		}
	}
	return nil
}

// link returns the id of the schedule with the given id or name. It adds a fault if there
// is no such schedule.
func (r *scheduleRegister) link(faults *Faults, pointer, text string) string {
	if text == "" {
		return ""
	}
	schedule, known := r.of(text)
	if !known {
		faults.Add(pointer, "unknownReference", "There is no such vesting schedule.")
		return text
	}
	return schedule.ID.String()
}

// vestingFaults adds the faults that package vesting found in the value at the pointer.
func (f *Faults) vestingFaults(pointer string, err error) {
	var wrong vesting.Faults
	if !errors.As(err, &wrong) {
		return
	}
	for _, fault := range wrong {
		f.Add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
