package messages

import (
	"log/slog"
	"time"

	"equity/captable"
	"equity/organization"
)

// Command is a wish to change one organization, with everything that its actor
// needs to decide, record and answer it.
type Command struct {
	Organization organization.ID
	// By is the author: a user's id, or system: and what.
	By string
	// At is when the request was received.
	At time.Time
	// IdempotencyKey and Fingerprint are those of [Row]; empty without a key.
	IdempotencyKey string
	Fingerprint    string
	// Expect refuses the command when the record has moved on.
	Expect *Expectation
	// MembersAsOf is the sequence of the view whose members the command was made by; it is refused with ErrMembersMoved
	// when one was added or changed since. Zero: whoever they are.
	MembersAsOf uint64
	// DryRun decides and answers, and records nothing.
	DryRun bool
	Body   organization.Command
	// Particulars are stored with the command's events.
	Particulars []Particular
	// Mails are sent when the command's events say so, in their transaction.
	Mails []Caused
	// Left is closed when the caller no longer waits for the reply; nil if that is unknown.
	Left <-chan struct{}
}

// Abandoned reports whether the caller no longer waits for the reply.
func (c Command) Abandoned() bool {
	select {
	case <-c.Left:
		return true
	default:
		return false
	}
}

// Author is the account behind By; none for the system.
func (c Command) Author() organization.UserID {
	user, err := captable.ParseID[organization.User](c.By)
	if err != nil {
		return organization.UserID{}
	}
	return user
}

// LogValue keeps what a command carries out of the logs.
func (c Command) LogValue() slog.Value {
	return slog.GroupValue(slog.String("organization", c.Organization.String()), slog.String("by", c.By))
}

// Expectation is the version of a record that the caller has seen.
type Expectation struct {
	// Record is a [captable.SecurityID], [captable.ShareholdingID],
	// [captable.LegendID], [organization.MemberID], [organization.ID], or any
	// [captable.Configuration] for the one that there is.
	Record  any
	Version uint64
}

// Reply answers a command after its events are durable.
type Reply struct {
	// Sequence is that of the last event of the command; for a dry run, of the
	// state it was decided on.
	Sequence uint64
	// Events are what the command caused.
	Events []organization.Event
	// Records are those that the events touched, as they were just after them.
	Records []any
	// Replayed says that an earlier request with this key caused the events.
	Replayed bool
	// Err is a [captable.Error], ErrOutcomeUnknown or ErrUnavailable; nil on success.
	Err error
}

// IgnoreDeadLetterLogging keeps a reply out of the logs whose caller has stopped
// waiting.
func (*Reply) IgnoreDeadLetterLogging() {}

// View is an organization as of a sequence, for anybody to read. It never changes.
type View struct {
	State    *organization.State
	Sequence uint64
	// RecordedAt is when the last event was recorded.
	RecordedAt time.Time
	// Hash is that of the last event's row.
	Hash Hash
	// StaleSince is set while the store does not answer: since then later events may have been stored. It is zero for a
	// view that is current.
	StaleSince time.Time
}

// IgnoreDeadLetterLogging keeps a view out of the logs whose reader has stopped
// waiting.
func (*View) IgnoreDeadLetterLogging() {}

// First gives the first record of the type among those of the reply.
func First[R any](records []any) (R, bool) {
	for _, record := range records {
		if found, ok := record.(R); ok {
			return found, true
		}
	}
	var none R
	return none, false
}

// The refusals that are not the domain's. All but the last are safe to try again with
// the same idempotency key.
var (
	// ErrOutcomeUnknown says that the store failed while the command was being
	// recorded: it may or may not have taken effect.
	ErrOutcomeUnknown = &captable.Error{
		Code:    "outcomeUnknown",
		Message: "It is not known whether the change was stored. The same request with the same Idempotency-Key is safe.",
	}
	// ErrUnavailable says that the command was not carried out.
	ErrUnavailable = &captable.Error{
		Code: "unavailable", Message: "The organization cannot be reached at the moment; nothing was changed. Try again.",
	}
	// ErrDamaged refuses every request for an organization whose journal fails its checks. Trying again does not help:
	// the journal must be restored from a backup.
	ErrDamaged = &captable.Error{
		Code:    "damaged",
		Message: "The stored journal of this organization fails its checks, so it is not served. Nothing was changed. The operator must run 'equity verify'.",
	}
	// ErrClock refuses writes while the server's clock is far from the moments that are stored. Nothing was changed.
	ErrClock = &captable.Error{
		Code:    "clockSkew",
		Message: "The server's clock is far from the moment of the last stored record. Nothing was changed. The operator must set the clock, or confirm it.",
	}
	// ErrMembersMoved says that the command was made by members who are others by now.
	ErrMembersMoved = &captable.Error{
		Code: captable.CodeConflict, Message: "Others are entering members at this moment; nothing was changed. Try again.",
	}
	// ErrKeyReused says that the idempotency key came with another request before.
	ErrKeyReused = &captable.Error{
		Code: "idempotencyKeyReused", Message: "The Idempotency-Key was used with a different request before.",
	}
)
