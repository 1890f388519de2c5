package http

import "equity/messages"

// notice tells a person what was changed about the way they sign in.
type notice struct {
	Subject, What string
}

// noticePassword tells of another password.
var noticePassword = notice{ //nolint:gochecknoglobals // immutable
	"Your password was changed", "the password of your account was changed. All other sessions were signed out.",
}

// notify writes the mail of a notice.
func (s *Server) notify(c *Call, account messages.User, n notice) (messages.Mail, error) {
	text, html, err := compose("notice", struct{ Name, Subject, What string }{account.FirstName, n.Subject, n.What})
	return messages.Mail{ID: s.newID(), To: account.Email, Subject: n.Subject, Text: text, HTML: html, CreatedAt: c.At}, err
}
