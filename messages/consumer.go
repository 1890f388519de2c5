package messages

import (
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"equity/organization"
)

// WakeLease is the time for which a stored alarm belongs to the server that stored or claimed it. After that time, another
// server may claim it.
const WakeLease = 2 * time.Minute

// Wake requests that an instance of a consumer handles events. It is stored with these events as a durable alarm.
type Wake struct {
	Consumer string
	// First and Last are the sequences of the first and the last event that the consumer wants.
	First, Last uint64
	// Armed reports that the instance knows its alarm to be stored: it only notes the last event. Should the alarm be missing
	// nevertheless, because another server has removed it in the meantime, it is stored again and due at once.
	Armed bool
	// Open leaves the alarm to the server that has claimed it, or claims it first. It is due at once.
	Open bool
}

// EventID returns the identity of an event for consumers: <organization>:<sequence>.
func EventID(id organization.ID, sequence uint64) string {
	return id.String() + ":" + strconv.FormatUint(sequence, 10)
}

// The states of a consumer in one organization.
const (
	// ConsumerOff: the consumer has no work in the organization.
	ConsumerOff = "off"
	// ConsumerOK: the last attempt succeeded.
	ConsumerOK = "ok"
	// ConsumerRetrying: the last attempt failed. The next one is scheduled.
	ConsumerRetrying = "retrying"
	// ConsumerFailed: no attempt is scheduled. A user must retry or skip.
	ConsumerFailed = "failed"
)

// Cursor is the progress of a consumer in one organization. The zero value is that of a consumer that never ran.
type Cursor struct {
	// Sequence is the last event whose effect is complete. Events before the first wanted one count as complete.
	Sequence uint64
	// Epoch is the event since which the consumer is active. It changes if the consumer is turned on again.
	Epoch uint64
	// State is one of the Consumer constants; empty if the consumer never ran.
	State string
	// Failures counts the failed attempts since the last success. FailingSince is the time of the first of them.
	Failures     int
	FailingSince time.Time
	// LastSuccessAt is the time of the last complete effect.
	LastSuccessAt time.Time
	LastError     string
	// NextAttemptAt is the time before which no attempt is made; zero if attempts are allowed.
	NextAttemptAt time.Time
	// Version counts the stored changes. It fences concurrent writers of the cursor.
	Version uint64
}

// Alarm is a durable appointment of a consumer. It exists while work is pending.
type Alarm struct {
	Organization organization.ID
	Consumer     string
	// DueAt is zero if the alarm is paused.
	DueAt, LeasedUntil time.Time
	// First and Last are the wanted events that are known to be pending. They may be before the cursor.
	First, Last uint64
	// Generation differs after each request of a user or a program, such as a replay.
	Generation uint64
}

// Rest is the change of an alarm after a round of a consumer.
type Rest struct {
	// DueAt is the time of the next round. Zero pauses the alarm.
	DueAt time.Time
	// LeasedUntil keeps other servers from claiming the alarm; it is zero if any server may.
	LeasedUntil time.Time
	// Generation is that of the loaded alarm. An alarm with another one stays as it is.
	Generation uint64
}

// ConsumerStatus is the visible state of a consumer in one organization.
type ConsumerStatus struct {
	// Name is the consumer, Instance the part of it behind a slash; it may be empty.
	Name, Instance string
	Cursor
	// Behind is the number of events between the cursor and the end of the journal, or 0 without pending work.
	Behind uint64
	// Event is the sequence that a failed or retrying consumer cannot handle; otherwise 0.
	Event uint64
}

// Sealed is a secret value that is stored with the events of a batch and never enters the journal. The store encrypts it.
type Sealed struct {
	// Name identifies the value within the organization.
	Name string
	// Address is the e-mail address of a person whom the value concerns, so that it can be erased. It may be empty.
	Address string
	Value   []byte
}

// MailName returns the name of the sealed mail with this cause.
func MailName(cause [32]byte) string { return "mail/" + hex.EncodeToString(cause[:]) }

var (
	// ErrCursorMoved reports that the cursor was changed since it was read. Nothing was stored.
	ErrCursorMoved = errors.New("consumer: the cursor was changed concurrently")
	// ErrNotFailed reports a retry or a skip of a consumer that is not waiting for one.
	ErrNotFailed = errors.New("consumer: the consumer has no failing event with this sequence")
	// ErrNotSealed reports that no sealed value has the name.
	ErrNotSealed = errors.New("there is no sealed value with this name")
)
