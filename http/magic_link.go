package http

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// MagicLinks stores single-use sign-in links.
type MagicLinks interface {
	// SendMagicLink stores a link and its mail.
	SendMagicLink(ctx context.Context, id organization.UserID, link messages.MagicLink, mail messages.Mail) error
	// ByMagicLink returns the account of a link without consuming it. For an unknown link it returns a
	// captable.Error with code userNotFound.
	ByMagicLink(ctx context.Context, token string, now time.Time) (messages.User, error)
	// UseMagicLink consumes the link. It returns false if another request consumed it first.
	UseMagicLink(ctx context.Context, token string, now time.Time) (bool, error)
}

// MagicLinkHandlers returns the handlers for signing in with a link. The contract does not declare
// these operations, because the public interface leaves them unregistered. To enable them, declare
// them and add this table to the server's.
func (s *Server) MagicLinkHandlers(links MagicLinks) map[string]Handler {
	m := magicLinks{s, links}
	return map[string]Handler{"requestMagicLink": m.request, "followMagicLink": m.follow}
}

type magicLinks struct {
	*Server
	links MagicLinks
}

const (
	magicValid    = 15 * time.Minute
	magicBytes    = 32
	magicWindow   = 15 * time.Minute
	magicsPerUser = 3
	magicsPerHost = 30
)

// request sends a link if the account exists. The answer is always the same, also for unknown
// addresses and when the rate limit suppresses the mail.
func (m magicLinks) request(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	email := strings.TrimSpace(wish.Email)
	sent := Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}
	for subject, limit := range map[string]int{
		"magic link address " + c.Caller.network(): magicsPerHost, "magic link " + canonical(email): magicsPerUser,
	} {
		wait, err := m.throttle.Take(ctx, subject, limit, magicWindow)
		if err != nil {
			return Answer{}, unavailable(err)
		}
		if wait > 0 {
			return sent, nil
		}
	}
	account, err := m.accounts.ByEmail(ctx, email)
	if isUnknownUser(err) {
		return sent, nil
	}
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find account", err))
	}
	return sent, m.send(ctx, c, account)
}

// send creates a link and mails it.
func (m magicLinks) send(ctx context.Context, c *Call, account messages.User) error {
	var random [magicBytes]byte
	if _, err := io.ReadFull(m.random, random[:]); err != nil {
		return fmt.Errorf("draw magic link: %w", err)
	}
	token := hex.EncodeToString(random[:])
	mail, err := m.letter(c, "magic", account.Email, "Your link to sign in",
		struct{ Name, Link string }{account.FirstName, m.pageLink(loginPath, "token", token)})
	if err != nil {
		return err
	}
	err = m.links.SendMagicLink(ctx, account.ID, messages.MagicLink{Token: token, ExpiresAt: c.At.Add(magicValid)}, mail)
	return unavailable(doing(ctx, "send magic link", err))
}

// follow signs in with the token of a link and the second factor, if enabled. It checks the second
// factor before it consumes the link, so that a mistyped code does not require a new mail.
func (m magicLinks) follow(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	if err := m.patience(ctx, "magic link use "+c.Caller.network(), verifiesPerHour, verifyWindow); err != nil {
		return Answer{}, err
	}
	account, err := m.links.ByMagicLink(ctx, wish.Token, c.At)
	if isUnknownUser(err) {
		return Answer{}, errMagicLink()
	}
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "find magic link", err))
	}
	takeover := account.ProvenAt.IsZero()
	if !takeover { // a link removes unproven second factors
		if err := m.secondFactor(ctx, c, account, wish.TwoFactorToken); err != nil {
			return Answer{}, err
		}
	}
	used, err := m.links.UseMagicLink(ctx, wish.Token, c.At)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "use magic link", err))
	}
	if !used {
		return Answer{}, errMagicLink()
	}
	account.EmailVerifiedAt = c.At
	if takeover {
		account.ProvenAt, account.TwoFactorAt, account.MustChangePassword = c.At, time.Time{}, false
	}
	return m.signedIn(ctx, c, account, takeover)
}

func errMagicLink() error {
	return captable.Refuse(codeAuthentication, "The link has expired or was used already. Request another one.")
}
