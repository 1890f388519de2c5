package routing_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/fault"
	"equity/http/routing"
	"equity/messages"
	"equity/organization"
)

// placement is the placement of a cluster with one organization. This server is "self".
type placement struct {
	mu      sync.Mutex
	owner   string
	members []string
	changed chan struct{}
	hurries int
}

func placed(owner string, members ...string) *placement {
	return &placement{owner: owner, members: members, changed: make(chan struct{})}
}

// move makes this server the owner, and changes the other members.
func (p *placement) move(members ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owner, p.members = "self", members
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *placement) Owner(organization.ID) (node messages.Node, epoch uint64, self, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return messages.Node{ID: p.owner}, 1, p.owner == "self", p.owner != ""
}

func (p *placement) Member(node string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.members, node)
}

func (p *placement) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

func (p *placement) Hurry() { p.hurries++ }

var errCause = errors.New("the cause")

// outcomes returns a link with the outcomes, and the list of its attempts. The last outcome is repeated.
func outcomes(list ...routing.Outcome) (func(context.Context, messages.Node, routing.Attempt, func()) (routing.Outcome, error), *[]routing.Attempt) {
	var made []routing.Attempt
	return func(_ context.Context, _ messages.Node, a routing.Attempt, heard func()) (routing.Outcome, error) {
		heard()
		made = append(made, a)
		if one := list[min(len(made), len(list))-1]; one != routing.Answered {
			return one, errCause
		}
		return routing.Answered, nil
	}, &made
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	const answered, refused, unsent, lost = routing.Answered, routing.Refused, routing.Unsent, routing.Lost
	write, read := routing.Request{Command: [16]byte{1}, Repeatable: true}, routing.Request{Reads: true, Repeatable: true}
	stream, outside, upload := read, write, write
	stream.Streams, outside.Repeatable, upload.Once = true, false, true
	for _, test := range []struct {
		claim    string
		request  routing.Request
		outcomes []routing.Outcome
		verdict  routing.Verdict
		attempts int  // 0 for as many as the limit allows
		repeated bool // the last attempt
	}{
		{"an answer is relayed", write, []routing.Outcome{answered}, routing.Relayed, 1, false},
		{"a write is repeated after refusals", write, []routing.Outcome{refused, unsent, answered}, routing.Relayed, 3, false},
		{"a lost write is repeated and marked", write, []routing.Outcome{lost, refused, answered}, routing.Relayed, 3, true},
		{"refused and unsent writes change nothing", write, []routing.Outcome{unsent, refused}, routing.Unchanged, 0, false},
		{"a lost write has an unknown outcome at the limit", write, []routing.Outcome{lost, refused}, routing.Unknown, 0, true},
		{"a lost change outside of the journal is not repeated", outside, []routing.Outcome{refused, lost}, routing.Unknown, 2, false},
		{"a refused change outside of the journal is repeated", outside, []routing.Outcome{refused, answered}, routing.Relayed, 2, false},
		{"a lost read is answered here", read, []routing.Outcome{lost}, routing.Local, 1, false},
		{"an unsent read is answered here", read, []routing.Outcome{unsent}, routing.Local, 1, false},
		{"a refused read follows the owner", read, []routing.Outcome{refused, answered}, routing.Relayed, 2, false},
		{"a lost stream is opened again", stream, []routing.Outcome{lost, unsent, answered}, routing.Relayed, 3, false},
		{"a lost upload has an unknown outcome", upload, []routing.Outcome{lost}, routing.Unknown, 1, false},
		{"a refused upload changes nothing", upload, []routing.Outcome{refused}, routing.Unchanged, 1, false},
		{"an unsent upload changes nothing", upload, []routing.Outcome{unsent}, routing.Unchanged, 1, false},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				request, begin := test.request, time.Now()
				var made *[]routing.Attempt
				request.Send, made = outcomes(test.outcomes...)
				verdict, attempt, err := routing.Forward(t.Context(), placed("other", "other"), &request)
				if verdict != test.verdict || attempt.Command != test.request.Command || (err == nil) != (verdict == routing.Relayed) {
					t.Errorf("verdict %d, %v, %v", verdict, attempt, err)
				}
				last := (*made)[len(*made)-1]
				if last.Repeated != test.repeated || last.Command != test.request.Command {
					t.Errorf("the last attempt is %v", last)
				}
				if took := time.Since(begin); test.attempts == 0 && took != 20*time.Second || test.attempts > 0 && len(*made) != test.attempts {
					t.Errorf("%d attempts in %v", len(*made), took)
				}
			})
		})
	}
}

