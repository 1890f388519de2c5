package assistant

import (
	"context"
	"encoding/json"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

// stepKind types the ids of steps.
type stepKind struct{}

// decided is the JSON form of a decision.
type decided struct {
	StepID              captable.ID[stepKind] `json:"stepId"`
	Status              messages.StepStatus   `json:"status"`
	ConfirmationsNeeded int                   `json:"confirmationsNeeded"`
	Result              *result               `json:"result,omitempty"`
	Next                *step                 `json:"next,omitempty"`
	Response            string                `json:"response"`
}

type result struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// confirm decides about a step.
func (s base) confirm(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		StepID    captable.ID[stepKind] `json:"stepId"`
		Confirmed bool                  `json:"confirmed"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.Changes.Step(ctx, c.Caller.User, messages.AgentID(given.StepID))
	if err != nil {
		return api.Answer{}, err
	}
	by := s.user(c, found.Organization, found.Conversation)
	decision, err := s.Changes.Confirm(ctx, by, found.ID, given.Confirmed, c.IdempotencyKey())
	if err != nil {
		return api.Answer{}, err
	}
	shown := decided{
		StepID: given.StepID, Status: decision.Step.Status, ConfirmationsNeeded: s.Changes.Remaining(decision.Step),
		Response: outcome(decision),
	}
	if decision.Result != nil {
		shown.Result = &result{decision.Result.Status, decision.Result.Body}
	}
	if decision.Next != nil {
		next := s.showStep(*decision.Next)
		shown.Next = &next
	}
	return api.Answer{Record: shown, Private: true}, nil
}

// steps returns the steps that the caller can decide about.
func (s base) steps(ctx context.Context, c *api.Call) (api.Answer, error) {
	read := func(page messages.PageQuery) ([]messages.Step, error) {
		return s.Steps.DecidedBy(ctx, c.Caller.User, c.Caller.Session, c.At, page)
	}
	page, err := api.StoredPage(c, read, func(step messages.Step) messages.RecordKey { return messages.RecordKey{ID: step.ID} }, s.showStep)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, 1, page)
}

// outcome returns a sentence about the state of a step.
func outcome(d messages.StepDecision) string {
	switch d.Step.Status {
	case messages.StepExecuted:
		return "The change is recorded."
	case messages.StepRejected:
		return "The change is rejected. Nothing was recorded."
	case messages.StepConfirmedOnce:
		return "The change is destructive. Confirm it once more."
	case messages.StepSuperseded:
		return "The organization changed after the preview. Nothing was recorded. Check the new preview."
	case messages.StepFailed:
		return "The change was refused. Nothing was recorded."
	case messages.StepTaken, messages.StepPending, messages.StepExpired:
	}
	return "The change is confirmed, but its outcome is not known yet. The server carries it out again within minutes. Confirm it again to see the result."
}
