// Package hook is the room of inbound hooks: it accepts hooks of other systems and executes the runs that they request.
//
// Its data: the hook tokens of an organization (package token) with their hashes, the events and the runs of its agent session, the
// identities of hooks that can be repeated, and the numbers of its recent hooks.
//
// From request to effect: the gateway (package hooks) of the server, or of the command gateway, checks a request and passes it on. The visit
// of the organization admits it within its limits, and the [Intake] stores it before it is answered.
//
// An [Intake] stores accepted hooks in groups. The [Consumer] executes stored runs: an alarm of the organization wakes it, a lease keeps
// other servers from a run, and a run that is interrupted starts again. So an acknowledged hook is stored, and its run ends at least once
// with exactly one summary.
package hook
