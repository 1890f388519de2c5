package connection_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/features/drive/connection"
	"equity/organization"
	"equity/organization/document"
)

// schema returns the schema of a program with the room.
func schema() *organization.Schema { return organization.NewSchema(connection.Extension()) }

// firm is an organization with one Owner.
type firm struct {
	*testing.T
	state    *organization.State
	sequence uint64
	ids      byte
}

func founded(t *testing.T) *firm {
	t.Helper()
	f := &firm{T: t, state: organization.NewState(), ids: 100}
	f.do(organization.Create{
		ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"},
	})
	return f
}

func (f *firm) decide(command organization.Command) ([]organization.Event, error) {
	return organization.Decide(f.state, command, organization.DecideContext{Schema: schema(), Now: time.Unix(1, 0), NewID: func() (id [16]byte) {
		f.ids++
		id[0] = f.ids
		return id
	}})
}

// do executes a command.
func (f *firm) do(command organization.Command) []organization.Event {
	f.Helper()
	events, err := f.decide(command)
	if err != nil {
		f.Fatalf("%T: %v", command, err)
	}
	for _, event := range events {
		f.sequence++
		f.state.Apply(event, captable.Stamp{Sequence: f.sequence, At: captable.InstantOf(time.Unix(1, 0))})
	}
	return events
}

// refused requires that the command is refused with the code.
func (f *firm) refused(command organization.Command, code fault.Code) {
	f.Helper()
	if _, err := f.decide(command); !fault.Is(err, code) {
		f.Errorf("%T: got %v, want %s", command, err, code)
	}
}

// synced are valid terms of a configuration.
func synced(folder string) connection.SyncTerms {
	return connection.SyncTerms{
		DriveFolderID: folder, DriveFolderName: "Board", TargetDataRoomPath: "/Drive/Board", SyncEnabled: true, SyncSubfolders: true,
	}
}

func TestConnectionHasOneEventUntilItEnds(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	if events := f.do(connection.Connect{ID: connection.ID{2}}); len(events) != 0 {
		t.Errorf("a second connection: %v", events)
	}
	if drive, ok := connection.Of(f.state).Connection(); !ok || drive.ID != (connection.ID{1}) {
		t.Errorf("%+v", drive)
	}
	f.do(connection.Disconnect{})
	if events := f.do(connection.Disconnect{}); len(events) != 0 {
		t.Errorf("a second end: %v", events)
	}
	if _, ok := connection.Of(f.state).Connection(); ok {
		t.Error("the connection did not end")
	}
}

func TestConfigurationNeedsAConnection(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.refused(connection.ConfigureSync{SyncTerms: synced("f1")}, connection.CodeNotConnected)
}

func TestConfigurationIsNormalized(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	terms := synced(" f1 ")
	terms.TargetDataRoomPath, terms.FileTypeFilter = "//Drive/Board/", " PDF,docx, pdf,"
	f.do(connection.ConfigureSync{SyncTerms: terms})
	got := connection.Of(f.state).Syncs()[0].SyncTerms
	if got.DriveFolderID != "f1" || got.TargetDataRoomPath != "/Drive/Board" || got.FileTypeFilter != "pdf,docx" {
		t.Errorf("%+v", got)
	}
	if !got.Accepts("PDF") || got.Accepts("exe") {
		t.Error("the filter does not apply")
	}
}

