package endpoint

import (
	"equity/captable"
	"equity/organization"
)

// Created records a new webhook.
type Created struct {
	ID    ID    `json:"id"`
	Terms Terms `json:"terms"`
	// Rights are those of the author.
	Rights *organization.Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (Created) EventType() string { return "webhookCreated" }

// Creates returns the webhook.
func (e Created) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kind}}
}

// Records returns the webhook.
func (e Created) Records(s *organization.State) []any { return recordOf(s, e.ID) }

func (e Created) Apply(s *organization.State, stamp captable.Stamp) {
	edited(s).Set(e.ID, &Webhook{
		ID: e.ID, Terms: e.Terms, Since: stamp.Sequence, Author: organization.AccountOf(stamp), Rights: e.Rights, Meta: captable.NewMeta(stamp),
	})
}

// Changed records the new terms of a webhook.
type Changed struct {
	ID    ID    `json:"id"`
	Terms Terms `json:"terms"`
	// SecretReplaced reports that the webhook has a new secret.
	SecretReplaced bool `json:"secretReplaced,omitempty"`
	// Rights are those of the author, who takes the webhook over. A new secret does not change them.
	Rights *organization.Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (Changed) EventType() string { return "webhookChanged" }

// Creates returns nil.
func (Changed) Creates() []captable.Created { return nil }

// Records returns the webhook.
func (e Changed) Records(s *organization.State) []any { return recordOf(s, e.ID) }

func (e Changed) Affects(*organization.State) []organization.Reference { return affected(e.ID) }

func (e Changed) Apply(s *organization.State, stamp captable.Stamp) {
	change(s, e.ID, stamp, func(w *Webhook) {
		if e.Terms.Active && !w.Active {
			w.Since, w.DisabledReason = stamp.Sequence, ""
		}
		w.Terms = e.Terms
		if !e.SecretReplaced {
			w.Author, w.Rights = organization.AccountOf(stamp), e.Rights
		}
	})
}

// Deleted records the deletion of a webhook.
type Deleted struct {
	ID ID `json:"id"`
}

// EventType returns the event's name in the journal.
func (Deleted) EventType() string { return "webhookDeleted" }

// Creates returns nil.
func (Deleted) Creates() []captable.Created { return nil }

// Records returns nil: the webhook no longer exists.
func (Deleted) Records(*organization.State) []any { return nil }

func (e Deleted) Affects(*organization.State) []organization.Reference { return affected(e.ID) }

func (e Deleted) Apply(s *organization.State, _ captable.Stamp) { edited(s).Delete(e.ID) }

// Disabled records that the server turned a webhook off.
type Disabled struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason"`
}

// EventType returns the event's name in the journal.
func (Disabled) EventType() string { return "webhookDisabled" }

// Creates returns nil.
func (Disabled) Creates() []captable.Created { return nil }

// Records returns the webhook.
func (e Disabled) Records(s *organization.State) []any { return recordOf(s, e.ID) }

func (e Disabled) Affects(*organization.State) []organization.Reference { return affected(e.ID) }

func (e Disabled) Apply(s *organization.State, stamp captable.Stamp) {
	change(s, e.ID, stamp, func(w *Webhook) { w.Active, w.DisabledReason = false, e.Reason })
}

func affected(id ID) []organization.Reference { return []organization.Reference{{Kind: kind, ID: id}} }

func recordOf(s *organization.State, id ID) []any {
	if webhook, ok := Of(s).Get(id); ok {
		return []any{webhook}
	}
	return nil
}

func change(s *organization.State, id ID, stamp captable.Stamp, edit func(*Webhook)) {
	if old, ok := Of(s).Get(id); ok {
		next := *old
		edit(&next)
		next.Touch(stamp)
		edited(s).Set(id, &next)
	}
}
