package assistant

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"equity/messages"
	"equity/organization"
)

// stepKey returns the idempotency key of the command of a step.
func stepKey(id messages.AgentID) string { return "step:" + hex.EncodeToString(id[:]) }

// Step returns a step of the user.
func (s *Changes) Step(ctx context.Context, user organization.UserID, id messages.AgentID) (messages.Step, error) {
	step, err := s.steps.Find(ctx, user, id)
	return step, messages.Unavailable(ctx, "find step", err)
}

// Remaining returns the number of confirmations that a step still needs.
func (s *Changes) Remaining(step messages.Step) int {
	switch {
	case !step.Status.Waits():
		return 0
	case step.Class == messages.ToolDestructive && s.confirmWrites && step.Status == messages.StepPending:
		return 2
	default:
		return 1
	}
}

// Confirm confirms or rejects a step of the caller. A repetition with the same key counts once; an empty key is never a repetition.
func (s *Changes) Confirm(ctx context.Context, by messages.ToolUser, id messages.AgentID, confirmed bool, key string) (messages.StepDecision, error) {
	for range mostDecisions {
		step, err := s.steps.Find(ctx, by.User, id)
		if err != nil {
			return messages.StepDecision{}, messages.Unavailable(ctx, "find step", err)
		}
		decision, again, err := s.decide(ctx, by, step, confirmed, key)
		if err != nil || !again {
			return decision, err
		}
	}
	return messages.StepDecision{}, messages.ErrUnavailable
}

// mostDecisions bounds the attempts to decide a step that others decide at the same time.
const mostDecisions = 8

// decide makes one decision. It reports whether the step changed meanwhile.
func (s *Changes) decide(ctx context.Context, by messages.ToolUser, step messages.Step, confirmed bool, key string) (decision messages.StepDecision, again bool, err error) {
	if step.Credential != by.Credential {
		return messages.StepDecision{}, false, messages.ErrOtherCredential
	}
	switch {
	case step.Status.Waits() && !s.now().Before(step.ExpiresAt):
		return messages.StepDecision{}, false, messages.ErrStepExpired
	case step.Status == messages.StepExecuted && confirmed:
		return s.repeated(ctx, by, step), false, nil
	case step.Status == messages.StepSuperseded && confirmed:
		next, err := s.steps.Find(ctx, by.User, step.Next)
		return messages.StepDecision{Step: step, Next: &next}, false, err
	case step.Status == messages.StepRejected && !confirmed, step.Status == messages.StepFailed && confirmed:
		return messages.StepDecision{Step: step}, false, nil
	case !step.Status.Waits():
		return messages.StepDecision{}, false, messages.ErrStepDecided
	case !confirmed:
		return s.change(ctx, step, messages.StepRejected, key)
	case s.Remaining(step) > 1:
		return s.change(ctx, step, messages.StepConfirmedOnce, key)
	case step.Status == messages.StepConfirmedOnce && key != "" && key == step.LastKey:
		return messages.StepDecision{Step: step}, false, nil // a repetition of the first confirmation
	}
	return s.execute(ctx, by, step, key)
}

// repeated returns the result of an executed step. The journal replays its command. Results outside the journal are not kept.
func (s *Changes) repeated(ctx context.Context, by messages.ToolUser, step messages.Step) messages.StepDecision {
	if step.Sequence == 0 || !s.now().Before(step.ExpiresAt) {
		return messages.StepDecision{Step: step}
	}
	result := by.Tools.Call(ctx, execution(step))
	return messages.StepDecision{Step: step, Result: &result}
}

// change stores the new status of a step.
func (s *Changes) change(ctx context.Context, step messages.Step, to messages.StepStatus, key string) (messages.StepDecision, bool, error) {
	from := step.Status
	step.Status, step.LastKey = to, key
	if !to.Waits() {
		step.DecidedAt = s.now()
	}
	done, err := s.steps.Decide(ctx, from, step)
	return messages.StepDecision{Step: step}, !done, messages.Unavailable(ctx, "decide step", err)
}

// execute carries out a confirmed step. Concurrent executions have the same idempotency key, so that the change is recorded once.
func (s *Changes) execute(ctx context.Context, by messages.ToolUser, step messages.Step, key string) (messages.StepDecision, bool, error) {
	result := by.Tools.Call(ctx, execution(step))
	if code := codeOf(result); code == string(messages.ErrSuperseded.Code) {
		return s.supersede(ctx, by, step)
	} else if !result.Succeeded() && transient(result.Status) {
		return messages.StepDecision{Step: step, Result: &result}, false, nil // the step can be confirmed again
	}
	status := messages.StepExecuted
	if !result.Succeeded() {
		status = messages.StepFailed
	}
	from := step.Status
	step.Status, step.LastKey, step.DecidedAt, step.Sequence = status, key, s.now(), result.Sequence
	done, err := s.steps.Decide(ctx, from, step)
	if err != nil && status == messages.StepExecuted {
		s.log.Warn("an executed step was not marked; a repetition of the confirmation marks it", "step", hex.EncodeToString(step.ID[:]), "cause", err)
		err = nil
	}
	if err == nil && !done {
		return messages.StepDecision{}, true, nil
	}
	return messages.StepDecision{Step: step, Result: &result}, false, messages.Unavailable(ctx, "decide step", err)
}

// supersede replaces a step whose events would differ from its preview by a step with a new preview.
func (s *Changes) supersede(ctx context.Context, by messages.ToolUser, step messages.Step) (messages.StepDecision, bool, error) {
	tool, ok := by.Tools.Tool(step.Operation)
	if !ok {
		return s.change(ctx, step, messages.StepFailed, "")
	}
	result := by.Tools.Call(ctx, messages.ToolCall{Operation: step.Operation, Arguments: step.Arguments, Mode: messages.ToolPreviews})
	if !result.Succeeded() {
		decision, again, err := s.change(ctx, step, messages.StepFailed, "")
		decision.Result = &result
		return decision, again, err
	}
	by.Conversation, by.Organization = step.Conversation, step.Organization
	next := s.step(by, tool, step.Arguments, result)
	from := step.Status
	step.Status, step.DecidedAt, step.Next = messages.StepSuperseded, s.now(), next.ID
	done, err := s.steps.Supersede(ctx, from, step, next)
	return messages.StepDecision{Step: step, Next: &next}, !done, messages.Unavailable(ctx, "supersede step", err)
}

// codeOf returns the code of a refusal; empty for other results.
func codeOf(result messages.ToolResult) string {
	var refusal struct {
		Code string `json:"code"`
	}
	if result.Succeeded() || json.Unmarshal(result.Body, &refusal) != nil {
		return ""
	}
	return refusal.Code
}

// transient reports whether a repetition of the request may succeed.
func transient(status int) bool { return status >= 500 || status == 429 }
