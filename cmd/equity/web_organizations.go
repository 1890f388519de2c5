package main

import (
	"context"

	"equity/actors"
	"equity/actors/mail"
	"equity/messages"
)

// webOrganizations tells the courier when a command had mail.
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
