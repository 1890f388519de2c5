package messages

import "time"

// The states of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryRetrying  = "retrying"
	DeliveryFailed    = "failed"
)

// DeliveryPosition is a position in the list of deliveries, whose order is the time of the last attempt, latest first, and then the
// id of the event.
type DeliveryPosition struct {
	// Before is the time of the last attempt; zero for the beginning of the list.
	Before time.Time
	// After is the id of an event. The list continues with the deliveries of the same time behind it; empty for earlier times only.
	After string
}

// Delivery is one event for one webhook, with the outcome of its last attempt.
type Delivery struct {
	// Webhook is the name of the webhook in the API.
	Webhook   string
	EventID   string
	EventType string
	// Sequence is that of the event in the journal.
	Sequence uint64
	// State is one of the Delivery constants.
	State string
	// StatusCode is the status of the last answer; 0 without an answer.
	StatusCode int
	Attempts   int
	// Duration is that of the last attempt.
	Duration time.Duration
	// Failure is the cause of a failed attempt.
	Failure   string
	CreatedAt time.Time
	// AttemptedAt is the time of the last attempt, NextAttemptAt that of the next one; zero for none.
	AttemptedAt, NextAttemptAt time.Time
	// Body is the content of the event. It is stored only while an attempt is scheduled.
	Body []byte
}
