package webhook

import (
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
)

// audience is the member for whom a webhook acts. It receives the records that the member may read now and could read at the time of the event.
type audience struct {
	schema *organization.Schema
	reader organization.Reader
	access organization.Access
	now    *organization.State
}

// audienceOf returns the audience of the webhook; false if its author is not a member.
func audienceOf(schema *organization.Schema, state *organization.State, webhook *endpoint.Webhook) (audience, bool) {
	reader, ok := state.Reader(webhook.Author, webhook.Rights)
	if !ok {
		return audience{}, false
	}
	return audience{schema, reader, reader.Access(), state}, true
}

// sees reports whether the audience may read the record of the view.
func (a *audience) sees(view *messages.View, record any) bool {
	reference, known := a.schema.ReferenceTo(record, view.State.ID())
	return known && a.schema.Sees(a.access, view.State, reference) && a.schema.Sees(a.access, a.now, reference)
}

// mayKeep reports whether a body that was made earlier can be sent again. Owners read everything. Others may have lost rights since then.
func (a *audience) mayKeep() bool { return a.reader.Member.Owns() }

// withoutAuthor returns the reason for which a webhook without an audience is turned off.
func withoutAuthor(state *organization.State, webhook *endpoint.Webhook) string {
	name := "the account that saved it last"
	for member := range state.Members() {
		if member.User == webhook.Author && !webhook.Author.IsZero() {
			name = member.FullName
			break
		}
	}
	return "The webhook acts with the rights of " + name + ", who is no member of the organization any more. Turn the webhook on to take it over."
}
