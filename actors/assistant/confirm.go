package assistant

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
func (s *Changes) Confirm(
	ctx context.Context, by messages.ToolUser, id messages.AgentID, confirmed bool, key string,
) (messages.StepDecision, error) {
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
func (s *Changes) decide(
	ctx context.Context, by messages.ToolUser, step messages.Step, confirmed bool, key string,
) (decision messages.StepDecision, again bool, err error) {
	if err := mayDecide(by, step, confirmed); err != nil {
		return messages.StepDecision{}, false, err
	}
	switch {
	case step.Status.Waits() && !s.now().Before(step.ExpiresAt):
		if _, again, err = s.change(ctx, step, messages.StepExpired, ""); err == nil && !again {
			err = messages.ErrStepExpired
		}
		return messages.StepDecision{}, again, err
	case step.Status == messages.StepExpired:
		return messages.StepDecision{}, false, messages.ErrStepExpired
	case step.Status == messages.StepTaken && confirmed:
		return s.settle(ctx, by, step, true)
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
	taken, again, err := s.change(ctx, step, messages.StepTaken, key)
	if err != nil || again {
		return messages.StepDecision{}, again, err
	}
	return s.settle(context.WithoutCancel(ctx), by, taken.Step, false) // a client that hangs up has confirmed
}

// mayDecide refuses a decision of another caller: only the credential of the request decides, and a session of the user decides about the
// steps of the user's tokens. A token does not confirm a step that gives authority; it reads the result after the user confirmed it.
func mayDecide(by messages.ToolUser, step messages.Step, confirmed bool) error {
	byToken := messages.IsTokenHandle(by.Credential)
	if by.Credential != step.Credential && (byToken || !messages.IsTokenHandle(step.Credential)) {
		return messages.ErrOtherCredential
	}
	tool, _ := by.Tools.Tool(step.Operation)
	if confirmed && byToken && tool.ConfirmAlways && step.Status.Waits() {
		return messages.ErrPersonRequired
	}
	return nil
}

// repeated returns the result of an executed step. The journal replays its command. Results outside the journal are not kept.
func (s *Changes) repeated(ctx context.Context, by messages.ToolUser, step messages.Step) messages.StepDecision {
	if step.Sequence == 0 || !s.now().Before(step.ExpiresAt) {
		return messages.StepDecision{Step: step}
	}
	result := by.Tools.Call(ctx, execution(step, true))
	return messages.StepDecision{Step: step, Result: &result}
}

// change stores the new status of a step. It reports whether the step changed meanwhile.
func (s *Changes) change(ctx context.Context, step messages.Step, to messages.StepStatus, key string) (messages.StepDecision, bool, error) {
	from := step.Status
	step.Status, step.LastKey = to, key
	if !to.Waits() {
		step.DecidedAt = s.now()
	}
	done, err := s.steps.Decide(ctx, from, step)
	return messages.StepDecision{Step: step}, !done && err == nil, messages.Unavailable(ctx, "decide step", err)
}

// settle carries out a taken step and stores its result. All executions of a step have the same idempotency key, so that the change is
// recorded once. After a failure that leaves the outcome open, the step remains taken: it can be confirmed again, but not rejected.
func (s *Changes) settle(ctx context.Context, by messages.ToolUser, step messages.Step, again bool) (messages.StepDecision, bool, error) {
	if s.now().Sub(step.DecidedAt) >= messages.SettleWithin {
		return messages.StepDecision{}, false, messages.ErrOutcomeUnknown
	}
	result := by.Tools.Call(ctx, execution(step, again))
	switch {
	case codeOf(result) == string(messages.ErrSuperseded.Code):
		return s.supersede(ctx, by, step)
	case result.Repeatable():
		return messages.StepDecision{Step: step, Result: &result}, false, nil
	case result.Succeeded():
		step.Status, step.Sequence = messages.StepExecuted, result.Sequence
	default:
		step.Status = messages.StepFailed
	}
	done, err := s.steps.Decide(ctx, messages.StepTaken, step)
	if err != nil {
		s.log.Warn(
			"the result of a step was not stored; the step is carried out again with its key", "step", hex.EncodeToString(step.ID[:]),
			"cause", err,
		)
		return messages.StepDecision{Step: step, Result: &result}, false, nil
	}
	return messages.StepDecision{Step: step, Result: &result}, !done, nil
}

// The search for taken steps without a result: their number, and the time after which a step was left by a server that ended.
const (
	mostSettled = 20
	settleAfter = time.Minute
)

// Settle carries out the steps that servers took and left without a result, for the callers that the function returns.
func (s *Changes) Settle(ctx context.Context, callerOf func(messages.Step) messages.ToolUser) error {
	now := s.now()
	found, err := s.steps.Unsettled(ctx, now.Add(-messages.SettleWithin), now.Add(-settleAfter), mostSettled)
	if err != nil {
		return fmt.Errorf("find taken steps: %w", err)
	}
	for _, step := range found {
		if _, _, failed := s.settle(ctx, callerOf(step), step, true); failed != nil {
			err = errors.Join(err, fmt.Errorf("settle step %s: %w", hex.EncodeToString(step.ID[:]), failed))
		}
	}
	return err
}

// supersede replaces a step whose events would differ from its preview by a step with a new preview.
func (s *Changes) supersede(ctx context.Context, by messages.ToolUser, step messages.Step) (messages.StepDecision, bool, error) {
	tool, ok := by.Tools.Tool(step.Operation)
	if !ok {
		return s.change(ctx, step, messages.StepFailed, "")
	}
	result := by.Tools.Call(ctx, messages.ToolCall{Operation: step.Operation, Arguments: step.Arguments, Mode: messages.ToolPreviews})
	if result.Repeatable() {
		return messages.StepDecision{Step: step, Result: &result}, false, nil
	}
	if !result.Succeeded() {
		decision, again, err := s.change(ctx, step, messages.StepFailed, "")
		decision.Result = &result
		return decision, again, err
	}
	by.Conversation, by.Organization, by.Credential = step.Conversation, step.Organization, step.Credential
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
