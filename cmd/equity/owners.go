package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/actors/billing"
	"equity/actors/mail"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
)

// owners informs the owners of organizations by mail.
type owners struct {
	*assembly
	now func() time.Time
}

// WebhookDisabled stores a mail about a webhook that was turned off. There is one for each start of the webhook.
func (o owners) WebhookDisabled(ctx context.Context, view *messages.View, hook *organization.Webhook, reason string) error {
	name := organization.WebhookName(hook.ID)
	return o.inform(ctx, view, fmt.Sprintf("webhook %s %d", name, hook.Since), "A webhook was turned off",
		"A webhook of "+nameOf(view)+" was turned off.\n\nWebhook: "+name+"\nReason: "+reason+"\n\n"+
			"Turn it on again when its address accepts events. Events in between are sent only by a replay.\n")
}

// PaymentDue stores a mail about an unpaid invoice.
func (o owners) PaymentDue(ctx context.Context, view *messages.View, reminder billing.Reminder) error {
	return o.inform(ctx, view, reminder.Key, "A payment for "+nameOf(view)+" failed", fmt.Sprintf(
		"The invoice for the subscription of %s is unpaid since %d days.\n\n"+
			"Update the payment method in the billing settings. Until %s, nothing changes. Afterwards, no further shareholders and members "+
			"can be added beyond the limits of the plan START. All records stay readable and can be exported at any time.\n",
		nameOf(view), reminder.Day, reminder.GraceEndsAt.UTC().Format("2 January 2006")))
}

// FileInfected stores a mail about an infected file.
func (o owners) FileInfected(ctx context.Context, view *messages.View, file *document.File, malware string) error {
	return o.inform(ctx, view, "infected "+file.ID.String(), "An infected file was uploaded",
		"The virus scan found a file of "+nameOf(view)+" infected.\n\nFile: "+file.Name+"\nFound: "+oneLine(malware)+"\n\n"+
			"It cannot be opened or downloaded. Delete it, and check the device from which it was uploaded.\n")
}

// inform stores a mail to each owner with an account. Its id depends on the key and the owner, so that a repetition stores no second one.
func (o owners) inform(ctx context.Context, view *messages.View, key, subject, text string) error {
	for member := range view.State.Members() {
		if member.User.IsZero() || member.Status == organization.StatusRemoved || !slices.Contains(member.Roles, organization.RoleOwner) {
			continue
		}
		owner, err := o.users.ByID(ctx, member.User)
		if err != nil {
			o.log.Warn("owner not informed", "subject", subject, "cause", err)
			continue
		}
		err = persistence.NewOutbox(o.db).Defer(ctx, messages.Mail{
			ID: mail.ID(key + " " + member.User.String()), To: owner.Email, Subject: subject, Text: text, CreatedAt: o.now(),
		})
		if err != nil {
			return err
		}
	}
	o.courier.Knock()
	return nil
}

// nameOf returns the name of the organization in one line.
func nameOf(view *messages.View) string { return oneLine(view.State.Profile().Name) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
