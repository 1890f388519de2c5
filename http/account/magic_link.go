package account

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// MagicLinks stores single-use sign-in links.
type MagicLinks interface {
	// SendMagicLink stores a link and its mail.
	SendMagicLink(ctx context.Context, id organization.UserID, link messages.MagicLink, mail messages.Mail) error
	// ByMagicLink returns the account of a link without consuming it. For an unknown link it returns a
	// fault.Error with code userNotFound.
	ByMagicLink(ctx context.Context, token string, now time.Time) (messages.User, error)
	// UseMagicLink consumes the link. It returns false if another request consumed it first.
	UseMagicLink(ctx context.Context, token string, now time.Time) (bool, error)
}

// MagicLinkHandlers returns the handlers for signing in with a link. The contract does not declare
// these operations, because the public interface leaves them unregistered. To enable them, declare
// them and add this table to the server's.
func (f *Feature) MagicLinkHandlers(links MagicLinks) map[string]api.Handler {
	m := magicLinks{f.base, links}
	return map[string]api.Handler{"requestMagicLink": m.request, "followMagicLink": m.follow}
}

type magicLinks struct {
	*base
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
func (m magicLinks) request(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	email := strings.TrimSpace(input.Email)
	sent := api.Answer{Private: true, Record: struct {
		Sent bool `json:"sent"`
	}{true}}
	for subject, limit := range map[string]int{
		"magic link address " + c.Caller.Network(): magicsPerHost, "magic link " + messages.CanonicalEmail(email): magicsPerUser,
	} {
		wait, err := m.Throttles.Take(ctx, subject, limit, magicWindow)
		if err != nil {
			return api.Answer{}, api.Unavailable(err)
		}
		if wait > 0 {
			return sent, nil
		}
	}
	account, err := m.Accounts.ByEmail(ctx, email)
	if api.IsUnknownUser(err) {
		return sent, nil
	}
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	return sent, m.send(ctx, c, account)
}

// send creates a link and mails it.
func (m magicLinks) send(ctx context.Context, c *api.Call, account messages.User) error {
	var random [magicBytes]byte
	if _, err := io.ReadFull(m.Random, random[:]); err != nil {
		return fmt.Errorf("draw magic link: %w", err)
	}
	token := hex.EncodeToString(random[:])
	mail, err := m.Letters.Letter(c.At, "magic", account.Email, "Your link to sign in",
		struct{ Name, Link string }{account.FirstName, m.Letters.PageLink(api.LoginPath, "token", token)})
	if err != nil {
		return err
	}
	err = m.links.SendMagicLink(ctx, account.ID, messages.MagicLink{Token: token, ExpiresAt: c.At.Add(magicValid)}, mail)
	return api.Unavailable(api.Wrap(ctx, "send magic link", err))
}

// follow signs in with the token of a link and the second factor, if enabled. It checks the second
// factor before it consumes the link, so that a mistyped code does not require a new mail.
func (m magicLinks) follow(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Token          string `json:"token"`
		TwoFactorToken string `json:"twoFactorToken"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := m.Throttle(ctx, "magic link use "+c.Caller.Network(), verifiesPerHour, verifyWindow); err != nil {
		return api.Answer{}, err
	}
	account, err := m.links.ByMagicLink(ctx, input.Token, c.At)
	if api.IsUnknownUser(err) {
		return api.Answer{}, errMagicLink()
	}
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find magic link", err))
	}
	takeover := account.ProvenAt.IsZero()
	if !takeover { // a link removes unproven second factors
		if err := m.secondFactor(ctx, c, account, input.TwoFactorToken); err != nil {
			return api.Answer{}, err
		}
	}
	used, err := m.links.UseMagicLink(ctx, input.Token, c.At)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "use magic link", err))
	}
	if !used {
		return api.Answer{}, errMagicLink()
	}
	account.EmailVerifiedAt = c.At
	if takeover {
		account.ProvenAt, account.TwoFactorAt, account.MustChangePassword = c.At, time.Time{}, false
	}
	return m.signedIn(ctx, c, account, takeover)
}

func errMagicLink() error {
	return fault.Refuse(fault.AuthenticationFailed, "The link has expired or was used already. Request another one.")
}
