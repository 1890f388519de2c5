package messages

import (
	"encoding/json"
	"fmt"
	"time"

	"equity/organization"
)

// EventMail is a mail that is sent only if its event is recorded.
type EventMail struct {
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
	// Organization and Cause identify the event that caused the mail; see [EventMail]. Both are zero for other mails.
	Organization organization.ID
	Cause        [32]byte
	// Attempts counts the delivery attempts, including the current one.
	Attempts int
}

// letter is the stored form of a sealed mail.
type letter struct {
	To        string    `json:"to"`
	Subject   string    `json:"subject"`
	Text      string    `json:"text"`
	HTML      string    `json:"html,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

// sealed returns the contents of the mail as a sealed value.
func (c EventMail) sealed() Sealed {
	m := c.Mail
	value, err := json.Marshal(letter{m.To, m.Subject, m.Text, m.HTML, m.CreatedAt})
	if err != nil {
		panic(err) // the letter is plain data
	}
	return Sealed{Name: MailName(c.Cause), Address: m.To, Value: value}
}

// OpenLetter returns the mail of a sealed value. Its id, organization and cause are not stored with it.
func OpenLetter(value []byte) (Mail, error) {
	var l letter
	if err := json.Unmarshal(value, &l); err != nil {
		return Mail{}, fmt.Errorf("read letter: %w", err)
	}
	return Mail{To: l.To, Subject: l.Subject, Text: l.Text, HTML: l.HTML, CreatedAt: l.CreatedAt}, nil
}
