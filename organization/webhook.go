package organization

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
)

// WebhookID identifies a webhook of an organization.
type WebhookID = captable.ID[Webhook]

// WebhookTerms are the editable fields of a webhook.
type WebhookTerms struct {
	URL string `json:"url"`
	// Events are the selected types of [WebhookEvents], journal.<event type>, or "*" for all types of WebhookEvents.
	Events      []string `json:"events"`
	Description string   `json:"description,omitempty"`
	Active      bool     `json:"active"`
}

// Webhook is an address that receives events of the organization. The record is immutable.
type Webhook struct {
	ID WebhookID `json:"id"`
	WebhookTerms
	// DisabledReason is the cause if the server turned the webhook off.
	DisabledReason string `json:"disabledReason,omitempty"`
	// Since is the sequence of the event that turned the webhook on. Only later events are sent.
	Since uint64 `json:"since"`
	// Author is the user with whose rights the webhook acts: who created or changed it last. Zero for the system.
	Author UserID `json:"author,omitzero"`
	// Rights bound those of the author. Webhooks that were saved by earlier versions have none.
	Rights *Rights `json:"rights,omitempty"`
	captable.Meta
}

// The limits of webhooks.
const (
	MostWebhooks       = 20
	mostWebhookURL     = 2048
	mostWebhookEvents  = 100
	mostWebhookComment = 500
	webhookPrefix      = "wh_"
	// journalPrefix is the prefix of types that are named after events of the journal.
	journalPrefix = "journal."
	// everyEvent selects all types of WebhookEvents.
	everyEvent = "*"
)

// CodeLimit refuses a record beyond the number that an organization may have.
const CodeLimit fault.Code = "limitReached"

