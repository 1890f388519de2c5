package connection

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"equity/captable"
	"equity/fault"
	"equity/organization"
	"equity/organization/document"
)

// SyncID identifies a configuration of the synchronization.
type SyncID = captable.ID[SyncConfiguration]

// SyncTerms are the editable fields of a configuration.
type SyncTerms struct {
	DriveFolderID   string `json:"driveFolderId"`
	DriveFolderName string `json:"driveFolderName"`
	// TargetDataRoomPath is the folder of the copies. It starts with a slash.
	TargetDataRoomPath string `json:"targetDataRoomPath"`
	SyncEnabled        bool   `json:"syncEnabled"`
	SyncSubfolders     bool   `json:"syncSubfolders"`
	// FileTypeFilter lists extensions in lower case without dots, separated by commas; empty for all files.
	FileTypeFilter string `json:"fileTypeFilter"`
}

// SyncConfiguration is a folder of the drive that is copied into the data room. The record is immutable.
type SyncConfiguration struct {
	ID SyncID `json:"id"`
	SyncTerms
	captable.Meta
}

// The limits of configurations.
const (
	mostSyncs       = 20
	mostSyncTypes   = 50
	mostSyncType    = 20
	mostFolderID    = 200
	mostFolderName  = 1000
	mostTargetPath  = 4000
	fileTypeDivider = ","
)

// ConfigureSync adds a configuration.
type ConfigureSync struct{ SyncTerms }

// ChangeSync updates the fields in the merge patch.
type ChangeSync struct {
	ID    SyncID
	Patch []byte
}

// RemoveSync removes a configuration. Its documents stay.
type RemoveSync struct{ ID SyncID }

// SyncConfigured records a new configuration.
type SyncConfigured struct {
	ID    SyncID    `json:"id"`
	Terms SyncTerms `json:"terms"`
}

// EventType returns the event's name in the journal.
func (SyncConfigured) EventType() string { return "syncConfigured" }

// Creates returns the configuration.
func (e SyncConfigured) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: KindSync}}
}

// Records returns the configuration.
func (e SyncConfigured) Records(s *organization.State) []any { return syncRecord(s, e.ID) }

func (e SyncConfigured) Apply(s *organization.State, stamp captable.Stamp) {
	edited(s).syncs.Set(e.ID, &SyncConfiguration{ID: e.ID, SyncTerms: e.Terms, Meta: captable.NewMeta(stamp)})
}

// SyncChanged records the new terms of a configuration.
type SyncChanged struct {
	ID    SyncID    `json:"id"`
	Terms SyncTerms `json:"terms"`
}

// EventType returns the event's name in the journal.
func (SyncChanged) EventType() string { return "syncChanged" }

// Creates returns nil.
func (SyncChanged) Creates() []captable.Created { return nil }

// Records returns the configuration.
func (e SyncChanged) Records(s *organization.State) []any { return syncRecord(s, e.ID) }

func (e SyncChanged) Affects(*organization.State) []organization.Reference {
	return affected(KindSync, e.ID)
}

func (e SyncChanged) Apply(s *organization.State, stamp captable.Stamp) {
	if old, ok := Of(s).Sync(e.ID); ok {
		next := *old
		next.SyncTerms = e.Terms
		next.Touch(stamp)
		edited(s).syncs.Set(e.ID, &next)
	}
}

// SyncRemoved records the removal of a configuration.
type SyncRemoved struct {
	ID SyncID `json:"id"`
}

// EventType returns the event's name in the journal.
func (SyncRemoved) EventType() string { return "syncRemoved" }

// Creates returns nil.
func (SyncRemoved) Creates() []captable.Created { return nil }

// Records returns nil: the configuration no longer exists.
func (SyncRemoved) Records(*organization.State) []any { return nil }

func (e SyncRemoved) Affects(*organization.State) []organization.Reference {
	return affected(KindSync, e.ID)
}

func (e SyncRemoved) Apply(s *organization.State, _ captable.Stamp) { edited(s).syncs.Delete(e.ID) }

func (c ConfigureSync) Decide(s *organization.State, m organization.DecideContext) ([]organization.Event, error) {
	if _, connected := Of(s).Connection(); !connected {
		return nil, fault.Refuse(CodeNotConnected, "Connect the organization to a drive first.")
	}
	terms, err := c.checked()
	if err != nil {
		return nil, err
	}
	configurations := Of(s).Syncs()
	if len(configurations) >= mostSyncs {
		return nil, fault.Refuse(organization.CodeLimit, "An organization can have at most 20 configurations.")
	}
	for _, other := range configurations {
		if other.DriveFolderID == terms.DriveFolderID {
			return nil, fault.Refuse(
				CodeFolderSynced, "A configuration for this folder exists already.",
			).With("configuration", other.ID.String())
		}
	}
	return []organization.Event{SyncConfigured{ID: m.NewID(), Terms: terms}}, nil
}

