package document

import (
	"encoding/json"
	"time"

	"equity/captable"
	"equity/fault"
)

// Event is a change of the data room.
type Event interface {
	// EventType returns the event's name in the journal.
	EventType() string
	// Creates returns the created records.
	Creates() []captable.Created
	// Records returns the affected records in their current state.
	Records(t *Tree) []any
	apply(t *Tree, stamp captable.Stamp)
}

// Command is a requested change of the data room.
type Command interface {
	decide(t *Tree, m DecideContext) ([]Event, error)
}

// DecideContext contains the external inputs of a decision.
type DecideContext struct {
	// Now is the time when the command was received.
	Now time.Time
	// NewID returns a new UUID on each call.
	NewID func() [16]byte
	// StorageLimit bounds the bytes of the stored files; 0 is no limit.
	StorageLimit int64
	// References returns the names of the records outside the data room that refer to the file.
	References func(FileID) []string
}

// Decide checks a command and returns the resulting events, or a [fault.Error]. It does not change the tree.
func Decide(t *Tree, command Command, m DecideContext) ([]Event, error) {
	events, err := command.decide(t, m)
	if err != nil {
		return nil, err
	}
	var added []Content
	for _, event := range events {
		if stored, ok := event.(FileStored); ok && storageOf(event) == "" {
			added = append(added, stored.Content)
		}
	}
	return events, t.AdmitsStorage(m.StorageLimit, added...)
}

// Apply applies one event. It never fails.
func (t *Tree) Apply(event Event, stamp captable.Stamp) {
	if storageOf(event) == "" {
		event.apply(t, stamp)
	}
}

// The codes of refusals.
const (
	// CodeNameTaken refuses a name that another item of the folder has.
	CodeNameTaken fault.Code = "nameTaken"
	// CodeLimit refuses an item beyond the limits of a data room.
	CodeLimit fault.Code = "documentLimit"
	// CodeStorageLimit refuses files beyond the storage of an organization.
	CodeStorageLimit fault.Code = "storageLimit"
	// CodeCycle refuses to move a folder into itself.
	CodeCycle fault.Code = "folderCycle"
	// CodeIsFolder refuses the content of a folder.
	CodeIsFolder fault.Code = "isFolder"
	// CodeErased refuses the content of an erased file.
	CodeErased fault.Code = "contentErased"
	// CodeExtension refuses files with an extension that the settings do not permit.
	CodeExtension fault.Code = "unsupportedFileExtension"
	// CodeInfected refuses content in which the virus scan found a virus.
	CodeInfected fault.Code = "infected"
	// CodePending refuses content until its virus scan has ended.
	CodePending fault.Code = "scanPending"
	// CodeNotStampable refuses content that needs a watermark and cannot be stamped.
	CodeNotStampable fault.Code = "notStampable"
	// CodeDisplayOnly refuses the download of content that may only be displayed.
	CodeDisplayOnly fault.Code = "displayOnly"
	// CodeNoPreview refuses the preview of a document of the data room.
	CodeNoPreview fault.Code = "noPreview"
	// CodeRange refuses a range beyond the end of the content.
	CodeRange fault.Code = "rangeNotSatisfiable"
)

// The kinds of records in [captable.Created].
const (
	kindFile  = "file"
	kindItem  = "document"
	kindShare = "documentShare"
)

// Decoders returns the decoders of the payloads by the names of the events in the journal.
func Decoders() map[string]func([]byte) (Event, error) {
	decoders := map[string]func([]byte) (Event, error){}
	for _, declare := range []func() (string, func([]byte) (Event, error)){
		declared[FileStored], declared[FileScanned], declared[FileErased], declared[FolderCreated], declared[Added],
		declared[Versioned], declared[Moved], declared[Deleted], declared[Restored],
		declared[AccessChanged], declared[ShareCreated], declared[ShareRevoked],
	} {
		name, decode := declare()
		decoders[name] = decode
	}
	return decoders
}

// declared returns the name of an event and its decoder.
func declared[E Event]() (string, func([]byte) (Event, error)) {
	var example E
	return example.EventType(), func(payload []byte) (Event, error) {
		var event E
		err := json.Unmarshal(payload, &event)
		return event, err
	}
}
