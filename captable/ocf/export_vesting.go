package ocf

import (
	"equity/captable"
	"equity/captable/vesting"
)

// schedule is a vesting schedule as created. It is immutable: a successor is a separate
// schedule.
type schedule struct {
	place  place
	source *captable.Source
	terms  captable.VestingScheduleTerms
	id     string
}

type vestingObject struct {
	ID          string            `json:"id"`
	Type        string            `json:"object_type"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Allocation  string            `json:"allocation_type"`
	Conditions  []conditionObject `json:"vesting_conditions"`
	Comments    []string          `json:"comments,omitempty"`
}

func (x *Exporter) scheduled(id captable.VestingScheduleID, terms captable.VestingScheduleTerms, source *captable.Source) {
	x.schedules[id] = &schedule{
		place: x.place(source), source: source, terms: terms, id: x.name(typeVesting, terms.ExternalID, id.String()),
	}
}

// addSchedules writes the vesting schedules. The format requires a description, which is the
// name of the schedule.
func (e *export) addSchedules() {
	for _, s := range e.schedules {
		if s.source != nil {
			e.add(fileVesting, s.place, s.source.Object)
			continue
		}
		terms, err := s.terms.Compile()
		if err != nil {
			continue // unreachable: terms are validated at creation
		}
		e.add(fileVesting, s.place, recordOf(vestingObject{
			s.id, typeVesting, s.terms.Name, s.terms.Name, string(terms.Allocation), conditionsOf(terms), s.terms.Comments,
		}).json())
	}
}

// scheduleID returns the export id of a schedule, or an empty string if the text is not the
// id of a schedule.
func (x *Exporter) scheduleID(text string) string {
	id, err := captable.ParseID[captable.VestingSchedule](text)
	if s := x.schedules[id]; err == nil && s != nil {
		return s.id
	}
	return ""
}

// vestingStart is a transaction that starts a vesting condition of a security.
type vestingStart struct {
	transactionObject
	Condition string   `json:"vesting_condition_id"`
	Comments  []string `json:"comments,omitempty"`
}

// addStart writes the vesting start of shares that were not imported.
func (e *export) addStart(h *holding) {
	condition := e.startOf(h.now.VestingSchedule)
	if h.source == nil && condition != "" && !h.now.VestingStart.IsZero() && e.happened(h.now.VestingStart) {
		e.add(fileTransactions, h.place, recordOf(vestingStart{
			transactionObject{h.now.ID.String() + "-vesting", typeVestingStart, h.now.VestingStart, h.id}, condition, nil,
		}).json())
	}
}

// startOf returns the condition of a schedule that the vesting start triggers, or an empty
// string if it has no such condition.
func (x *Exporter) startOf(text string) string {
	id, err := captable.ParseID[captable.VestingSchedule](text)
	s := x.schedules[id]
	if err != nil || s == nil {
		return ""
	}
	terms, err := s.terms.Compile()
	if err != nil {
		return "" // unreachable: terms are validated at creation
	}
	return startIn(&terms)
}

// startIn returns the condition of a graph that the vesting start triggers, or an empty
// string.
func startIn(terms *vesting.Terms) string {
	if terms == nil {
		return ""
	}
	for i := range terms.Conditions {
		if terms.Conditions[i].When.Kind == vesting.AtStart {
			return terms.Conditions[i].ID
		}
	}
	return ""
}
