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

// listedEntries is the number of entries that a mail lists.
const listedEntries = 20

// EntriesRecorded stores a mail to each Owner with the entries of others, and with all changed addresses of holders.
func (o owners) EntriesRecorded(ctx context.Context, view *messages.View, key string, entries []mail.Entry) error {
	return o.informEach(ctx, view, key, "Entries to check in "+nameOf(view), func(owner organization.UserID) string {
		var b strings.Builder
		count := 0
		for _, entry := range entries {
			if entry.Author == owner && !entry.Address {
				continue
			}
			if count++; count > listedEntries {
				continue
			}
			author := "The system"
			if member, ok := view.State.MemberBy(entry.Author); ok {
				author = oneLine(member.FullName)
			}
			reason := "gains by this entry"
			if entry.Address {
				reason = "changed the e-mail address of a holder"
			}
			fmt.Fprintf(&b, "Entry %d (%s): %s %s.\n", entry.Sequence, entry.Type, author, reason)
		}
		if count == 0 {
			return ""
		}
		if count > listedEntries {
			fmt.Fprintf(&b, "And %d more.\n", count-listedEntries)
		}
		return "These entries were recorded in " + nameOf(view) + ".\n\n" + b.String() + "\nCheck them on the activity page:\n" +
			strings.TrimSuffix(o.config.PublicURL, "/") + "/company/" + view.State.ID().String() + "/activity\n"
	})
}

// inform stores a mail to each owner with an account. Its id depends on the key and the owner, so that a repetition stores no second one.
func (o owners) inform(ctx context.Context, view *messages.View, key, subject, text string) error {
	return o.informEach(ctx, view, key, subject, func(organization.UserID) string { return text })
}

// informEach is inform with a text for each owner. An owner with an empty text gets no mail.
func (o owners) informEach(ctx context.Context, view *messages.View, key, subject string, text func(organization.UserID) string) error {
	for member := range view.State.Members() {
		if member.User.IsZero() || member.Status == organization.StatusRemoved || !slices.Contains(member.Roles, organization.RoleOwner) {
			continue
		}
		content := text(member.User)
		if content == "" {
			continue
		}
		owner, err := o.users.ByID(ctx, member.User)
		if err != nil {
			o.log.Warn("owner not informed", "subject", subject, "cause", err)
			continue
		}
		err = persistence.NewOutbox(o.db).Defer(ctx, messages.Mail{
			ID: mail.ID(key + " " + member.User.String()), To: owner.Email, Subject: subject, Text: content, CreatedAt: o.now(),
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
