// Package endpoint is the pure part of the room webhook: the webhooks of an organization, with their commands and events. It has the rules
// of package organization: no clock, I/O, goroutines or randomness.
package endpoint

import (
	"encoding/hex"
	"strings"

	"equity/captable"
	"equity/organization"
)

// ID identifies a webhook of an organization.
type ID = captable.ID[Webhook]

// Terms are the editable fields of a webhook.
type Terms struct {
	URL string `json:"url"`
	// Events are the selected types of [EventTypes], journal.<event type>, or "*" for all types of EventTypes.
	Events      []string `json:"events"`
	Description string   `json:"description,omitempty"`
	Active      bool     `json:"active"`
}

// Webhook is an address that receives events of the organization. The record is immutable.
type Webhook struct {
	ID ID `json:"id"`
	Terms
	// DisabledReason is the cause if the server turned the webhook off.
	DisabledReason string `json:"disabledReason,omitempty"`
	// Since is the sequence of the event that turned the webhook on. Only later events are sent.
	Since uint64 `json:"since"`
	// Author is the user who created or changed the webhook last. It acts with the rights of the author. Zero for the system.
	Author organization.UserID `json:"author,omitzero"`
	// Rights bound those of the author. They are nil in webhooks that earlier versions saved.
	Rights *organization.Rights `json:"rights,omitempty"`
	captable.Meta
}

// The limits of webhooks.
const (
	mostWebhooks    = 20
	mostURL         = 2048
	mostEvents      = 100
	mostDescription = 500
	webhookPrefix   = "wh_"
	// journalPrefix is the prefix of types that are named after events of the journal.
	journalPrefix = "journal."
	// everyEvent selects all types of EventTypes.
	everyEvent = "*"
)

// EventTypes returns the 33 types of events for webhooks.
func EventTypes() []string {
	return []string{
		"shareholding.created", "shareholding.updated", "shareholding.voided", "shareholding.transferred",
		"security.created", "security.updated", "security.deleted", "option.exercised", "option.exercise_requested",
		"holding.created", "holding.updated", "holding.deleted", "holding.converted", "holding.repaid",
		"valuation.created", "valuation.updated",
		"organization.created", "organization.updated", "member.invited", "member.added", "member.removed", "member.updated",
		"role.created", "role.updated", "role.deleted",
		"document.uploaded", "document.moved", "document.deleted", "folder.created",
		"subscription.created", "subscription.cancelled", "payment.succeeded", "payment.failed",
	}
}

// Name returns the name of a webhook in the API: wh_ and 32 hexadecimal digits.
func Name(id ID) string { return webhookPrefix + hex.EncodeToString(id[:]) }

// ParseName returns the id of a webhook with the name, or false if the text is not a name.
func ParseName(name string) (id ID, ok bool) {
	digits, prefixed := strings.CutPrefix(name, webhookPrefix)
	if !prefixed || len(digits) != hex.EncodedLen(len(id)) || digits != strings.ToLower(digits) {
		return ID{}, false
	}
	_, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil
}

// Selects reports whether the webhook is active and selects the type of event.
func (w *Webhook) Selects(eventType string) bool {
	if !w.Active {
		return false
	}
	for _, selected := range w.Events {
		if selected == eventType || selected == everyEvent && !strings.HasPrefix(eventType, journalPrefix) {
			return true
		}
	}
	return false
}

// Needs returns the permissions without which events of the selected types are not sent.
func (w *Webhook) Needs() (needed organization.Permissions) {
	for _, selected := range w.Events {
		subject, _, _ := strings.Cut(selected, ".")
		switch subject {
		case everyEvent:
			return needed | organization.NewPermissions(organization.ViewCapTable, organization.ViewMembers, organization.ViewDocuments, organization.EditBilling)
		case "shareholding", "security", "option", "holding", "valuation", "journal":
			needed |= organization.NewPermissions(organization.ViewCapTable)
		case organization.KindMember:
			needed |= organization.NewPermissions(organization.ViewMembers)
		case organization.KindDocument, "folder":
			needed |= organization.NewPermissions(organization.ViewDocuments)
		case organization.KindSubscription, "payment":
			needed |= organization.NewPermissions(organization.EditBilling)
		}
	}
	return needed
}
