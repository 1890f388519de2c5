package actors

import (
	"encoding/json"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// payloadOf returns the event's JSON. Events are plain data, so an encoding error is a
// broken invariant.
func payloadOf(event organization.Event) []byte {
	payload, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	return payload
}

// recordsOf returns the affected records of the events as in the state, each once.
func recordsOf(events []organization.Event, state *organization.State) []any {
	if len(events) == 1 {
		return events[0].Records(state)
	}
	var all []any
	seen := map[any]bool{}
	for _, event := range events {
		for _, record := range event.Records(state) {
			if configuration, is := record.(captable.Configuration); is {
				all = append(all, configuration)
			} else if !seen[record] {
				seen[record] = true
				all = append(all, record)
			}
		}
	}
	return all
}

// expected refuses a command that was based on other members or on another version of
// the record.
func expected(state *organization.State, m *messages.Command) error {
	if m.MembersAsOf != 0 && m.MembersAsOf < state.MembersVersion() {
		return messages.ErrMembersMoved
	}
	e := m.Expect
	if e == nil {
		return nil
	}
	version, found := versionOf(state, e.Record)
	if !found || version == e.Version {
		return nil // the command itself refuses a missing record
	}
	return captable.Refuse(captable.CodeStale, "The record was changed since it was read.")
}

// versionOf returns the version of the identified record, or false if it does not exist.
func versionOf(state *organization.State, record any) (uint64, bool) {
	table := state.Table()
	switch id := record.(type) {
	case captable.SecurityID:
		return revision(table.Security(id))
	case captable.LegendID:
		return revision(table.Legend(id))
	case captable.ShareholdingID:
		return revision(table.Shareholding(id))
	case captable.ValuationID:
		return revision(table.Valuation(id))
	case captable.CapitalChangeID:
		return revision(table.CapitalChange(id))
	case captable.BlockID:
		return revision(table.Block(id))
	case captable.GrantID:
		return revision(table.Grant(id))
	case captable.InstrumentID:
		return revision(table.Instrument(id))
	case captable.PlanID:
		return revision(table.Plan(id))
	case captable.VestingScheduleID:
		return revision(table.VestingSchedule(id))
	case organization.RoleID:
		return revision(state.Role(id))
	case organization.MemberID:
		return revision(state.Member(id))
	case captable.Configuration:
		return table.ConfigurationVersion(), true
	case organization.ID:
		return state.Meta().Version, true
	}
	return 0, false
}

func revision[R interface{ Revision() uint64 }](record R, found bool) (uint64, bool) {
	if !found {
		return 0, false
	}
	return record.Revision(), true
}
