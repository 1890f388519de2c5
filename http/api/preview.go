package api

import (
	"context"
	"encoding/json"

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
	// Details are the arguments of the request in words.
	Details []Detail `json:"details,omitempty"`
}

type previewEvent struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
	// AuthorGains reports that the caller gains by the event.
	AuthorGains bool `json:"authorGains,omitempty"`
}

// Preview returns the events of a dry run, its effects on the cap table for callers who may view it, and the record
// that the request would have returned, if the caller passes it.
func (s *Kernel) Preview(c *Call, reply messages.Reply, record ...any) Answer {
	told := preview{
		DryRun: true, Sequence: reply.Sequence, Events: make([]previewEvent, 0, len(reply.Events)), Effects: s.effects.of(c, reply),
	}
	gains := func(organization.Event) bool { return false }
	if reply.Trial != nil {
		gains = reply.Trial.After.Author(c.Caller.User).Gains
	}
	for _, event := range reply.Events {
		told.Events = append(told.Events, previewEvent{event.EventType(), c.previewed(event), gains(event)})
	}
	if len(record) > 0 {
		told.Record = record[0]
	}
	return Answer{Record: told, Private: true}
}

// described adds the arguments of the request to the preview of a change. Other answers remain as they are.
func (s *Describer) described(ctx context.Context, c *Call, answer Answer, failure error) (Answer, error) {
	made, previewed := answer.Record.(preview)
	if failure != nil || !previewed {
		return answer, failure
	}
	var err error
	if made.Details, err = s.Details(ctx, c); err != nil {
		return Answer{}, err
	}
	answer.Record = made
	return answer, nil
}
