package organization

import (
	"encoding/json"

	"equity/captable"
	"equity/organization/document"
)

// PrivateField is the path of a field in an event's JSON: a field of the event, or of an object that is itself a field of the
// event.
type PrivateField struct {
	Object string // empty for the event itself
	Field  string
}

// PrivateFields returns the fields of the event type that only some callers may read, or nil: see [ReadsPrivate]. The
// imported object contains the member's comments too.
func PrivateFields(eventType string) []PrivateField {
	switch eventType {
	case MemberAdded{}.EventType():
		return append(privateTerms("member"), PrivateField{"source", "object"})
	case MemberChanged{}.EventType(), MemberReturned{}.EventType():
		return privateTerms("terms")
	case document.FileStored{}.EventType():
		return []PrivateField{{"", "name"}}
	case document.FolderCreated{}.EventType(), document.Added{}.EventType(), document.Moved{}.EventType():
		return []PrivateField{{"", "name"}, {"outside", "name"}}
	case document.Versioned{}.EventType(), document.Deleted{}.EventType():
		return []PrivateField{{"outside", "name"}}
	case document.FileErased{}.EventType():
		return []PrivateField{{"", "reason"}}
	}
	return nil
}

// ReadsPrivate reports whether a member with the permissions may read the private fields of the event type. Those of members require
// viewMembers. Names of documents are for Owners, because every other member may lack access to a document.
func ReadsPrivate(eventType string, permissions Permissions, owner bool) bool {
	switch eventType {
	case MemberAdded{}.EventType(), MemberChanged{}.EventType(), MemberReturned{}.EventType():
		return permissions.Has(ViewMembers)
	}
	return owner || PrivateFields(eventType) == nil
}

func privateTerms(object string) []PrivateField {
	return []PrivateField{{object, "title"}, {object, "comments"}, {object, "terminationReason"}}
}

// WithoutPrivateFields returns the event without its private fields, for the export of a package.
func WithoutPrivateFields(event Event) Event {
	switch e := event.(type) {
	case MemberAdded:
		e.Member.MemberTerms = e.Member.withoutPrivate()
		if e.Source != nil {
			source := *e.Source
			source.Object = withoutComments(source)
			e.Source = &source
		}
		return e
	case MemberChanged:
		e.Terms = e.Terms.withoutPrivate()
		return e
	case MemberReturned:
		e.Terms = e.Terms.withoutPrivate()
		return e
	}
	return event
}

func (t MemberTerms) withoutPrivate() MemberTerms {
	t.Title, t.Comments, t.TerminationReason = "", nil, ""
	return t
}

func withoutComments(source captable.Source) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(source.Object, &fields) != nil {
		return nil
	}
	delete(fields, "comments")
	object, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return object
}
