package api

import (
	"encoding/json"

	"equity/messages"
	"equity/organization"
)

// Access decides what the caller of a call may read in its organization.
type Access struct {
	// Member is the caller's membership. Permissions are those of its roles.
	Member      *organization.Member
	Permissions organization.Permissions
	// Present is the present view of the organization, also if the call reads an earlier one. Permissions are judged by it.
	Present *messages.View
	files   *organization.Files // nil before the first use
}

// Can reports whether the caller has the permission.
func (a *Access) Can(p organization.Permission) bool { return a.Permissions.Has(p) }

// Reader returns the caller as a reader of the organization's records.
func (a *Access) Reader() organization.Reader {
	return organization.Reader{Member: a.Member, Permissions: a.Permissions}
}

// ReadableFiles decides which files the caller may read at present.
func (a *Access) ReadableFiles() *organization.Files {
	if a.files == nil {
		a.files = a.Present.State.FilesFor(a.Reader())
	}
	return a.files
}

// Journal decides which rows of the journal the caller sees with their private fields.
func (a *Access) Journal() *organization.Journal { return a.Present.State.JournalFor(a.Reader()) }

// previewed returns the JSON of an event without files that the caller may not read: a replacement keeps them.
func (a *Access) previewed(event organization.Event) json.RawMessage {
	payload, err := json.Marshal(event)
	if err != nil {
		return json.RawMessage("null")
	}
	row := messages.Row{Type: event.EventType(), Payload: payload}
	if a.Present != nil && a.Member != nil && !a.Journal().ShowsFiles(row.Type, row.Payload) {
		row, _ = row.Redacted()
	}
	return row.Payload
}
