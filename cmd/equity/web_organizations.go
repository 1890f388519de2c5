package main

import (
	"context"
	"errors"
	"time"

	"equity/actors"
	"equity/actors/mail"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// webOrganizations wakes the courier after a command with mail.
type webOrganizations struct {
	*actors.Organizations
	courier *mail.Courier
}

func (w webOrganizations) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	if len(command.Mails) > 0 {
		defer w.courier.Knock()
	}
	return w.Organizations.Do(ctx, command)
}

// invitations reports bounced invitations to their organizations.
type invitations struct {
	organizations *actors.Organizations
	now           func() time.Time
}

// Bounced reports a bounced invitation to its organization. Invitations that were since answered or sent again are ignored.
func (i invitations) Bounced(ctx context.Context, m messages.Mail) error {
	_, err := i.organizations.Do(ctx, messages.Command{
		Organization: m.Organization, By: "system:mail", At: i.now(), Body: organization.BounceInvitation{Hash: m.Cause},
	})
	if refusal, ok := errors.AsType[*fault.Error](err); ok && refusal.Code == fault.NotFound {
		return nil
	}
	return err
}
