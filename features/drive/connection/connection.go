// Package connection is the pure part of the room drive: the connection of an organization to a cloud drive and the configurations of its
// folders, with their commands and events. It has the rules of package organization: no clock, I/O, goroutines or randomness.
package connection

import (
	"equity/captable"
	"equity/fault"
	"equity/organization"
	"equity/organization/document"
)

// ID identifies the connection of an organization to a cloud drive.
type ID = captable.ID[Connection]

// Connection is the connection of an organization to a cloud drive. Its tokens and the address of its account are stored beside the
// journal.
type Connection struct {
	ID ID `json:"id"`
	captable.Meta
}

// The codes of refusals.
const (
	// CodeNotConnected refuses an operation that needs a connection to a cloud drive.
	CodeNotConnected fault.Code = "notConnected"
	// CodeReconnectNeeded refuses an operation that needs a new authorization of a user.
	CodeReconnectNeeded fault.Code = "reconnectNeeded"
	// CodeNoAuthorization refuses a code without an open request of the caller.
	CodeNoAuthorization fault.Code = "noAuthorization"
	// CodeInvalidCode refuses an authorization code that the drive does not accept.
	CodeInvalidCode fault.Code = "invalidCode"
	// CodeFolderSynced refuses a second configuration of a folder of the drive.
	CodeFolderSynced fault.Code = "folderAlreadySynced"
)

// Connect records the connection to a cloud drive. Its tokens are stored before.
type Connect struct{ ID ID }

// Disconnect records the end of the connection. The documents and the configurations stay.
type Disconnect struct{}

// Connected records the connection to a cloud drive.
type Connected struct {
	ID ID `json:"id"`
}

// EventType returns the event's name in the journal.
func (Connected) EventType() string { return "driveConnected" }

// Creates returns the connection.
func (e Connected) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kind}}
}

// Records returns the connection.
func (e Connected) Records(s *organization.State) []any {
	if present, ok := Of(s).Connection(); ok {
		return []any{present}
	}
	return nil
}

func (e Connected) Apply(s *organization.State, stamp captable.Stamp) {
	edited(s).present = &Connection{ID: e.ID, Meta: captable.NewMeta(stamp)}
}

// Disconnected records the end of the connection to a cloud drive.
type Disconnected struct {
	ID ID `json:"id"`
}

// EventType returns the event's name in the journal.
func (Disconnected) EventType() string { return "driveDisconnected" }

// Creates returns nil.
func (Disconnected) Creates() []captable.Created { return nil }

// Records returns nil: the connection no longer exists.
func (Disconnected) Records(*organization.State) []any { return nil }

func (e Disconnected) Affects(*organization.State) []organization.Reference {
	return affected(kind, e.ID)
}

func (e Disconnected) Apply(s *organization.State, _ captable.Stamp) { edited(s).present = nil }

// Decide returns no event if the organization is connected: its tokens were replaced.
func (c Connect) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	if s.InOfficeSuite() {
		return nil, fault.Refuse(document.CodeNotInSuite,
			"A cloud drive requires documents in the data room. Those of this organization are in the office suite.")
	}
	if _, connected := Of(s).Connection(); connected {
		return nil, nil
	}
	return []organization.Event{Connected(c)}, nil
}

func (c Connect) Result(_ []organization.Event, after *organization.State) (*Connection, bool) {
	return Of(after).Connection()
}

// Decide returns no event if the organization is not connected.
func (c Disconnect) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	present, connected := Of(s).Connection()
	if !connected {
		return nil, nil
	}
	return []organization.Event{Disconnected{ID: present.ID}}, nil
}
