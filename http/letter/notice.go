package letter

import (
	"time"

	"equity/messages"
)

// notice describes a change of a user's credentials.
type notice struct {
	Subject, What string
}

// The notices. Users are warned because the change may be unexpected.
//
//nolint:gochecknoglobals // immutable
var (
	NoticePassword = notice{
		"Your password was changed", "the password of your account was changed. All other sessions were signed out.",
	}
	NoticeTwoFactor = notice{
		"Two-factor authentication is on",
		"two-factor authentication was turned on for your account. All other sessions were signed out. Keep the recovery codes in a safe place.",
	}
	NoticeRecovery = notice{
		"New recovery codes", "new recovery codes were made for your account. The old ones are no longer valid.",
	}
	NoticeIdentity = notice{
		"Another way to sign in",
		"your account was linked to your identity provider, because someone signed in there with your e-mail address. It now also accepts sign-ins through the provider.",
	}
	NoticeTakeOver = notice{
		"Your account was connected with your identity provider",
		"you signed in through your identity provider. This account existed before, without proof that you had chosen its password. " +
			"Its password, second factor and sessions have ended. Check its profile and wallets. A new password can be requested on the sign-in page.",
	}
	NoticeToken = notice{
		"A new API token",
		"an API token was created for your account. Programs with it can act as you within its scopes. The settings list and end tokens.",
	}
	NoticeDevice = notice{
		"A sign-in from a new device", "someone signed in to your account from a browser or network that you have not used before. " +
			"If it was not you, change your password and end all sessions.",
	}
	NoticeOneFactor = notice{
		"Two-factor authentication is off",
		"two-factor authentication was turned off for your account: its password alone opens it now.",
	}
)

// Notify returns the mail of a notice.
func (l *Letters) Notify(at time.Time, account messages.User, n notice) (messages.Mail, error) {
	return l.Letter(at, "notice", account.Email, n.Subject, struct{ Name, What string }{account.FirstName, n.What})
}
