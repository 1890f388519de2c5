package messages

import (
	"time"

	"equity/organization"
)

// Caused is a mail that is sent only if its event is recorded.
type Caused struct {
	// Cause identifies the event; see [organization.Mailing].
	Cause [32]byte
	Mail  Mail
}

// Mail is one message to one recipient, in the form in which the outbox stores it.
type Mail struct {
	// ID is a UUID. It is also the Message-ID, so that a repeated delivery can be detected.
	ID      [16]byte
	To      string
	Subject string
	// Text and HTML are alternatives with the same content. HTML may be empty.
	Text, HTML string
	CreatedAt  time.Time
	// Organization and Cause identify the event that caused the mail; see [Caused]. Both are zero for other mails.
	Organization organization.ID
	Cause        [32]byte
	// Attempts counts the delivery attempts, including the current one.
	Attempts int
}
