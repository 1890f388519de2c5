package endpoint

import (
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// Create adds a webhook. The caller chooses its id, because its secret is stored under the id.
type Create struct {
	ID ID
	Terms
}

// Change updates the fields in the merge patch. Turning a webhook on starts it anew. The webhook then acts with the rights of the
// author of the change.
type Change struct {
	ID    ID
	Patch []byte
}

// RotateSecret records that the webhook has a new secret, which is stored beside the journal.
type RotateSecret struct{ ID ID }

// Delete deletes a webhook.
type Delete struct{ ID ID }

// Disable turns a webhook off because its address does not accept events.
type Disable struct {
	ID     ID
	Reason string
}

func (c Create) Decide(s *organization.State, m organization.DecideContext) ([]organization.Event, error) {
	terms, err := c.checked(m)
	if err != nil {
		return nil, err
	}
	if len(Of(s).All()) >= mostWebhooks {
		return nil, fault.Refuse(organization.CodeLimit, "An organization can have at most 20 webhooks.")
	}
	if _, exists := Of(s).Get(c.ID); exists {
		return nil, fault.Refuse(fault.Conflict, "The webhook exists already.")
	}
	return []organization.Event{Created{ID: c.ID, Terms: terms, Rights: s.RightsOf(m.By)}}, nil
}

func (c Create) Result(_ []organization.Event, after *organization.State) (*Webhook, bool) {
	return Of(after).Get(c.ID)
}

func (c Change) Decide(s *organization.State, m organization.DecideContext) ([]organization.Event, error) {
	old, err := present(s, c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := captable.Patched(old.Terms, c.Patch)
	if err != nil {
		return nil, err
	}
	if terms, err = terms.checked(m); err != nil {
		return nil, err
	}
	return []organization.Event{Changed{ID: c.ID, Terms: terms, Rights: s.RightsOf(m.By)}}, nil
}

func (c Change) Result(_ []organization.Event, after *organization.State) (*Webhook, bool) {
	return Of(after).Get(c.ID)
}

func (c RotateSecret) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	webhook, err := present(s, c.ID)
	if err != nil {
		return nil, err
	}
	return []organization.Event{Changed{ID: c.ID, Terms: webhook.Terms, SecretReplaced: true}}, nil
}

func (c RotateSecret) Result(_ []organization.Event, after *organization.State) (*Webhook, bool) {
	return Of(after).Get(c.ID)
}

func (c Delete) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	if _, err := present(s, c.ID); err != nil {
		return nil, err
	}
	return []organization.Event{Deleted(c)}, nil
}

// Decide returns no event if the webhook is off already.
func (c Disable) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	webhook, err := present(s, c.ID)
	if err != nil || !webhook.Active {
		return nil, err
	}
	return []organization.Event{Disabled(c)}, nil
}

// checked returns the normalized terms, or their faults. The address itself is checked by the sender, which knows the network.
func (t Terms) checked(m organization.DecideContext) (Terms, error) {
	t.Description = strings.TrimSpace(t.Description)
	var faults fault.Fields
	switch {
	case t.URL == "":
		faults.Add("/url", "required", "url is required.")
	case len(t.URL) > mostURL:
		faults.Add("/url", "maxLength", "url has at most 2,048 characters.")
	}
	if len(t.Description) > mostDescription {
		faults.Add("/description", "maxLength", "description has at most 500 characters.")
	}
	if len(t.Events) == 0 {
		t.Events = []string{everyEvent}
	}
	if len(t.Events) > mostEvents {
		faults.Add("/events", "maxItems", "events has at most 100 types.")
	}
	for _, selected := range t.Events {
		if !isEventType(selected, m) {
			faults.Add("/events", "enum", strconv.Quote(selected)+" is no type of webhook events. Use *, journal.<event type>, or one of "+
				strings.Join(EventTypes(), ", ")+".")
			break
		}
	}
	return t, faults.Err()
}

// isEventType reports whether a webhook can select the type.
func isEventType(selected string, m organization.DecideContext) bool {
	if name, ok := strings.CutPrefix(selected, journalPrefix); ok {
		return m.Schema.Knows(name)
	}
	return selected == everyEvent || slices.Contains(EventTypes(), selected)
}

// present returns the webhook, or a refusal.
func present(s *organization.State, id ID) (*Webhook, error) {
	if webhook, ok := Of(s).Get(id); ok {
		return webhook, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The webhook does not exist.")
}