// WebhookEvents returns the 33 types of events for webhooks.
func WebhookEvents() []string {
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

// WebhookName returns the name of a webhook in the API: wh_ and 32 hexadecimal digits.
func WebhookName(id WebhookID) string { return webhookPrefix + hex.EncodeToString(id[:]) }

// ParseWebhookName returns the id of a webhook with the name, or false if the text is not a name.
func ParseWebhookName(name string) (id WebhookID, ok bool) {
	digits, prefixed := strings.CutPrefix(name, webhookPrefix)
	if !prefixed || len(digits) != hex.EncodedLen(len(id)) || digits != strings.ToLower(digits) {
		return WebhookID{}, false
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
func (w *Webhook) Needs() (needed Permissions) {
	for _, selected := range w.Events {
		subject, _, _ := strings.Cut(selected, ".")
		switch subject {
		case everyEvent:
			return needed | NewPermissions(ViewCapTable, ViewMembers, ViewDocuments, EditBilling)
		case "shareholding", "security", "option", "holding", "valuation", "journal":
			needed |= NewPermissions(ViewCapTable)
		case KindMember:
			needed |= NewPermissions(ViewMembers)
		case KindDocument, "folder":
			needed |= NewPermissions(ViewDocuments)
		case KindSubscription, "payment":
			needed |= NewPermissions(EditBilling)
		}
	}
	return needed
}

// CreateWebhook adds a webhook. The caller chooses its id, because its secret is stored under the id.
type CreateWebhook struct {
	ID WebhookID
	WebhookTerms
}

// ChangeWebhook updates the fields in the merge patch. Turning a webhook on starts it anew. The webhook then acts with the rights of the
// author of the change.
type ChangeWebhook struct {
	ID    WebhookID
	Patch []byte
}

// RotateWebhookSecret records that the webhook has a new secret, which is stored beside the journal.
type RotateWebhookSecret struct{ ID WebhookID }

// DeleteWebhook deletes a webhook.
type DeleteWebhook struct{ ID WebhookID }

// DisableWebhook turns a webhook off because its address does not accept events.
type DisableWebhook struct {
	ID     WebhookID
	Reason string
}

// WebhookCreated records a new webhook.
type WebhookCreated struct {
	ID    WebhookID    `json:"id"`
	Terms WebhookTerms `json:"terms"`
	// Rights are those of the author.
	Rights *Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (WebhookCreated) EventType() string { return "webhookCreated" }

// Creates returns the webhook.
func (e WebhookCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: "webhook"}}
}

// Records returns the webhook.
func (e WebhookCreated) Records(s *State) []any { return s.webhookRecord(e.ID) }

func (e WebhookCreated) Apply(s *State, stamp captable.Stamp) {
	s.webhooks.Set(e.ID, &Webhook{
		ID: e.ID, WebhookTerms: e.Terms, Since: stamp.Sequence, Author: accountOf(stamp), Rights: e.Rights, Meta: captable.NewMeta(stamp),
	})
}

// WebhookChanged records the new terms of a webhook.
type WebhookChanged struct {
	ID    WebhookID    `json:"id"`
	Terms WebhookTerms `json:"terms"`
	// SecretReplaced reports that the webhook has a new secret.
	SecretReplaced bool `json:"secretReplaced,omitempty"`
	// Rights are those of the author, who takes the webhook over. A new secret does not change them.
	Rights *Rights `json:"rights,omitempty"`
}

// EventType returns the event's name in the journal.
func (WebhookChanged) EventType() string { return "webhookChanged" }

// Creates returns nil.
func (WebhookChanged) Creates() []captable.Created { return nil }

// Records returns the webhook.
func (e WebhookChanged) Records(s *State) []any { return s.webhookRecord(e.ID) }

func (e WebhookChanged) Affects(*State) []Reference { return affected(KindWebhook, e.ID) }

func (e WebhookChanged) Apply(s *State, stamp captable.Stamp) {
	s.changeWebhook(e.ID, stamp, func(w *Webhook) {
		if e.Terms.Active && !w.Active {
			w.Since, w.DisabledReason = stamp.Sequence, ""
		}
		w.WebhookTerms = e.Terms
		if !e.SecretReplaced {
			w.Author, w.Rights = accountOf(stamp), e.Rights
		}
	})
}

// WebhookDeleted records the deletion of a webhook.
type WebhookDeleted struct {
	ID WebhookID `json:"id"`
}

// EventType returns the event's name in the journal.
func (WebhookDeleted) EventType() string { return "webhookDeleted" }

// Creates returns nil.
func (WebhookDeleted) Creates() []captable.Created { return nil }

// Records returns nil: the webhook no longer exists.
func (WebhookDeleted) Records(*State) []any { return nil }

func (e WebhookDeleted) Affects(*State) []Reference { return affected(KindWebhook, e.ID) }

func (e WebhookDeleted) Apply(s *State, _ captable.Stamp) { s.webhooks.Delete(e.ID) }

// WebhookDisabled records that the server turned a webhook off.
type WebhookDisabled struct {
	ID     WebhookID `json:"id"`
	Reason string    `json:"reason"`
}

// EventType returns the event's name in the journal.
func (WebhookDisabled) EventType() string { return "webhookDisabled" }

// Creates returns nil.
func (WebhookDisabled) Creates() []captable.Created { return nil }

// Records returns the webhook.
func (e WebhookDisabled) Records(s *State) []any { return s.webhookRecord(e.ID) }

func (e WebhookDisabled) Affects(*State) []Reference { return affected(KindWebhook, e.ID) }

func (e WebhookDisabled) Apply(s *State, stamp captable.Stamp) {
	s.changeWebhook(e.ID, stamp, func(w *Webhook) { w.Active, w.DisabledReason = false, e.Reason })
}

func (c CreateWebhook) Decide(s *State, m DecideContext) ([]Event, error) {
	terms, err := c.checked(m)
	if err != nil {
		return nil, err
	}
	if s.webhooks.Len() >= MostWebhooks {
		return nil, fault.Refuse(CodeLimit, "An organization can have at most 20 webhooks.")
	}
	if _, exists := s.Webhook(c.ID); exists {
		return nil, fault.Refuse(fault.Conflict, "The webhook exists already.")
	}
	return []Event{WebhookCreated{ID: c.ID, Terms: terms, Rights: s.RightsOf(m.By)}}, nil
}

func (c CreateWebhook) Result(_ []Event, after *State) (*Webhook, bool) { return after.Webhook(c.ID) }

func (c ChangeWebhook) Decide(s *State, m DecideContext) ([]Event, error) {
	old, err := s.webhook(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := captable.Patched(old.WebhookTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	if terms, err = terms.checked(m); err != nil {
		return nil, err
	}
	return []Event{WebhookChanged{ID: c.ID, Terms: terms, Rights: s.RightsOf(m.By)}}, nil
}

func (c ChangeWebhook) Result(_ []Event, after *State) (*Webhook, bool) { return after.Webhook(c.ID) }

func (c RotateWebhookSecret) Decide(s *State, _ DecideContext) ([]Event, error) {
	webhook, err := s.webhook(c.ID)
	if err != nil {
		return nil, err
	}
	return []Event{WebhookChanged{ID: c.ID, Terms: webhook.WebhookTerms, SecretReplaced: true}}, nil
}

func (c RotateWebhookSecret) Result(_ []Event, after *State) (*Webhook, bool) {
	return after.Webhook(c.ID)
}

func (c DeleteWebhook) Decide(s *State, _ DecideContext) ([]Event, error) {
	if _, err := s.webhook(c.ID); err != nil {
		return nil, err
	}
	return []Event{WebhookDeleted(c)}, nil
}

// Decide returns no event if the webhook is off already.
func (c DisableWebhook) Decide(s *State, _ DecideContext) ([]Event, error) {
	webhook, err := s.webhook(c.ID)
	if err != nil || !webhook.Active {
		return nil, err
	}
	return []Event{WebhookDisabled(c)}, nil
}

// checked returns the normalized terms, or their faults. The address itself is checked by the sender, which knows the network.
func (t WebhookTerms) checked(m DecideContext) (WebhookTerms, error) {
	t.Description = strings.TrimSpace(t.Description)
	var faults fault.Fields
	switch {
	case t.URL == "":
		faults.Add("/url", "required", "url is required.")
	case len(t.URL) > mostWebhookURL:
		faults.Add("/url", "maxLength", "url has at most 2,048 characters.")
	}
	if len(t.Description) > mostWebhookComment {
		faults.Add("/description", "maxLength", "description has at most 500 characters.")
	}
	if len(t.Events) == 0 {
		t.Events = []string{everyEvent}
	}
	if len(t.Events) > mostWebhookEvents {
		faults.Add("/events", "maxItems", "events has at most 100 types.")
	}
	for _, selected := range t.Events {
		if !isWebhookEvent(selected, m) {
			faults.Add("/events", "enum", strconv.Quote(selected)+" is no type of webhook events. Use *, journal.<event type>, or one of "+
				strings.Join(WebhookEvents(), ", ")+".")
			break
		}
	}
	return t, faults.Err()
}

// isWebhookEvent reports whether a webhook can select the type.
func isWebhookEvent(selected string, m DecideContext) bool {
	if name, ok := strings.CutPrefix(selected, journalPrefix); ok {
		return m.knows(name)
	}
	return selected == everyEvent || slices.Contains(WebhookEvents(), selected)
}

// Webhooks returns the webhooks in order of creation.
func (s *State) Webhooks() []*Webhook {
	if s.webhooks.Len() == 0 {
		return nil
	}
	return slices.Collect(s.webhooks.All())
}

// Webhook returns a webhook.
func (s *State) Webhook(id WebhookID) (*Webhook, bool) { return s.webhooks.Get(id) }

func (s *State) webhook(id WebhookID) (*Webhook, error) {
	if webhook, ok := s.Webhook(id); ok {
		return webhook, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The webhook does not exist.")
}

func (s *State) webhookRecord(id WebhookID) []any {
	if webhook, ok := s.Webhook(id); ok {
		return []any{webhook}
	}
	return nil
}

func (s *State) changeWebhook(id WebhookID, stamp captable.Stamp, change func(*Webhook)) {
	if old, ok := s.Webhook(id); ok {
		next := *old
		change(&next)
		next.Touch(stamp)
		s.webhooks.Set(id, &next)
	}
}

// packWebhooks packs the webhooks as JSON, because there are at most 20.
func (s *State) packWebhooks(p *captable.Packer) error {
	webhooks := s.Webhooks()
	packed, err := json.Marshal(webhooks)
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	if err := json.Unmarshal([]byte(text), &webhooks); err != nil {
		return err
	}
	for _, webhook := range webhooks {
		s.webhooks.Set(webhook.ID, webhook)
	}
	return nil
}
