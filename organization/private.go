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

// PrivateVersion is the version of the lists of private fields for new events. The hash of an event covers commitments to the fields of
// the version with which it was recorded.
const PrivateVersion = 2

// PrivateFields returns the fields of the event type that only some callers may read, or nil: see [Schema.Reads]. The imported object
// contains the member's comments too. The lists are a part of the format of the journal, as the hashes depend on them: each program knows
// them, with or without the room whose events they concern.
func PrivateFields(eventType string, version int) []PrivateField {
	switch eventType {
	case MemberAdded{}.EventType():
		return append(privateTerms("member"), PrivateField{"source", "object"})
	case MemberChanged{}.EventType(), MemberReturned{}.EventType():
		return privateTerms("terms")
	}
	if version < PrivateVersion {
		return firstPrivateFields(eventType)
	}
	if inDataRoom(eventType) {
		return []PrivateField{
			{"", "access"},
			{"", "document"},
			{"", "file"},
			{"", "id"},
			{"", "name"},
			{"", "outside"},
			{"", "parent"},
			{"", "reason"},
			{"", "sha256"},
			{"", "source"},
		}
	}
	switch eventType {
	case "webhookCreated", "webhookChanged":
		return []PrivateField{{"terms", "url"}, {"terms", "description"}}
	case "syncConfigured", "syncChanged":
		return []PrivateField{{"terms", "driveFolderId"}, {"terms", "driveFolderName"}, {"terms", "targetDataRoomPath"}}
	}
	if place, names := privateFile(eventType); names {
		return []PrivateField{place}
	}
	return nil
}

// firstPrivateFields returns the fields of the data room in the first version.
func firstPrivateFields(eventType string) []PrivateField {
	switch eventType {
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

// inDataRoom reports whether the events of the type are about the data room.
func inDataRoom(eventType string) bool {
	switch eventType {
	case document.FileStored{}.EventType(), document.FileScanned{}.EventType(), document.FileErased{}.EventType(),
		document.FolderCreated{}.EventType(), document.Added{}.EventType(), document.Moved{}.EventType(), document.Versioned{}.EventType(),
		document.Deleted{}.EventType(), document.Restored{}.EventType(), document.AccessChanged{}.EventType(),
		document.ShareCreated{}.EventType(), document.ShareRevoked{}.EventType():
		return true
	}
	return false
}

// privateFile returns the field of the event type that names files, or false.
func privateFile(eventType string) (place PrivateField, names bool) {
	switch eventType {
	case Created{}.EventType(), Changed{}.EventType():
		return PrivateField{"profile", "logo"}, true
	case captable.PlanCreated{}.EventType(), captable.PlanChanged{}.EventType():
		return PrivateField{"terms", "documents"}, true
	case captable.ValuationCreated{}.EventType(), captable.ValuationChanged{}.EventType():
		return PrivateField{"terms", "document"}, true
	case captable.OptionGranted{}.EventType(), captable.OptionCorrected{}.EventType():
		return PrivateField{"", "agreement"}, true
	case captable.OptionAmended{}.EventType():
		return PrivateField{"details", "agreement"}, true
	case captable.ConfigurationChanged{}.EventType():
		return PrivateField{"", "operatingAgreement"}, true
	}
	return PrivateField{}, false
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
