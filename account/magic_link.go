package account

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
)

const (
	magicValid = 15 * time.Minute
	magicBytes = 32
)

// SendMagicLink mails a sign-in link if the account exists. The result is the same for unknown addresses and
// when the rate limit suppresses the mail.
func (s *Service) SendMagicLink(ctx context.Context, by Caller, email string) error {
	email = strings.TrimSpace(email)
	wait, err := by.mail(messages.MailSignIn, email).Take(ctx, s.Throttle)
	if err != nil {
		return messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return nil
	}
	user, err := s.Accounts.ByEmail(ctx, email)
	if fault.Is(err, fault.UserNotFound) {
		return nil
	}
	if err != nil {
		return messages.Unavailable(ctx, "find account", err)
	}
	var random [magicBytes]byte
	if _, err := io.ReadFull(s.Random, random[:]); err != nil {
		return fmt.Errorf("draw magic link: %w", err)
	}
	token := hex.EncodeToString(random[:])
	mail, err := s.Letters.MagicLink(by.At, user, token)
	if err != nil {
		return err
	}
	err = s.MagicLinks.SendMagicLink(ctx, user.ID, messages.MagicLink{Token: token, ExpiresAt: by.At.Add(magicValid)}, mail)
	return messages.Unavailable(ctx, "send magic link", err)
}

// FollowMagicLink permits a session to the reader of a link with the second factor, if enabled. It checks the second
// factor before it consumes the link, so that a mistyped code does not require a new mail.
func (s *Service) FollowMagicLink(ctx context.Context, by Caller, token, code string) (Entry, error) {
	if err := s.limit(ctx, "magic link use "+by.Network, verifiesPerHour, verifyWindow); err != nil {
		return Entry{}, err
	}
	user, err := s.MagicLinks.ByMagicLink(ctx, token, by.At)
	if fault.Is(err, fault.UserNotFound) {
		return Entry{}, errMagicLink()
	}
	if err != nil {
		return Entry{}, messages.Unavailable(ctx, "find magic link", err)
	}
	if err := s.checkSecondFactor(ctx, by, user, code); err != nil {
		return Entry{}, err
	}
	used, err := s.MagicLinks.UseMagicLink(ctx, token, by.At)
	if err != nil {
		return Entry{}, messages.Unavailable(ctx, "use magic link", err)
	}
	if !used {
		return Entry{}, errMagicLink()
	}
	user.EmailVerifiedAt = by.At
	takeover := user.ProvenAt.IsZero()
	if takeover {
		user.ProvenAt, user.MustChangePassword = by.At, false
	}
	entry, err := s.enter(ctx, by, user, takeover)
	if err == nil {
		s.noteDevice(ctx, by, user)
	}
	return entry, err
}

func errMagicLink() error {
	return fault.Refuse(fault.AuthenticationFailed, "The link has expired or was used already. Request another one.")
}