func TestAttemptEndsWithItsOwner(t *testing.T) {
	t.Parallel()
	read := routing.Request{Reads: true, Repeatable: true}
	stream := read
	stream.Streams = true
	for _, test := range []struct {
		claim   string
		request routing.Request
		heard   bool
		then    func(*placement, chan struct{})
		ends    time.Duration // of the attempt; 0 for not within a minute
	}{
		{"a removed owner ends a write", routing.Request{Repeatable: true}, false, func(p *placement, _ chan struct{}) { p.move() }, time.Millisecond},
		{"a former owner that is a member hands over", routing.Request{Repeatable: true}, false, func(p *placement, _ chan struct{}) { p.move("other") }, 0},
		{"a read waits for a second", read, false, func(*placement, chan struct{}) {}, time.Second},
		{"a read whose answer has begun is complete", read, true, func(p *placement, _ chan struct{}) { p.move() }, 0},
		{"a stream ends with its owner", stream, true, func(p *placement, _ chan struct{}) { p.move("other") }, time.Millisecond},
		{"a stream ends with this server", stream, true, func(_ *placement, closing chan struct{}) { close(closing) }, time.Millisecond},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, closing, request, begin := placed("other", "other"), make(chan struct{}), test.request, time.Now()
				request.Closing = closing
				request.Send = func(ctx context.Context, _ messages.Node, _ routing.Attempt, heard func()) (routing.Outcome, error) {
					if test.heard {
						heard()
					}
					time.Sleep(time.Millisecond)
					test.then(p, closing)
					select {
					case <-ctx.Done():
					case <-time.After(time.Minute):
					}
					if took := time.Since(begin); test.ends > 0 && took != test.ends || test.ends == 0 && took < time.Minute {
						t.Errorf("the attempt ended after %v", took)
					}
					return routing.Answered, nil
				}
				if verdict, _, _ := routing.Forward(t.Context(), p, &request); verdict != routing.Relayed {
					t.Errorf("verdict %d", verdict)
				}
			})
		})
	}
}

func TestNextOwnerMakesTheNextAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := placed("other", "other")
		request := routing.Request{Command: [16]byte{1}, Repeatable: true}
		request.Send = func(context.Context, messages.Node, routing.Attempt, func()) (routing.Outcome, error) {
			p.move()
			return routing.Lost, errCause
		}
		begin := time.Now()
		verdict, attempt, err := routing.Forward(t.Context(), p, &request)
		if verdict != routing.Local || attempt != (routing.Attempt{Command: [16]byte{1}, Repeated: true}) || err != nil || p.hurries != 1 {
			t.Errorf("verdict %d, %v, %v, %d", verdict, attempt, err, p.hurries)
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("the change was noticed after %v", took)
		}
	})
}

func TestForwardEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		request := routing.Request{Command: [16]byte{1}, Repeatable: true}
		request.Send, _ = outcomes(routing.Refused)
		begin := time.Now()
		if verdict, _, _ := routing.Forward(ctx, placed("other"), &request); verdict != routing.Unchanged || time.Since(begin) != time.Second {
			t.Errorf("verdict %d after %v", verdict, time.Since(begin))
		}
	})
}

func TestOnlyClientsAreForwarded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		owner     string
		forwarded bool
		here      bool
		err       error
	}{
		{"self", false, true, nil},
		{"self", true, true, nil},
		{"", true, true, nil},
		{"other", false, false, nil},
		{"other", true, false, routing.ErrMisdirected},
	} {
		if here, err := routing.Here(placed(test.owner), organization.ID{}, test.forwarded); here != test.here || !errors.Is(err, test.err) {
			t.Errorf("%v: %v, %v", test, here, err)
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for want, errs := range map[routing.Outcome][]error{
		routing.Answered: {nil, errCause, fault.Refuse(fault.Conflict, "No."), messages.RefuseUnavailable("The store")},
		routing.Refused:  {messages.ErrUnavailable, fmt.Errorf("route: %w", routing.ErrMisdirected)},
		routing.Lost:     {messages.ErrOutcomeUnknown, &fault.FailureError{Refusal: messages.ErrOutcomeUnknown, Cause: messages.ErrUnavailable}},
	} {
		for _, err := range errs {
			if got := routing.OutcomeOf(err); got != want {
				t.Errorf("%v: %d, want %d", err, got, want)
			}
		}
	}
}
