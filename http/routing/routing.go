// Package routing decides which server of a cluster serves a change. Any server may; the first of the order for the organization is asked before,
// so that few appends collide. The package knows neither HTTP nor the connections between servers.
package routing

import (
	"errors"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Placement returns the order of servers.
type Placement interface {
	// First returns the server that is asked first to serve the changes of the organization. Self reports that it is this one.
	First(id organization.ID) (node messages.Node, self bool)
	// Avoid does not ask a server for a moment.
	Avoid(node messages.Node)
}

// ErrUncertain reports that the asked server does not know the outcome.
var ErrUncertain = errors.New("the asked server does not know the outcome")

// Outcome is the outcome of an attempt.
type Outcome int

// The outcomes of attempts.
const (
	Answered Outcome = iota // the answer was sent to the client, or failed on the way
	Refused                 // nothing was changed
	Unsent                  // the server was not reached
	Lost                    // the server may have executed the request
)

// OutcomeOf returns the outcome of a forwarded request that its receiver ends with the error. Errors for the client are answers.
func OutcomeOf(err error) Outcome {
	switch {
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
	Relayed   Verdict = iota // the asked server has answered
	Local                    // this server answers
	Unchanged                // there is no answer, and nothing was changed
	Unknown                  // there is no answer, and the change may have been made
)

// Attempt describes an attempt to make a change, at the asked server or here.
type Attempt struct {
	// Command is the id of the change. All attempts have the same one, so that the journal has their events once.
	Command [16]byte
	// Repeated reports that an earlier attempt may have been executed.
	Repeated bool
}