func TestInvalidConfigurationsAreRefused(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	for field, change := range map[string]func(*connection.SyncTerms){
		"/driveFolderId required":    func(t *connection.SyncTerms) { t.DriveFolderID = "" },
		"/targetDataRoomPath format": func(t *connection.SyncTerms) { t.TargetDataRoomPath = "Drive" },
		"/fileTypeFilter format":     func(t *connection.SyncTerms) { t.FileTypeFilter = ".pdf" },
		"/fileTypeFilter maxItems": func(t *connection.SyncTerms) {
			for number := range 51 {
				t.FileTypeFilter += "x" + strconv.Itoa(number) + ","
			}
		},
	} {
		terms := synced("f1")
		change(&terms)
		_, err := f.decide(connection.ConfigureSync{SyncTerms: terms})
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer+" "+refusal.Fields[0].Code != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestFolderHasOneConfigurationAndTheNumberIsLimited(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	for number := range 20 {
		f.do(connection.ConfigureSync{SyncTerms: synced("f" + strconv.Itoa(number))})
	}
	f.refused(connection.ConfigureSync{SyncTerms: synced("other")}, organization.CodeLimit)
	f.do(connection.RemoveSync{ID: connection.Of(f.state).Syncs()[0].ID})
	f.refused(connection.ConfigureSync{SyncTerms: synced("f5")}, connection.CodeFolderSynced)
	f.refused(connection.RemoveSync{ID: connection.SyncID{9}}, fault.NotFound)
}

func TestChangedConfigurationKeepsItsFolder(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	f.do(connection.ConfigureSync{SyncTerms: synced("f1")})
	id := connection.Of(f.state).Syncs()[0].ID
	patch := json.RawMessage(`{"syncEnabled":false,"driveFolderId":"other"}`)
	f.do(connection.ChangeSync{ID: id, Patch: patch})
	if got, _ := connection.Of(f.state).Sync(id); got.SyncEnabled || got.DriveFolderID != "f1" {
		t.Errorf("%+v", got)
	}
	if events := f.do(connection.ChangeSync{ID: id, Patch: patch}); len(events) != 0 {
		t.Errorf("a repetition: %v", events)
	}
}

func TestConfigurationsOutliveTheConnection(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	f.do(connection.ConfigureSync{SyncTerms: synced("f1")})
	f.do(connection.Disconnect{})
	if len(connection.Of(f.state).Syncs()) != 1 {
		t.Error("the configuration ended with the connection")
	}
}

func TestSnapshotContainsTheConnectionAndItsConfigurations(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	f.do(connection.ConfigureSync{SyncTerms: synced("f1")})
	restored, err := schema().Restore(string(f.state.Snapshot()))
	if err != nil {
		t.Fatal(err)
	}
	drive, connected := connection.Of(restored).Connection()
	if !connected || drive.ID != (connection.ID{1}) || len(connection.Of(restored).Syncs()) != 1 || *connection.Of(restored).Syncs()[0] != *connection.Of(f.state).Syncs()[0] {
		t.Errorf("%+v %+v", drive, connection.Of(restored).Syncs())
	}
}

func TestStorageOfAConnectedOrganizationStays(t *testing.T) {
	t.Parallel()
	toSuite := organization.Amend{Patch: []byte(`{"storage":"officeSuite"}`)}
	f := founded(t)
	f.do(connection.Connect{ID: connection.ID{1}})
	f.refused(toSuite, organization.CodeStorage)
	f.do(organization.Amend{Patch: []byte(`{"name":"Other"}`)})
	f.do(connection.Disconnect{})
	f.do(toSuite)
	f.refused(connection.Connect{ID: connection.ID{2}}, document.CodeNotInSuite)
}

func TestRemovedRecordsAreReferences(t *testing.T) {
	t.Parallel()
	id := [16]byte{7}
	for want, event := range map[string]organization.Event{
		"driveConnection": connection.Disconnected{ID: id}, "syncConfiguration": connection.SyncRemoved{ID: id},
	} {
		got := schema().References(event, founded(t).state)
		if !slices.Equal(got, []organization.Reference{{Kind: want, ID: id}}) {
			t.Errorf("%s: %v", event.EventType(), got)
		}
	}
}

func TestFoldersAreThePrivateFields(t *testing.T) {
	t.Parallel()
	terms, err := json.Marshal(connection.SyncTerms{})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(terms, &fields); err != nil {
		t.Fatal(err)
	}
	for _, event := range []organization.Event{connection.SyncConfigured{}, connection.SyncChanged{}} {
		private := organization.PrivateFields(event.EventType(), organization.PrivateVersion)
		for _, field := range private {
			if _, exists := fields[field.Field]; field.Object != "terms" || !exists {
				t.Errorf("%s has no field %v", event.EventType(), field)
			}
		}
		if len(private) != 3 {
			t.Errorf("%s: %v", event.EventType(), private)
		}
	}
}
