package organization

import (
	"encoding/json"

	"equity/captable"
	"equity/fault"
	"equity/organization/document"
)

// DriveID identifies the connection of an organization to a cloud drive.
type DriveID = captable.ID[DriveConnection]

// DriveConnection is the connection of an organization to a cloud drive. Its tokens and the address of its account are stored beside the
// journal.
type DriveConnection struct {
	ID DriveID `json:"id"`
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

// ConnectDrive records the connection to a cloud drive. Its tokens are stored before.
type ConnectDrive struct{ ID DriveID }

// DisconnectDrive records the end of the connection. The documents and the configurations stay.
type DisconnectDrive struct{}

// DriveConnected records the connection to a cloud drive.
type DriveConnected struct {
	ID DriveID `json:"id"`
}

// EventType returns the event's name in the journal.
func (DriveConnected) EventType() string { return "driveConnected" }

// Creates returns the connection.
func (e DriveConnected) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: KindDrive}}
}

// Records returns the connection.
func (e DriveConnected) Records(s *State) []any { return s.driveRecord() }

func (e DriveConnected) Apply(s *State, stamp captable.Stamp) {
	s.drive = &DriveConnection{ID: e.ID, Meta: captable.NewMeta(stamp)}
}

// DriveDisconnected records the end of the connection to a cloud drive.
type DriveDisconnected struct {
	ID DriveID `json:"id"`
}

// EventType returns the event's name in the journal.
func (DriveDisconnected) EventType() string { return "driveDisconnected" }

// Creates returns nil.
func (DriveDisconnected) Creates() []captable.Created { return nil }

// Records returns nil: the connection no longer exists.
func (DriveDisconnected) Records(*State) []any { return nil }

func (e DriveDisconnected) Affects(*State) []Reference { return affected(KindDrive, e.ID) }

func (e DriveDisconnected) Apply(s *State, _ captable.Stamp) { s.drive = nil }

// Decide returns no event if the organization is connected: its tokens were replaced.
func (c ConnectDrive) Decide(s *State, _ DecideContext) ([]Event, error) {
	if s.id.IsZero() {
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	}
	if s.InOfficeSuite() {
		return nil, fault.Refuse(document.CodeNotInSuite,
			"A cloud drive requires documents in the data room. Those of this organization are in the office suite.")
	}
	if s.drive != nil {
		return nil, nil
	}
	return []Event{DriveConnected(c)}, nil
}

func (c ConnectDrive) Result(_ []Event, after *State) (*DriveConnection, bool) {
	return after.drive, after.drive != nil
}

// Decide returns no event if the organization is not connected.
func (c DisconnectDrive) Decide(s *State, _ DecideContext) ([]Event, error) {
	if s.id.IsZero() {
		return nil, fault.Refuse(fault.NotFound, "The organization does not exist.")
	}
	if s.drive == nil {
		return nil, nil
	}
	return []Event{DriveDisconnected{ID: s.drive.ID}}, nil
}

// Drive returns the connection to a cloud drive, or false.
func (s *State) Drive() (*DriveConnection, bool) { return s.drive, s.drive != nil }

func (s *State) driveRecord() []any {
	if s.drive == nil {
		return nil
	}
	return []any{s.drive}
}

// packDrive packs the connection and the configurations as JSON, because there are at most 20.
func (s *State) packDrive(p *captable.Packer) error {
	var stored struct {
		Connection *DriveConnection     `json:"connection,omitempty"`
		Syncs      []*SyncConfiguration `json:"syncs,omitempty"`
	}
	stored.Connection, stored.Syncs = s.drive, s.Syncs()
	packed, err := json.Marshal(stored)
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return err
	}
	s.drive = stored.Connection
	for _, each := range stored.Syncs {
		s.syncs.Set(each.ID, each)
	}
	return nil
}
