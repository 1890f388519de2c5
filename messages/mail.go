package messages

import (
	"time"

	"equity/organization"
)

// Caused is a mail that is sent if an event comes about, and only then.
type Caused struct {
	// Cause is what the event is known by; see [organization.Mailing].
	Cause [32]byte
	Mail  Mail
}

// Mail is one message to one recipient, as the outbox keeps it until it is sent.
type Mail struct {
	// ID is a UUID; it serves as the Message-ID too, so that a repeated delivery can be recognized.
	ID      [16]byte
	To      string
	Subject string
	// Text and HTML are the same message twice. HTML may be empty.
	Text, HTML string
	CreatedAt  time.Time
	// Organization and Cause name the event that the mail goes with, as [Caused] does; both are zero for one that goes with none.
	Organization organization.ID
	Cause        [32]byte
	// Attempts counts the deliveries tried, the one being tried included.
	Attempts int
}
