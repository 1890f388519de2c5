package routing_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"equity/fault"
	"equity/http/routing"
	"equity/messages"
	"equity/organization"
)

// placement asks one server first, and this one, "self", while that is avoided.
type placement struct {
	first   string
	avoided []string
}

func (p *placement) First(organization.ID) (node messages.Node, self bool) {
	return messages.Node{ID: p.first}, p.first == "self" || len(p.avoided) > 0
}

func (p *placement) Avoid(node messages.Node) { p.avoided = append(p.avoided, node.ID) }

var errCause = errors.New("the cause")

// outcome returns a link with the outcome.
func outcome(of routing.Outcome, made *[]routing.Attempt) func(context.Context, messages.Node, routing.Attempt, func()) (routing.Outcome, error) {
	return func(_ context.Context, _ messages.Node, a routing.Attempt, heard func()) (routing.Outcome, error) {
		heard()
		*made = append(*made, a)
		if of != routing.Answered {
			return of, errCause
		}
		return of, nil
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	const answered, refused, unsent, lost = routing.Answered, routing.Refused, routing.Unsent, routing.Lost
	write := routing.Request{Command: [16]byte{1}, Repeatable: true}
	outside, upload := write, write
	outside.Repeatable, upload.Once = false, true
	for _, test := range []struct {
		claim    string
		request  routing.Request
		outcome  routing.Outcome
		verdict  routing.Verdict
		repeated bool // the attempt here
		avoided  bool
	}{
		{"an answer is relayed", write, answered, routing.Relayed, false, false},
		{"a refused change is made here", write, refused, routing.Local, false, false},
		{"an unsent change is made here", write, unsent, routing.Local, false, true},
		{"a lost change is made here with the same id", write, lost, routing.Local, true, true},
		{"a lost change outside of the journal has an unknown outcome", outside, lost, routing.Unknown, true, true},
		{"a refused change outside of the journal is made here", outside, refused, routing.Local, false, false},
		{"a lost upload has an unknown outcome", upload, lost, routing.Unknown, true, true},
		{"a refused upload changes nothing", upload, refused, routing.Unchanged, false, false},
		{"an unsent upload is made here", upload, unsent, routing.Local, false, true},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			request, p := test.request, &placement{first: "other"}
			var made []routing.Attempt
			request.Send = outcome(test.outcome, &made)
			verdict, attempt, err := routing.Forward(t.Context(), p, &request)
			if verdict != test.verdict || attempt.Command != test.request.Command || attempt.Repeated != test.repeated {
				t.Errorf("verdict %d, %v, %v", verdict, attempt, err)
			}
			if failed := verdict == routing.Unknown || verdict == routing.Unchanged; (err != nil) != failed {
				t.Errorf("verdict %d with the error %v", verdict, err)
			}
			if len(made) != 1 || made[0].Repeated || (len(p.avoided) > 0) != test.avoided {
				t.Errorf("attempts %v, avoided %v", made, p.avoided)
			}
		})
	}
}

func TestChangeOfThisServerIsNotForwarded(t *testing.T) {
	t.Parallel()
	var made []routing.Attempt
	request := routing.Request{Command: [16]byte{1}, Repeatable: true, Send: outcome(routing.Answered, &made)}
	if verdict, _, err := routing.Forward(t.Context(), &placement{first: "self"}, &request); verdict != routing.Local || len(made) != 0 || err != nil {
		t.Errorf("verdict %d after %d attempts: %v", verdict, len(made), err)
	}
}

// TestSilentServerIsNotAwaited sends a change to servers that do not answer for a minute.
func TestSilentServerIsNotAwaited(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim   string
		alive   error
		answers time.Duration // 0 for never
		verdict routing.Verdict
		within  time.Duration
	}{
		{"a server that fails its health check", errCause, 0, routing.Local, 400 * time.Millisecond},
		{"a slow server that lives", nil, time.Minute, routing.Relayed, 61 * time.Second},
		{"a quick server that fails its health check", errCause, 50 * time.Millisecond, routing.Relayed, 60 * time.Millisecond},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				request, p, begin := routing.Request{Command: [16]byte{1}, Repeatable: true}, &placement{first: "other"}, time.Now()
				request.Send = func(ctx context.Context, _ messages.Node, _ routing.Attempt, heard func()) (routing.Outcome, error) {
					defer heard()
					answer := make(<-chan time.Time)
					if test.answers > 0 {
						answer = time.After(test.answers)
					}
					select {
					case <-answer:
						return routing.Answered, nil
					case <-ctx.Done():
						return routing.Lost, ctx.Err()
					}
				}
				request.Alive = func(ctx context.Context, _ messages.Node) error {
					if test.alive == nil {
						return nil
					}
					<-ctx.Done()
					return ctx.Err()
				}
				verdict, _, err := routing.Forward(t.Context(), p, &request)
				if took := time.Since(begin); verdict != test.verdict || took > test.within || err != nil {
					t.Errorf("verdict %d after %v: %v", verdict, took, err)
				}
			})
		})
	}
}

func TestCallerThatLeavesEndsTheAttempt(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	request := routing.Request{Command: [16]byte{1}, Repeatable: true, Send: func(
		ctx context.Context, _ messages.Node, _ routing.Attempt, heard func(),
	) (routing.Outcome, error) {
		defer heard()
		leave()
		<-ctx.Done()
		return routing.Lost, ctx.Err()
	}}
	if verdict, _, err := routing.Forward(ctx, &placement{first: "other"}, &request); verdict != routing.Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("verdict %d: %v", verdict, err)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for want, errs := range map[routing.Outcome][]error{
		routing.Answered: {nil, errCause, fault.Refuse(fault.Conflict, "No."), messages.RefuseUnavailable("The store")},
		routing.Refused:  {messages.ErrUnavailable, fmt.Errorf("route: %w", messages.ErrUnavailable)},
		routing.Lost:     {messages.ErrOutcomeUnknown, &fault.FailureError{Refusal: messages.ErrOutcomeUnknown, Cause: messages.ErrUnavailable}},
	} {
		for _, err := range errs {
			if got := routing.OutcomeOf(err); got != want {
				t.Errorf("%v: %d, want %d", err, got, want)
			}
		}
	}
}
