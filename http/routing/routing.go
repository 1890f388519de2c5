// Package routing decides which server of a cluster answers a request. A server that does not own the organization of the request forwards it to
// the owner, and again after a failure. The package knows neither HTTP nor the connections between servers.
package routing

import (
	"errors"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Placement returns the owners of organizations.
type Placement interface {
	// Owner returns the owner and the epoch of the placement; known is false without an owner. Self reports that it is this server.
	Owner(id organization.ID) (node messages.Node, epoch uint64, self, known bool)
	// Member reports whether the node is in the present list.
	Member(node string) bool
	// Changed returns a channel that is closed when owners change. Hurry looks for a change at once.
	Changed() <-chan struct{}
	Hurry()
}

// Errors of attempts.
var (
	ErrMisdirected = errors.New("this node does not own the organization of a forwarded request")
	ErrUncertain   = errors.New("the owner of the organization does not know the outcome")
)

// Here reports whether this server answers a request for the organization. A forwarded request is never forwarded again: the error is
// [ErrMisdirected] if another server owns its organization.
func Here(p Placement, id organization.ID, forwarded bool) (bool, error) {
	_, _, self, known := p.Owner(id)
	switch {
	case self || !known:
		return true, nil
	case forwarded:
		return false, ErrMisdirected
	default:
		return false, nil
	}
}

// Outcome is the outcome of an attempt.
type Outcome int

// The outcomes of attempts.
const (
	Answered Outcome = iota // the answer was sent to the client, or failed on the way
	Refused                 // nothing was changed, and the server requests a repetition
	Unsent                  // the server was not reached
	Lost                    // the server may have executed the request
)

// OutcomeOf returns the outcome of a forwarded request that its receiver ends with the error. Errors for the client are answers.
func OutcomeOf(err error) Outcome {
	switch {
	case errors.Is(err, ErrMisdirected):
		return Refused
	case fault.Is(err, fault.OutcomeUnknown):
		return Lost
	case errors.Is(err, messages.ErrUnavailable):
		return Refused
	default:
		return Answered
	}
}

// Verdict is the end of a forwarded request.
type Verdict int

// The verdicts.
const (
	Relayed   Verdict = iota // the owner has answered
	Local                    // this server answers
	Unchanged                // there is no answer, and no attempt has changed anything
	Unknown                  // there is no answer, and an attempt may have been executed
)

// Attempt describes an attempt to execute a request, at its owner or here.
type Attempt struct {
	// Command is the id of a change. All attempts have the same one, so that the journal has their events once. It is zero for a read.
	Command [16]byte
	// Repeated reports that an earlier attempt may have been executed.
	Repeated bool
}