func (c ConfigureSync) Result(events []organization.Event, after *organization.State) (*SyncConfiguration, bool) {
	for _, event := range events {
		if configured, ok := event.(SyncConfigured); ok {
			return Of(after).Sync(configured.ID)
		}
	}
	return nil, false
}

// Decide returns no event if the terms do not change.
func (c ChangeSync) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	old, err := present(s, c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := captable.Patched(old.SyncTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	terms.DriveFolderID = old.DriveFolderID
	if terms, err = terms.checked(); err != nil || terms == old.SyncTerms {
		return nil, err
	}
	return []organization.Event{SyncChanged{ID: c.ID, Terms: terms}}, nil
}

func (c ChangeSync) Result(_ []organization.Event, after *organization.State) (*SyncConfiguration, bool) {
	return Of(after).Sync(c.ID)
}

func (c RemoveSync) Decide(s *organization.State, _ organization.DecideContext) ([]organization.Event, error) {
	if _, err := present(s, c.ID); err != nil {
		return nil, err
	}
	return []organization.Event{SyncRemoved(c)}, nil
}

// checked returns the normalized terms, or their faults.
func (t SyncTerms) checked() (SyncTerms, error) {
	var faults fault.Fields
	t.DriveFolderID, t.DriveFolderName = strings.TrimSpace(t.DriveFolderID), strings.TrimSpace(t.DriveFolderName)
	switch {
	case t.DriveFolderID == "":
		faults.Add("/driveFolderId", "required", "driveFolderId is required.")
	case utf8.RuneCountInString(t.DriveFolderID) > mostFolderID:
		faults.Add("/driveFolderId", "maxLength", "driveFolderId has at most 200 characters.")
	}
	if utf8.RuneCountInString(t.DriveFolderName) > mostFolderName {
		faults.Add("/driveFolderName", "maxLength", "driveFolderName has at most 1,000 characters.")
	}
	switch {
	case !strings.HasPrefix(t.TargetDataRoomPath, "/"):
		faults.Add("/targetDataRoomPath", "format", "targetDataRoomPath must start with a slash.")
	case utf8.RuneCountInString(t.TargetDataRoomPath) > mostTargetPath:
		faults.Add("/targetDataRoomPath", "maxLength", "targetDataRoomPath has at most 4,000 characters.")
	default:
		t.TargetDataRoomPath = t.checkedPath(&faults)
	}
	t.FileTypeFilter = t.checkedTypes(&faults)
	return t, faults.Err()
}

// checkedPath returns the normalized path.
func (t SyncTerms) checkedPath(faults *fault.Fields) string {
	for _, name := range t.Folders() {
		if document.AcceptableName(name) != name {
			faults.Add("/targetDataRoomPath", "format", "targetDataRoomPath must consist of names of folders, separated by slashes.")
			break
		}
	}
	return path.Join("/", strings.Join(t.Folders(), "/"))
}

// checkedTypes returns the normalized list of extensions.
func (t SyncTerms) checkedTypes(faults *fault.Fields) string {
	var types []string
	for one := range strings.SplitSeq(t.FileTypeFilter, fileTypeDivider) {
		one = strings.ToLower(strings.TrimSpace(one))
		switch {
		case one == "" || slices.Contains(types, one):
			continue
		case strings.ContainsAny(one, "./\\ ") || len(one) > mostSyncType:
			faults.Add("/fileTypeFilter", "format", "fileTypeFilter must list extensions without dots, separated by commas.")
			return t.FileTypeFilter
		}
		types = append(types, one)
	}
	if len(types) > mostSyncTypes {
		faults.Add("/fileTypeFilter", "maxItems", "fileTypeFilter has at most 50 extensions.")
	}
	return strings.Join(types, fileTypeDivider)
}

// Folders returns the names in the path of the target, from the root.
func (t SyncTerms) Folders() []string {
	return slices.DeleteFunc(strings.Split(t.TargetDataRoomPath, "/"), func(name string) bool { return name == "" })
}

// Accepts reports whether the filter permits files with the extension, which has no dot.
func (t SyncTerms) Accepts(extension string) bool {
	return t.FileTypeFilter == "" || slices.Contains(strings.Split(t.FileTypeFilter, fileTypeDivider), strings.ToLower(extension))
}

func present(s *organization.State, id SyncID) (*SyncConfiguration, error) {
	if found, ok := Of(s).Sync(id); ok {
		return found, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The configuration does not exist.")
}

func syncRecord(s *organization.State, id SyncID) []any {
	if found, ok := Of(s).Sync(id); ok {
		return []any{found}
	}
	return nil
}
