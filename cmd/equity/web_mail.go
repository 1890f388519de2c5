package main

import (
	"context"
	"time"

	"equity/actors/mail"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
)

// webAccounts wakes the courier after mail was stored, so that it is sent without delay.
type webAccounts struct {
	*persistence.Users
	courier *mail.Courier
}

func (w webAccounts) Register(ctx context.Context, r messages.Registration) error {
	defer w.courier.Knock()
	return w.Users.Register(ctx, r)
}

func (w webAccounts) RenewVerification(ctx context.Context, id organization.UserID, v messages.Verification, m messages.Mail) error {
	defer w.courier.Knock()
	return w.Users.RenewVerification(ctx, id, v, m)
}

func (w webAccounts) SendTemporaryPassword(
	ctx context.Context, id organization.UserID, t messages.TemporaryPassword, m messages.Mail,
) error {
	defer w.courier.Knock()
	return w.Users.SendTemporaryPassword(ctx, id, t, m)
}

func (w webAccounts) ChangePassword(ctx context.Context, id organization.UserID, was, hash string, m messages.Mail) error {
	defer w.courier.Knock()
	return w.Users.ChangePassword(ctx, id, was, hash, m)
}

func (w webAccounts) NoteDevice(ctx context.Context, id organization.UserID, device string, now time.Time, m messages.Mail) error {
	defer w.courier.Knock()
	return w.Users.NoteDevice(ctx, id, device, now, m)
}

func (w webAccounts) LinkIdentity(
	ctx context.Context, id organization.UserID, i messages.Identity, now time.Time, m messages.Mail,
) error {
	defer w.courier.Knock()
	return w.Users.LinkIdentity(ctx, id, i, now, m)
}

func (w webAccounts) TakeOver(ctx context.Context, t messages.TakeOver, m messages.Mail) error {
	defer w.courier.Knock()
	return w.Users.TakeOver(ctx, t, m)
}

// webTokens wakes the courier after mail was stored.
type webTokens struct {
	*persistence.APITokens
	courier *mail.Courier
}

func (w webTokens) Create(
	ctx context.Context, o messages.Once, token messages.APIToken, secret func(messages.APITokenID) string, m messages.Mail,
) (messages.APIToken, bool, error) {
	defer w.courier.Knock()
	return w.APITokens.Create(ctx, o, token, secret, m)
}

// webFactors wakes the courier after mail was stored.
type webFactors struct {
	*persistence.TwoFactors
	courier *mail.Courier
}

func (w webFactors) Enable(
	ctx context.Context, id organization.UserID, proposed messages.TwoFactor, step int64, recovery []string, m messages.Mail,
) error {
	defer w.courier.Knock()
	return w.TwoFactors.Enable(ctx, id, proposed, step, recovery, m)
}

func (w webFactors) Renew(ctx context.Context, id organization.UserID, recovery []string, m messages.Mail) error {
	defer w.courier.Knock()
	return w.TwoFactors.Renew(ctx, id, recovery, m)
}

func (w webFactors) Disable(ctx context.Context, id organization.UserID, m messages.Mail) error {
	defer w.courier.Knock()
	return w.TwoFactors.Disable(ctx, id, m)
}

// webDocuments wakes the courier after the code of a share was stored.
type webDocuments struct {
	*persistence.Documents
	courier *mail.Courier
}

func (w webDocuments) SendCode(ctx context.Context, share document.ShareID, code string, expires time.Time, m messages.Mail) error {
	defer w.courier.Knock()
	return w.Documents.SendCode(ctx, share, code, expires, m)
}
