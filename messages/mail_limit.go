package messages

import (
	"context"
	"time"

	"equity/organization"
)

// MailKind is the reason of a mail to an address that a user has chosen.
type MailKind string

// The kinds of such mails.
const (
	// MailInvitation invites to an organization or to the service.
	MailInvitation MailKind = "invitation"
	// MailAddressChange tells a former address of a holder that another one replaces it. The change is refused with its mail.
	MailAddressChange MailKind = "addressChange"
	// MailCode carries the code of a shared document.
	MailCode MailKind = "code"
)

// ChosenMail is a mail to an address that a user has chosen. The dimensions that are empty are not counted.
type ChosenMail struct {
	Kind      MailKind
	Recipient string
	// Sender identifies the user who causes the mail, Network the network of the request.
	Sender, Network string
	Organization    organization.ID
}

// mailWindow is the window of the limits of mails.
const mailWindow = 24 * time.Hour

// mailLimit is the number of mails in a window.
type mailLimit struct {
	subject string
	most    int
}

// limits is the table of the limits of mails to chosen addresses, over all organizations and operations.
func (m ChosenMail) limits() []mailLimit {
	const perOrganization = 10 // to one address, so that an organization does not use up the limit of others
	subject := "mail " + string(m.Kind) + " to " + CanonicalEmail(m.Recipient)
	toRecipient := map[MailKind]int{MailInvitation: 10, MailCode: 30, MailAddressChange: 5}
	limits := []mailLimit{{subject + " of " + m.Organization.String(), perOrganization}, {subject, toRecipient[m.Kind]}}
	if m.Sender != "" {
		limits = append(limits, mailLimit{"mail by " + m.Sender, 1000}) //nolint:mnd // the table
	}
	if m.Network != "" {
		limits = append(limits, mailLimit{"mail from " + m.Network, 2000}) //nolint:mnd // an office may share one address
	}
	if !m.Organization.IsZero() {
		limits = append(limits, mailLimit{"mail of " + m.Organization.String(), 2000}) //nolint:mnd // the table
	}
	return limits
}

// Take counts the mail before it is sent. It returns zero if the mail is within all limits, and otherwise the time to wait.
func (m ChosenMail) Take(
	ctx context.Context, throttle interface {
		Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
	},
) (time.Duration, error) {
	for _, limit := range m.limits() {
		if wait, err := throttle.Take(ctx, limit.subject, limit.most, mailWindow); err != nil || wait > 0 {
			return wait, err
		}
	}
	return 0, nil
}
