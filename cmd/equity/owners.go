package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/actors/mail"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// owners informs the owners of organizations by mail.
type owners struct {
	*assembly
	now func() time.Time
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

// Inform stores a mail to each owner with an account. Its id depends on the key and the owner, so that a repetition stores no second one.
func (o owners) Inform(ctx context.Context, view *messages.View, key, subject, text string) error {
	return o.informEach(ctx, view, key, subject, func(organization.UserID) string { return text })
}

// informEach is Inform with a text for each owner. An owner with an empty text gets no mail.
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
