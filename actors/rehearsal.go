package actors

import (
	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// rehearse answers a dry run or a command without events. It applies the events to a private copy of the state.
func rehearse(state *organization.State, sequence uint64, m *messages.Command, events []organization.Event) *messages.Reply {
	trial := state.Copy()
	stamp := captable.Stamp{Sequence: sequence, At: captable.InstantOf(m.At), By: m.By}
	for _, event := range events {
		stamp.Sequence++
		trial.Apply(event, stamp)
	}
	reply := &messages.Reply{Sequence: sequence, Events: events, Result: resultOf(m, events, trial)}
	if m.DryRun {
		reply.Trial = &messages.Trial{Before: state.Copy(), After: trial}
	}
	return reply
}
