package mail

import (
	"context"
	"errors"
	"fmt"

	gomail "github.com/wneessen/go-mail"

	"equity/messages"
)

// Security is the encryption of the connection to the mail server.
type Security string

// The kinds of encryption.
const (
	// StartTLS requires an upgrade of the connection to TLS.
	StartTLS Security = "starttls"
	// ImplicitTLS uses TLS from the first byte.
	ImplicitTLS Security = "tls"
	// Plain is unencrypted: for a server on the same machine.
	Plain Security = "none"
)

// SMTP sends through a mail server.
type SMTP struct {
	Host     string
	Port     int
	Security Security
	Username string
	Password string
	// From is the sender's address.
	From string
}

// Send delivers the message over a new connection.
func (s SMTP) Send(ctx context.Context, mail messages.Mail) error {
	message, err := compose(s.From, mail)
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	if err := client.DialAndSendWithContext(ctx, message); err != nil {
		if failed, ok := errors.AsType[*gomail.SendError](err); ok && failed.Reason == gomail.ErrSMTPRcptTo {
			if failed.IsTemp() {
				return fmt.Errorf("send mail: %w: %w", ErrDeferred, err)
			}
			return fmt.Errorf("send mail: %w: %w", ErrRefused, err)
		}
		return fmt.Errorf("send mail: %w", err)
	}
	return nil
}

// Ping connects, encrypts the connection and signs in as Send does, and sends no message.
func (s SMTP) Ping(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return fmt.Errorf("connect to the mail server: %w", err)
	}
	if err := client.Close(); err != nil {
		return fmt.Errorf("leave the mail server: %w", err)
	}
	return nil
}

// client returns a client without a connection.
func (s SMTP) client() (*gomail.Client, error) {
	options := []gomail.Option{gomail.WithPort(s.Port)}
	switch s.Security {
	case StartTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case ImplicitTLS:
		options = append(options, gomail.WithSSL())
	case Plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if s.Username != "" {
		options = append(options,
			gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.Username), gomail.WithPassword(s.Password))
	}
	client, err := gomail.NewClient(s.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("mail server: %w", err)
	}
	return client, nil
}
