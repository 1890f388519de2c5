package mail

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	gomail "github.com/wneessen/go-mail"

	"equity/messages"
)

// Files writes each message to a folder as an .eml file, for development. Mail
// programs can open it.
type Files struct {
	// Directory is created if it is missing.
	Directory string
	// From is the sender's address.
	From string
}

// Send writes the message atomically. The file name contains the time and the whole id, because ids of the same time have equal prefixes.
func (f Files) Send(_ context.Context, mail messages.Mail) error {
	message, err := compose(f.From, mail)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.Directory, 0o700); err != nil {
		return fmt.Errorf("mail directory: %w", err)
	}
	if err := os.Chmod(f.Directory, 0o700); err != nil { //nolint:gosec // a folder needs the bit to be entered
		return fmt.Errorf("mail directory: %w", err)
	}
	name := mail.CreatedAt.UTC().Format("20060102T150405.000") + "-" + hex.EncodeToString(mail.ID[:]) + ".eml"
	path := filepath.Join(f.Directory, name)
	if err := writePrivately(path+".part", message); err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	return os.Rename(path+".part", path)
}

// writePrivately writes a file that is readable by its owner only, because mails contain sign-in links.
// The mode is set again in case the file exists from an earlier attempt.
func writePrivately(path string, message *gomail.Msg) error {
	file, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = file.Chmod(0o600)
	if err == nil {
		_, err = message.WriteTo(file)
	}
	return errors.Join(err, file.Close())
}

// compose returns the message: text, with HTML as an alternative if present. It omits the header User-Agent.
func compose(from string, mail messages.Mail) (*gomail.Msg, error) {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := message.From(from); err != nil {
		return nil, fmt.Errorf("sender: %w", err)
	}
	if err := message.To(mail.To); err != nil {
		return nil, fmt.Errorf("recipient: %w", err)
	}
	message.SetMessageIDWithValue(hex.EncodeToString(mail.ID[:]) + "@equity")
	message.SetDateWithValue(mail.CreatedAt.In(time.UTC))
	message.Subject(mail.Subject)
	message.SetBodyString(gomail.TypeTextPlain, mail.Text)
	if mail.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, mail.HTML)
	}
	return message, nil
}
