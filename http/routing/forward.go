package routing

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

const (
	// forwardWithin bounds the time for which a request waits for its organization to move.
	forwardWithin = 20 * time.Second
	// forwardRetry is the pause before a request is sent again.
	forwardRetry = 30 * time.Millisecond
	// readWithin is the time after which a read is answered here, from the journal, if its owner does not answer.
	readWithin = time.Second
)

// Request is a request for an organization of another server.
type Request struct {
	Organization organization.ID
	// Reads reports a request without changes. Streams reports that the answer is a stream of events.
	Reads, Streams bool
	// Repeatable reports that two attempts with the same command id are executed once.
	Repeatable bool
	// Once reports that the body can be sent only once.
	Once bool
	// Command is the id of a change; zero for a read.
	Command [16]byte
	// Closing is closed when this server ends its streams. It may be nil.
	Closing <-chan struct{}
	// Send makes an attempt. It calls heard when the answer begins to arrive. The context ends when the answer is not awaited any more. The
	// error is the cause of an attempt without an answer, or a failure to relay the answer.
	Send func(ctx context.Context, to messages.Node, attempt Attempt, heard func()) (Outcome, error)
}

// forwarding is a request that is sent to its owner, again if necessary.
type forwarding struct {
	*Request

	placement Placement
	attempt   Attempt
}

// Forward sends the request to the owner of its organization until the verdict is certain, or for forwardWithin. If the verdict is Local, this
// server makes the returned attempt. The error is that of the last attempt.
func Forward(ctx context.Context, p Placement, r *Request) (Verdict, Attempt, error) {
	f := &forwarding{Request: r, placement: p, attempt: Attempt{Command: r.Command}}
	limited, cancel := context.WithTimeout(ctx, forwardWithin)
	defer cancel()
	for {
		changed := p.Changed()
		node, _, self, known := p.Owner(r.Organization)
		if self || !known {
			return Local, f.attempt, nil
		}
		outcome, err := f.send(ctx, node)
		if outcome == Lost && !r.Reads {
			f.attempt.Repeated = true
		}
		verdict, certain := f.decide(outcome)
		if certain || !f.pause(limited, changed) {
			return verdict, f.attempt, err
		}
	}
}

// decide returns the verdict after an attempt. It is not certain if the request can be sent again.
func (f *forwarding) decide(last Outcome) (verdict Verdict, certain bool) {
	verdict = Unchanged
	if f.attempt.Repeated {
		verdict = Unknown
	}
	switch {
	case last == Answered:
		return Relayed, true
	case last != Refused && f.Reads && !f.Streams && !f.Once:
		return Local, true
	default:
		return verdict, f.Once || last == Lost && !f.Repeatable
	}
}

// pause waits before the next attempt. It returns false at the limit.
func (f *forwarding) pause(limited context.Context, changed <-chan struct{}) bool {
	f.placement.Hurry()
	wait := time.NewTimer(forwardRetry)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-changed:
	case <-limited.Done():
	}
	return limited.Err() == nil
}

// send makes one attempt.
func (f *forwarding) send(ctx context.Context, to messages.Node) (Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := make(chan struct{})
	go f.watch(ctx, cancel, heard, to)
	return f.Send(ctx, to, f.attempt, func() { close(heard) })
}

// watch ends an attempt at a former owner, and a read after readWithin. It watches streams until their end.
func (f *forwarding) watch(ctx context.Context, cancel context.CancelFunc, heard <-chan struct{}, to messages.Node) {
	var patience <-chan time.Time
	var closing <-chan struct{}
	switch {
	case f.Streams:
		closing = f.Closing
	case f.Reads:
		limit := time.NewTimer(readWithin)
		defer limit.Stop()
		patience = limit.C
	}
	for {
		changed := f.placement.Changed()
		if now, _, _, known := f.placement.Owner(f.Organization); (!known || now.ID != to.ID) && !f.handsOver(to) {
			cancel()
			return
		}
		select {
		case <-changed:
		case <-patience:
			cancel()
			return
		case <-closing: // its reader connects to another server
			cancel()
			return
		case <-heard:
			if !f.Streams {
				return
			}
			heard = nil
		case <-ctx.Done():
			return
		}
	}
}

// handsOver reports whether a former owner is still a member, and therefore answers before it hands over.
func (f *forwarding) handsOver(former messages.Node) bool {
	return !f.Streams && f.placement.Member(former.ID)
}
