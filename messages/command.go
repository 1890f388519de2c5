package messages

import (
	"log/slog"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// Command is a request to change one organization, with all the information that
// its actor needs to decide, record and answer it.
type Command struct {
	Organization organization.ID
	// By is the author: a user's id, or "system:" and a component's name.
	By string
	// Origin is that of the events; empty for the default, see [Command.Source].
	Origin Origin
	// At is the time at which the request was received.
	At time.Time
	// IdempotencyKey and Fingerprint are those of [Row]; empty without an idempotency key.
	IdempotencyKey string
	Fingerprint    string
	// Expect refuses the command if the record has changed since that version.
	Expect *Expectation
	// MembersAsOf is the sequence of the view from which the command's members were taken. If a member was added or changed
	// since then, the command is refused with ErrMembersChanged. Zero disables the check.
	MembersAsOf uint64
	// ByOperator reports a command of the operator of the server, for which the limits of a plan do not apply.
	ByOperator bool
	// DryRun decides and answers the command without recording events.
	DryRun bool
	// DecideAt replaces At in the decision, so that it equals that of a preview; zero to decide as of At. The reply to a dry run then has a digest.
	DecideAt time.Time
	// Digest refuses the command with ErrSuperseded if its events differ from those of the preview; zero for no check.
	Digest Hash
	// Bound bounds the rights of the author, whose deputy sent the command; nil without a bound.
	Bound *organization.Rights
	// Drawn are the ids and random values in the events that the caller created, as JSON. A digest does not depend on them; see [Command.Draws].
	Drawn []string
	// Body is the change. Nil asks for the reply to an earlier command with the idempotency key, and is refused with ErrNotRecorded
	// if no event has the key.
	Body organization.Command
	// Result returns the result of the body; see [With]. It may be nil.
	Result func(events []organization.Event, after *organization.State) (result any, ok bool)
	// Particulars are stored with the command's events.
	Particulars []Particular
	// Mails are sent after the events that cause them. Their contents are stored with these events.
	Mails []EventMail
	// Sealed are secret values that are stored with the events, such as the secret of a webhook.
	Sealed []Sealed
	// Decided is called once a command of many rows is decided. From then on other commands wait for it. It may be nil.
	Decided func()
	// Timeline receives the times of the steps; nil without traces.
	Timeline *Timeline
	// Left is closed when the caller stops waiting for the reply. It may be nil.
	Left <-chan struct{}
}

// Abandoned reports whether the caller has stopped waiting for the reply.
func (c Command) Abandoned() bool {
	select {
	case <-c.Left:
		return true
	default:
		return false
	}
}

// Author returns the user that By identifies, or the zero ID for the system.
func (c Command) Author() organization.UserID {
	user, err := captable.ParseID[organization.User](c.By)
	if err != nil {
		return organization.UserID{}
	}
	return user
}

// LogValue keeps the body and the personal data of a command out of the logs.
func (c Command) LogValue() slog.Value {
	return slog.GroupValue(slog.String("organization", c.Organization.String()), slog.String("by", c.By))
}

// Expectation is the version of a record that the caller has read.
type Expectation struct {
	// Record is a [captable.SecurityID], [captable.ShareholdingID],
	// [captable.LegendID], [organization.MemberID], [organization.ID], or any
	// [captable.Configuration] for the configuration of the cap table.
	Record  any
	Version uint64
}

// Reply answers a command after its events are durable.
type Reply struct {
	// Sequence is that of the command's last event or, for a dry run, of the
	// state on which the command was decided.
	Sequence uint64
	// Events are the events of the command.
	Events []organization.Event
	// Counts is the number of events by type, in place of Events, which for a package would take much memory.
	Counts map[string]int
	// Result is the result of the command; see [ResultOf].
	Result any
	// Trial holds the states before and after the events of a dry run; nil for other commands.
	Trial *Trial
	// Digest identifies the events of a preview; zero without one.
	Digest Hash
	// AsOf is the sequence of the state on which a refusal, or an answer without new events, was decided.
	AsOf uint64
	// Replayed reports that the events were recorded by an earlier request with the same idempotency key.
	Replayed bool
	// Err is a [fault.Error], ErrOutcomeUnknown or ErrUnavailable; nil on success.
	Err error
}

// Trial is the outcome of a dry run. Both states are immutable.
type Trial struct{ Before, After *organization.State }

// IgnoreDeadLetterLogging keeps undelivered replies out of the logs.
func (*Reply) IgnoreDeadLetterLogging() {}

// View is an immutable state of an organization as of a sequence.
type View struct {
	State    *organization.State
	Sequence uint64
	// RecordedAt is the time of the last event.
	RecordedAt time.Time
	// Hash is the hash of the last event's row.
	Hash Hash
	// StaleSince is the time since which the store has not answered, so that later events may be missing. It is zero for a
	// current view.
	StaleSince time.Time
}

// IgnoreDeadLetterLogging keeps undelivered views out of the logs.
func (*View) IgnoreDeadLetterLogging() {}

// Refusals that are independent of the domain rules. All but the last are safe to retry
// with the same idempotency key.
var (
	// ErrOutcomeUnknown reports a failure of the store during the append: the
	// command may or may not have been recorded.
	ErrOutcomeUnknown = &fault.Error{
		Code:    "outcomeUnknown",
		Message: "It is not known whether the change was stored. The same request with the same Idempotency-Key is safe.",
	}
	// ErrUnavailable reports that the command was not executed.
	ErrUnavailable = &fault.Error{
		Code: "unavailable", Message: "The organization is temporarily unavailable. Nothing was changed. Try again.",
	}
	// ErrDamaged refuses all requests for an organization whose journal is damaged. Retries do not help:
	// the journal must be restored from a backup.
	ErrDamaged = &fault.Error{
		Code:    "damaged",
		Message: "The stored journal of this organization is damaged. Nothing was changed. The operator must run 'equity verify'.",
	}
	// ErrUnknownEvent refuses all requests for an organization whose journal has events that this server does not know.
	ErrUnknownEvent = &fault.Error{
		Code:    "unknownEvent",
		Message: "This organization uses a feature that this server lacks. Nothing was changed. The operator must run a version or a build with the feature.",
	}
	// ErrClock refuses writes while the server's clock differs too much from the stored times. Nothing was changed.
	ErrClock = &fault.Error{
		Code:    "clockSkew",
		Message: "The server's clock differs too much from the time of the last stored record. Nothing was changed. The operator must set or confirm the clock.",
	}
	// ErrMembersChanged reports that the member list changed after the command was prepared.
	ErrMembersChanged = &fault.Error{
		Code: fault.Conflict, Message: "The member list changed at the same time. Nothing was changed. Try again.",
	}
	// ErrNotRecorded refuses a command without a body whose idempotency key no event has.
	ErrNotRecorded = &fault.Error{Code: fault.NotFound, Message: "No change was recorded with this idempotency key."}
	// ErrKeyReused reports that the idempotency key was used with a different request.
	ErrKeyReused = &fault.Error{
		Code: "idempotencyKeyReused", Message: "The Idempotency-Key was used with a different request before.",
	}
)

// IsUnreadable reports whether an organization is refused because its journal cannot be read: it is damaged, or has events that this server
// does not know. Lists over several organizations omit it, so that the others stay available. Sums over several organizations are refused
// instead, because they would be wrong.
func IsUnreadable(err error) bool {
	return fault.Is(err, ErrDamaged.Code) || fault.Is(err, ErrUnknownEvent.Code)
}
