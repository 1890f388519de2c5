package captable

import (
	"errors"
	"strings"

	"equity/captable/vesting"
)

// VestingScheduleTerms are the fields of a vesting schedule that its owners set.
type VestingScheduleTerms struct {
	// Name is unique, whatever its case, among the schedules that have no successor.
	Name string `json:"name"`
	vesting.Scheme
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// VestingSchedule says how grants and shares vest. Its terms never change: another
// schedule succeeds it, and what was granted under it keeps it.
type VestingSchedule struct {
	ID VestingScheduleID `json:"id"`
	VestingScheduleTerms
	// Successor is the schedule that took its place; none while it is the current one.
	Successor VestingScheduleID `json:"successor,omitzero"`
	Meta
}

// Project gives the instalments of an award by the schedule, with what has happened.
// The error is of type [vesting.Faults].
func (v *VestingSchedule) Project(award vesting.Award, happenings []vesting.Happening) (vesting.Schedule, error) {
	terms, err := v.Compile()
	if err != nil {
		return nil, err
	}
	return vesting.Project(award, terms, happenings)
}

// VestingSchedule finds a vesting schedule, one with a successor too.
func (s *State) VestingSchedule(id VestingScheduleID) (*VestingSchedule, bool) {
	return s.vestingSchedules.Get(id)
}

// VestingScheduleOf finds the vesting schedule that a text means: the id of one, or the
// name of one without a successor, in any case.
func (s *State) VestingScheduleOf(text string) (*VestingSchedule, bool) {
	if text == "" {
		return nil, false
	}
	if id, err := ParseID[VestingSchedule](text); err == nil {
		return s.VestingSchedule(id)
	}
	schedule := s.vestingScheduleNamed(strings.TrimSpace(text))
	return schedule, schedule != nil
}

func (s *State) vestingSchedule(id VestingScheduleID) (*VestingSchedule, error) {
	if schedule, ok := s.VestingSchedule(id); ok {
		return schedule, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such vesting schedule.")
}

// vestingScheduleNamed finds the current schedule with the name.
func (s *State) vestingScheduleNamed(name string) *VestingSchedule {
	for schedule := range s.VestingSchedules() {
		if schedule.Successor.IsZero() && strings.EqualFold(schedule.Name, name) {
			return schedule
		}
	}
	return nil
}

// vestingLink gives the schedule that a record names as it is kept: by its id, however
// it was named. One that there is none of is a fault.
func (s *State) vestingLink(faults *Faults, pointer, text string) string {
	if text == "" {
		return ""
	}
	schedule, known := s.VestingScheduleOf(text)
	if !known {
		faults.Add(pointer, "unknownReference", "There is no such vesting schedule.")
		return text
	}
	return schedule.ID.String()
}

// vestingFaults notes what package vesting found wrong with a value that stands at the
// pointer of the command.
func (f *Faults) vestingFaults(pointer string, err error) {
	var wrong vesting.Faults
	if !errors.As(err, &wrong) {
		return
	}
	for _, fault := range wrong {
		f.Add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
