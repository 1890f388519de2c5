package account

import (
	"context"
	"net/netip"
	"strings"
	"unicode"

	"equity/messages"
)

// The prefixes of the networks that count as one place: a change of the address within a provider is no new device.
const (
	placeBits4 = 16
	placeBits6 = 32
)

// deviceOf returns what distinguishes the devices of a user: the kind of the browser without its version, and the wide network.
func deviceOf(by Caller) string {
	family := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, by.Agent)
	address, _, _ := strings.Cut(by.Network, "/")
	place := by.Network
	if parsed, err := netip.ParseAddr(address); err == nil {
		bits := placeBits6
		if parsed.Is4() {
			bits = placeBits4
		}
		if prefix, err := parsed.Prefix(bits); err == nil {
			place = prefix.String()
		}
	}
	return place + " " + family
}

// noteDevice reports a sign-in from a new device to the user by mail. A failure does not prevent the sign-in.
func (s *Service) noteDevice(ctx context.Context, by Caller, user messages.User) {
	mail, err := s.Letters.Notice(by.At, user, NoticeDevice)
	if err == nil {
		err = s.Accounts.NoteDevice(messages.WithoutChanges(ctx), user.ID, deviceOf(by), by.At, mail)
	}
	if err != nil {
		s.Log.Warn("device not noted", "request", by.Request, "cause", err)
	}
}

// TokenNotice returns the mail about a new token of the caller.
func (s *Service) TokenNotice(ctx context.Context, by Caller) (messages.Mail, error) {
	user, err := s.Find(ctx, by)
	if err != nil {
		return messages.Mail{}, err
	}
	return s.Letters.Notice(by.At, user, NoticeToken)
}
