package persistence

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// sealedMark is the prefix of encrypted contents. Rows of earlier versions do not have it: they are
// plain text until SealWaiting encrypts them.
const sealedMark = "sealed1:"

var errNoSecrets = errors.New("the message is sealed, and the secrets of the store are not open")

// mailContents are the parts of a message that may contain a code, a link or a temporary password.
type mailContents struct {
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
}

// sealedFor returns the associated data that binds encrypted contents to their message.
func sealedFor(id [16]byte) []byte { return append([]byte("outbox "), id[:]...) }

// sealMail returns the message in its stored form, which is encrypted if the secrets are not nil. Programs that
// send mail open them first.
func (s *Secrets) sealMail(mail Mail) (Mail, error) {
	if s == nil {
		return mail, nil
	}
	contents, err := json.Marshal(mailContents{mail.Subject, mail.Text, mail.HTML})
	if err != nil {
		return mail, fmt.Errorf("seal mail: %w", err)
	}
	sealed, err := s.Seal(contents, sealedFor(mail.ID))
	if err != nil {
		return mail, fmt.Errorf("seal mail: %w", err)
	}
	mail.Subject, mail.Text, mail.HTML = "", sealedMark+base64.StdEncoding.EncodeToString(sealed), ""
	return mail, nil
}

// openMail decrypts the contents of a stored message.
func (s *Secrets) openMail(ctx context.Context, mail Mail) (Mail, error) {
	text, isSealed := strings.CutPrefix(mail.Text, sealedMark)
	if !isSealed {
		return mail, nil
	}
	if s == nil {
		return mail, errNoSecrets
	}
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return mail, fmt.Errorf("open mail: %w", err)
	}
	plain, err := s.Open(ctx, sealed, sealedFor(mail.ID))
	if err != nil {
		return mail, fmt.Errorf("open mail: %w", err)
	}
	var contents mailContents
	if err := json.Unmarshal(plain, &contents); err != nil {
		return mail, fmt.Errorf("open mail: %w", err)
	}
	mail.Subject, mail.Text, mail.HTML = contents.Subject, contents.Text, contents.HTML
	return mail, nil
}

// SealWaiting encrypts pending messages that an earlier version stored as plain text. It is called when a server starts.
func (o *Outbox) SealWaiting(ctx context.Context) error {
	plain, err := o.plainMails(ctx)
	if err != nil {
		return err
	}
	for _, mail := range plain {
		sealed, err := o.db.secrets.Load().sealMail(mail)
		if err != nil {
			return err
		}
		err = Execute(ctx, o.db.writer, "seal mail", `UPDATE outbox SET subject = $2, plain_text = $3, html = $4
			WHERE id = $1 AND next_attempt_at IS NOT NULL AND plain_text NOT LIKE $5`,
			mail.ID[:], sealed.Subject, sealed.Text, sealed.HTML, sealedMark+"%")
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *Outbox) plainMails(ctx context.Context) ([]Mail, error) {
	return Collect(ctx, o.db.reader, "list plain mail", func(row Row) (mail Mail, err error) {
		err = row.Scan(IntoBytes(mail.ID[:]), &mail.Subject, &mail.Text, &mail.HTML)
		return mail, err
	}, `SELECT id, subject, plain_text, html FROM outbox WHERE next_attempt_at IS NOT NULL AND plain_text NOT LIKE $1`, sealedMark+"%")
}
