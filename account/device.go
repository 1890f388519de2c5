package account

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"unicode"

	"equity/fault"
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

// notices reports new devices and tokens to the users of accounts by mail.
type notices struct {
	accounts Accounts
	letters  Letters
	log      *slog.Logger
}

// Find returns the caller's account. The account may be erased before its session ends.
func (n notices) Find(ctx context.Context, by Caller) (messages.User, error) {
	user, err := n.accounts.ByID(ctx, by.User)
	if fault.Is(err, fault.UserNotFound) {
		return messages.User{}, fault.Refuse(fault.Unauthorized, "Sign in first.")
	}
	return user, messages.Unavailable(ctx, "find account", err)
}

// noteDevice reports a sign-in from a new device to the user by mail. A failure does not prevent the sign-in.
func (n notices) noteDevice(ctx context.Context, by Caller, user messages.User) {
	mail, err := n.letters.Notice(by.At, user, NoticeDevice)
	if err == nil {
		err = n.accounts.NoteDevice(messages.WithoutChanges(ctx), user.ID, deviceOf(by), by.At, mail)
	}
	if err != nil {
		n.log.Warn("device not noted", "request", by.Request, "cause", err)
	}
}

// TokenNotice returns the mail about a new token of the caller.
func (n notices) TokenNotice(ctx context.Context, by Caller) (messages.Mail, error) {
	user, err := n.Find(ctx, by)
	if err != nil {
		return messages.Mail{}, err
	}
	return n.letters.Notice(by.At, user, NoticeToken)
}
