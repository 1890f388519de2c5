package routing

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

const (
	// askAfter is the time without an answer after which a server receives a health check, and the pause between two of them.
	askAfter = 100 * time.Millisecond
	// aliveWithin is the time for the answer to this question.
	aliveWithin = 250 * time.Millisecond
)

// Request is a change of an organization that another server is asked to make.
type Request struct {
	Organization organization.ID
	// Repeatable reports that two attempts with the same command id are executed once.
	Repeatable bool
	// Once reports that the body can be sent only once.
	Once bool
	// Command is the id of the change.
	Command [16]byte
	// Send makes an attempt. It calls heard when the answer begins to arrive. The context ends when the answer is not awaited any more. The
	// error is the cause of an attempt without an answer, or a failure to relay the answer.
	Send func(ctx context.Context, to messages.Node, attempt Attempt, heard func()) (Outcome, error)
	// Alive returns nil if the server answers a health check in time.
	Alive func(ctx context.Context, node messages.Node) error
}

// mostAsked bounds the servers that are asked.
const mostAsked = 3

// Forward sends the request to the server that is asked first for its organization, and to the next one if that server does not answer: two
// attempts with the same command id change the organization once. If the verdict is Local, this server makes the returned attempt. The error is
// that of the last attempt.
func Forward(ctx context.Context, p Placement, r *Request) (Verdict, Attempt, error) {
	attempt := Attempt{Command: r.Command}
	for range mostAsked {
		node, self := p.First(r.Organization)
		if self {
			break
		}
		outcome, err := r.send(ctx, node, attempt)
		attempt.Repeated = attempt.Repeated || outcome == Lost
		if outcome == Unsent || outcome == Lost {
			p.Avoid(node)
		}
		switch {
		case outcome == Answered:
			return Relayed, attempt, err
		case ctx.Err() != nil, r.Once && outcome != Unsent, outcome == Lost && !r.Repeatable:
			if attempt.Repeated {
				return Unknown, attempt, err
			}
			return Unchanged, attempt, err
		case outcome == Refused: // it cannot reach the store, or has too much work
			return Local, attempt, nil
		}
	}
	return Local, attempt, nil
}

// send makes one attempt, which ends if the server fails a health check.
func (r *Request) send(ctx context.Context, to messages.Node, attempt Attempt) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := make(chan struct{})
	go r.watch(ctx, cancel, heard, to)
	return r.Send(ctx, to, attempt, func() { close(heard) })
}

// watch cancels the attempt if the server fails a health check before its answer.
func (r *Request) watch(ctx context.Context, cancel context.CancelFunc, heard <-chan struct{}, to messages.Node) {
	pause := time.NewTicker(askAfter)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-heard:
			return
		case <-ctx.Done():
			return
		}
		asking, end := context.WithTimeout(ctx, aliveWithin)
		err := r.Alive(asking, to)
		end()
		if err != nil {
			select {
			case <-heard: // it has answered meanwhile
			default:
				cancel()
			}
			return
		}
	}
}
