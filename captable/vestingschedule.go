package captable

import (
	"errors"
	"slices"
	"strings"

	"equity/captable/vesting"
	"equity/fault"
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
// terms never change. A successor replaces it for new grants; existing grants keep it. See ruling 14.
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
	return nil, fault.Refuse(fault.NotFound, "There is no such vesting schedule.")
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
func (r *scheduleRegister) link(faults *fault.Fields, pointer, text string) string {
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

// addVestingFaults adds the faults that package vesting found in the value at the pointer.
func addVestingFaults(f *fault.Fields, pointer string, err error) {
	var wrong vesting.Faults
	if !errors.As(err, &wrong) {
		return
	}
	for _, problem := range wrong {
		f.Add(pointer+problem.Pointer, problem.Code, problem.Message)
	}
}

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

func (c CreateVestingSchedule) decide(s *State, m DecideContext) ([]Event, error) {
	terms, err := c.checked(s, VestingScheduleID{})
	if err != nil {
		return nil, err
	}
	return []Event{VestingScheduleCreated{ID: m.NewID(), Terms: terms, Source: c.Source}}, nil
}

// decide creates the successor of a schedule for new grants. Existing grants keep their schedule,
// and a schedule has at most one successor.
func (c SupersedeVestingSchedule) decide(s *State, m DecideContext) ([]Event, error) {
	old, err := s.schedules.schedule(c.Old)
	if err != nil {
		return nil, err
	}
	if !old.Successor.IsZero() {
		return nil, fault.Refuse(fault.Conflict, "The vesting schedule already has a successor. Change that one instead.").With("successor", old.Successor.String())
	}
	terms, err := c.checked(s, c.Old)
	if err != nil {
		return nil, err
	}
	return []Event{VestingScheduleSuperseded{ID: m.NewID(), Old: c.Old, Terms: terms}}, nil
}

// decide deletes an unused schedule, also from the lists of plans.
func (c DeleteVestingSchedule) decide(s *State, _ DecideContext) ([]Event, error) {
	plan, err := s.plans.plan(c.Plan)
	if err != nil {
		return nil, err
	}
	schedule, err := s.schedules.schedule(c.ID)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(plan.VestingSchedules, c.ID.String()) {
		return nil, fault.Refuse(fault.NotFound, "The plan has no such vesting schedule.")
	}
	if err := checkPlanSchedule(s, c.Plan, schedule); err != nil {
		return nil, err
	}
	return []Event{VestingScheduleDeleted{ID: c.ID}}, nil
}

// checkPlanSchedule returns an error if shares or grants vest by the schedule, if a plan other than
// the given one lists it, or if another schedule has taken the name of its predecessor.
func checkPlanSchedule(s *State, plan PlanID, schedule *VestingSchedule) error {
	id := schedule.ID.String()
	for h := range s.Shareholdings() {
		if h.VestingSchedule == id {
			return fault.Refuse(fault.InUse, "The vesting schedule is used by a shareholding. Remove it there first.").With("shareholding", h.ID.String())
		}
	}
	for grant := range s.Grants() {
		if grant.VestingSchedule == id {
			return fault.Refuse(fault.InUse, "The vesting schedule is used by a grant. Remove it there first.").With("option", grant.ID.String())
		}
	}
	for other := range s.Plans() {
		if other.ID != plan && slices.Contains(other.VestingSchedules, id) {
			return fault.Refuse(fault.InUse, "The vesting schedule is used by another plan. Remove it there first.").With("plan", other.ID.String())
		}
	}
	old, succeeds := s.schedules.predecessor(schedule.ID)
	if !succeeds || !schedule.Successor.IsZero() {
		return nil
	}
	if taken := s.schedules.named(old.Name); taken != nil && taken.ID != schedule.ID {
		return fault.Refuse(fault.Conflict, "The predecessor would be current again, but another vesting schedule has its name. Rename that one first.").
			With("vestingSchedule", taken.ID.String())
	}
	return nil
}

// predecessor returns the schedule whose successor has the id.
func (r *scheduleRegister) predecessor(id VestingScheduleID) (*VestingSchedule, bool) {
	for schedule := range r.records.All() {
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
	var faults fault.Fields
	if t.Name == "" {
		faults.Add("/name", "required", "The name of the vesting schedule is required.")
	}
	_, err := t.Compile()
	addVestingFaults(&faults, "", err)
	if err := faults.Err(); err != nil {
		return t, err
	}
	if other := s.schedules.named(t.Name); other != nil && other.ID != old {
		return t, fault.Refuse(fault.Conflict, "Another vesting schedule has this name. Choose another name.").With("vestingSchedule", other.ID.String())
	}
	return t, s.externalIDs.checkUnused(kindVestingSchedule, t.ExternalID, old)
}

func (e VestingScheduleCreated) apply(s *State, stamp Stamp) {
	s.schedules.records.Set(e.ID, &VestingSchedule{ID: e.ID, VestingScheduleTerms: e.Terms, Meta: NewMeta(stamp)})
	s.externalIDs.set(kindVestingSchedule, "", e.Terms.ExternalID, e.ID)
}

func (e VestingScheduleSuperseded) apply(s *State, stamp Stamp) {
	s.schedules.change(e.Old, stamp, func(old *VestingSchedule) {
		old.Successor = e.ID
		if old.ExternalID == e.Terms.ExternalID { // the external id moves to the successor
			old.ExternalID = ""
		}
	})
	VestingScheduleCreated{ID: e.ID, Terms: e.Terms}.apply(s, stamp)
	s.plans.relist(e.Old, e.ID, stamp)
}

func (e VestingScheduleDeleted) apply(s *State, stamp Stamp) {
	gone, ok := s.VestingSchedule(e.ID)
	if !ok {
		return
	}
	if old, succeeds := s.schedules.predecessor(e.ID); succeeds {
		s.schedules.change(old.ID, stamp, func(old *VestingSchedule) { old.Successor = gone.Successor })
	}
	s.externalIDs.set(kindVestingSchedule, gone.ExternalID, "", e.ID)
	s.schedules.records.Delete(e.ID)
	s.plans.relist(e.ID, VestingScheduleID{}, stamp)
}

func (r *scheduleRegister) change(id VestingScheduleID, stamp Stamp, change func(*VestingSchedule)) {
	touch(r.records, id, stamp, change)
}

// relist replaces a schedule by another one in the lists of all plans. It removes the schedule if
// the new id is zero.
func (r *planRegister) relist(old, now VestingScheduleID, stamp Stamp) {
	var changed []*Plan
	for plan := range r.records.All() {
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
		r.records.Set(plan.ID, plan)
	}
}

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
// kept is nil. The error is an [fault.Error] with every invalid field.
func (c ProjectVesting) On(day Date, kept *VestingSchedule) (Projection, error) {
	var faults fault.Fields
	if c.Quantity.Sign() <= 0 {
		faults.Add("/quantity", "notPositive", "The quantity must be more than zero.")
	}
	scheme := c.Schedule
	if kept != nil {
		scheme = &kept.Scheme
	}
	if scheme == nil {
		faults.Add("/schedule", "required", "A vesting schedule is required, or the id of a stored one.")
		return Projection{}, faults.Err()
	}
	terms, err := scheme.Compile()
	addVestingFaults(&faults, "/schedule", err)
	if err := faults.Err(); err != nil {
		return Projection{}, err
	}
	installments, err := vesting.Project(c.award(terms), terms, c.Happenings)
	addVestingFaults(&faults, "", err)
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
