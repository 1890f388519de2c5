package messages

import (
	"context"
	"slices"
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
	// MailRegistration carries the first code that confirms the address of an account, and MailVerification a later one.
	MailRegistration MailKind = "registration"
	MailVerification MailKind = "verification"
	// MailReset carries a temporary password, and MailSignIn a sign-in link.
	MailReset  MailKind = "reset"
	MailSignIn MailKind = "signIn"
)

// ChosenMail is a mail to an address that a user has chosen. The dimensions that are empty are not counted. Mails that an account needs
// have kinds of their own, so that other mails to the address do not use up their limits.
type ChosenMail struct {
	Kind      MailKind
	Recipient string
	// Cooldown is the configured time between two verification mails to one address; zero for no limit.
	Cooldown time.Duration
	// Sender identifies the user who causes the mail, Network the network of the request.
	Sender, Network string
	Organization    organization.ID
}

const (
	mailDay    = 24 * time.Hour
	linkWindow = 15 * time.Minute
)

// mailRate is the number of mails in a window; the zero value has no limit.
type mailRate struct {
	most   int
	window time.Duration
}

// kindRates are the limits of one kind of mail.
type kindRates struct{ perRecipient, perNetwork mailRate }

// kindRates is the table of the limits of single kinds, over all organizations and operations.
func (m ChosenMail) kindRates() kindRates {
	return map[MailKind]kindRates{
		MailInvitation:    {perRecipient: mailRate{10, mailDay}},
		MailCode:          {perRecipient: mailRate{30, mailDay}},
		MailAddressChange: {perRecipient: mailRate{5, mailDay}},
		MailRegistration:  {}, // an address has one account
		MailVerification:  {perRecipient: mailRate{1, m.Cooldown}, perNetwork: mailRate{30, time.Hour}},
		// A valid temporary password refuses another one. A count of requests would let a stranger block the owner of the account. The
		// answer reveals whether the account exists.
		MailReset:  {perNetwork: mailRate{30, time.Hour}},
		MailSignIn: {perRecipient: mailRate{3, linkWindow}, perNetwork: mailRate{30, linkWindow}},
	}[m.Kind]
}

// mailLimit is a limit of the mails with a subject.
type mailLimit struct {
	subject string
	mailRate
}

// limits returns the limits of the mail. The network is counted first, so that a network beyond its limits does not use up those of a
// recipient.
func (m ChosenMail) limits() (limits []mailLimit) {
	kind, subject := m.kindRates(), "mail "+string(m.Kind)
	if m.Network != "" { // an office may share one address
		limits = append(
			limits, mailLimit{subject + " from " + m.Network, kind.perNetwork},
			mailLimit{"mail from " + m.Network, mailRate{2000, mailDay}},
		)
	}
	if m.Recipient != "" {
		to := subject + " to " + CanonicalEmail(m.Recipient)
		if !m.Organization.IsZero() { // an organization does not use up the limit of others
			limits = append(limits, mailLimit{to + " of " + m.Organization.String(), mailRate{10, mailDay}})
		}
		limits = append(limits, mailLimit{to, kind.perRecipient})
	}
	if m.Sender != "" {
		limits = append(limits, mailLimit{"mail by " + m.Sender, mailRate{1000, mailDay}})
	}
	if !m.Organization.IsZero() {
		limits = append(limits, mailLimit{"mail of " + m.Organization.String(), mailRate{2000, mailDay}})
	}
	return slices.DeleteFunc(limits, func(limit mailLimit) bool { return limit.window == 0 })
}

// Take counts the mail before it is sent. It returns zero if the mail is within all limits, and otherwise the time to wait.
func (m ChosenMail) Take(
	ctx context.Context, throttle interface {
		Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
	},
) (time.Duration, error) {
	for _, limit := range m.limits() {
		if wait, err := throttle.Take(ctx, limit.subject, limit.most, limit.window); err != nil || wait > 0 {
			return wait, err
		}
	}
	return 0, nil
}
