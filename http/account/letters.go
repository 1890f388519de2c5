package account

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"equity/account"
	"equity/http/api"
	"equity/http/letter"
	"equity/messages"
)

// Letters writes the mails of accounts with links to the pages of the server.
type Letters struct {
	*letter.Letters
	// PublicURL is the public base URL.
	PublicURL string
}

// Verification returns the mail with the code that confirms an address.
func (l Letters) Verification(at time.Time, to, code string) (messages.Mail, error) {
	return l.Letter(at, "verify", to, "Confirm your e-mail address",
		struct{ Link, Code string }{l.PageLink(api.VerifyPath, "code", code), code})
}

// TemporaryPassword returns the mail with a temporary password.
func (l Letters) TemporaryPassword(at time.Time, to, name, password string) (messages.Mail, error) {
	return l.Letter(at, "temporary", to, "Your temporary password",
		struct{ Name, Password, Link string }{name, password, strings.TrimSuffix(l.PublicURL, "/") + api.LoginPath})
}

// MagicLink returns the mail with a link that signs its recipient in.
func (l Letters) MagicLink(at time.Time, to messages.User, token string) (messages.Mail, error) {
	return l.Letter(at, "magic", to.Email, "Your link to sign in",
		struct{ Name, Link string }{to.FirstName, l.PageLink(api.LoginPath, "token", token)})
}

// Notice returns the mail about a change of the user's credentials.
func (l Letters) Notice(at time.Time, to messages.User, notice account.Notice) (messages.Mail, error) {
	switch notice {
	case account.NoticePassword:
		return l.Notify(at, to, letter.NoticePassword)
	case account.NoticeTwoFactorOn:
		return l.Notify(at, to, letter.NoticeTwoFactor)
	case account.NoticeTwoFactorOff:
		return l.Notify(at, to, letter.NoticeOneFactor)
	case account.NoticeRecoveryCodes:
		return l.Notify(at, to, letter.NoticeRecovery)
	case account.NoticeIdentityLinked:
		return l.Notify(at, to, letter.NoticeIdentity)
	case account.NoticeToken:
		return l.Notify(at, to, letter.NoticeToken)
	case account.NoticeDevice:
		return l.Notify(at, to, letter.NoticeDevice)
	case account.NoticeTakeOver:
		return l.Notify(at, to, letter.NoticeTakeOver)
	}
	return messages.Mail{}, fmt.Errorf("%w: %d", errNotice, notice)
}

var errNotice = errors.New("unknown notice")
