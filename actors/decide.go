package actors

import (
	"encoding/json"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// payloadOf gives the event's JSON. Events are plain data; one that cannot be
// written is a broken invariant.
func payloadOf(event organization.Event) []byte {
	payload, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	return payload
}

// recordsOf gives each record once that the events touched, as it is in the state.
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

// expected refuses a command whose caller had seen other members, or another version of
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
		return nil // what is not there is refused by the command itself
	}
	return captable.Refuse(captable.CodeStale, "The record was changed since it was read.")
}

func versionOf(state *organization.State, record any) (uint64, bool) {
	switch id := record.(type) {
	case captable.SecurityID:
		if security, ok := state.Table().Security(id); ok {
			return security.Version, true
		}
	case captable.LegendID:
		if legend, ok := state.Table().Legend(id); ok {
			return legend.Version, true
		}
	case captable.ShareholdingID:
		if shareholding, ok := state.Table().Shareholding(id); ok {
			return shareholding.Version, true
		}
	case captable.ValuationID:
		if valuation, ok := state.Table().Valuation(id); ok {
			return valuation.Version, true
		}
	case captable.CapitalChangeID:
		if change, ok := state.Table().CapitalChange(id); ok {
			return change.Version, true
		}
	case captable.BlockID:
		if block, ok := state.Table().Block(id); ok {
			return block.Version, true
		}
	case captable.GrantID:
		if grant, ok := state.Table().Grant(id); ok {
			return grant.Version, true
		}
	case captable.InstrumentID:
		if held, ok := state.Table().Instrument(id); ok {
			return held.Version, true
		}
	case captable.PlanID:
		if plan, ok := state.Table().Plan(id); ok {
			return plan.Version, true
		}
	case captable.VestingScheduleID:
		if schedule, ok := state.Table().VestingSchedule(id); ok {
			return schedule.Version, true
		}
	case organization.RoleID:
		if role, ok := state.Role(id); ok {
			return role.Version, true
		}
	case organization.MemberID:
		if member, ok := state.Member(id); ok {
			return member.Version, true
		}
	case captable.Configuration:
		return state.Table().ConfigurationVersion(), true
	case organization.ID:
		return state.Meta().Version, true
	}
	return 0, false
}
