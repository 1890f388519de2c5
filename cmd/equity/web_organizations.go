package main

import (
	"context"
	"errors"
	"time"

	"equity/actors"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// invitations reports bounced invitations to their organizations. The organizations are started after the consumers that use
// them.
type invitations struct {
	organizations func() *actors.Organizations
	now           func() time.Time
}

// Bounced reports a bounced invitation to its organization. Invitations that were since answered or sent again are ignored.
func (i invitations) Bounced(ctx context.Context, m messages.Mail) error {
	_, err := i.organizations().Do(ctx, messages.Command{
		Organization: m.Organization, By: "system:mail", At: i.now(), Body: organization.BounceInvitation{Hash: m.Cause},
	})
	if refusal, ok := errors.AsType[*fault.Error](err); ok && refusal.Code == fault.NotFound {
		return nil
	}
	return err
}
