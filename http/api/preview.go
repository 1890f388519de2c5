package api

import (
	"equity/captable/effect"
	"equity/messages"
	"equity/organization"
)

// preview is the JSON form of a dry run.
type preview struct {
	DryRun   bool            `json:"dryRun"`
	Sequence uint64          `json:"sequence"`
	Events   []previewEvent  `json:"events"`
	Record   any             `json:"record,omitempty"`
	Effects  *effect.Effects `json:"effects,omitempty"`
}

type previewEvent struct {
	Type string             `json:"type"`
	Data organization.Event `json:"data"`
}

// Preview returns the events of a dry run, its effects on the cap table for callers who may view it, and the record
// that the request would have returned, if the caller passes it.
func (s *Kernel) Preview(c *Call, reply messages.Reply, record ...any) Answer {
	told := preview{
		DryRun: true, Sequence: reply.Sequence, Events: make([]previewEvent, 0, len(reply.Events)), Effects: s.effects.of(c, reply),
	}
	for _, event := range reply.Events {
		told.Events = append(told.Events, previewEvent{event.EventType(), event})
	}
	if len(record) > 0 {
		told.Record = record[0]
	}
	return Answer{Record: told, Private: true}
}
