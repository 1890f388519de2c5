package http

import "equity/messages"

// notice describes a change of a user's credentials.
type notice struct {
	Subject, What string
}

// The notices. Users are warned because the change may be unexpected.
//
//nolint:gochecknoglobals // immutable
var (
	noticePassword = notice{
		"Your password was changed", "the password of your account was changed. All other sessions were signed out.",
	}
	noticeTwoFactor = notice{
		"Two-factor authentication is on",
		"two-factor authentication was turned on for your account. All other sessions were signed out. Keep the recovery codes in a safe place.",
	}
	noticeRecovery = notice{
		"New recovery codes", "new recovery codes were made for your account. The old ones are no longer valid.",
	}
	noticeIdentity = notice{
		"Another way to sign in", "your account can now be signed in to through your identity provider too, by which somebody with your e-mail address did so.",
	}
	noticeTakeOver = notice{
		"Your account was connected with your identity provider",
		"you signed in through your identity provider. This account existed before, without proof that you had chosen its password. " +
			"Its password, second factor and sessions have ended. Check its profile and wallets. A new password can be requested on the sign-in page.",
	}
	noticeOneFactor = notice{
		"Two-factor authentication is off",
		"two-factor authentication was turned off for your account: its password alone opens it now.",
	}
)

// notify returns the mail of a notice.
func (s *Server) notify(c *Call, account messages.User, n notice) (messages.Mail, error) {
	return s.letter(c, "notice", account.Email, n.Subject, struct{ Name, What string }{account.FirstName, n.What})
}
