package organization_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"equity/fault"
	"equity/organization"
)

// synced are valid terms of a configuration.
func synced(folder string) organization.SyncTerms {
	return organization.SyncTerms{
		DriveFolderID: folder, DriveFolderName: "Board", TargetDataRoomPath: "/Drive/Board", SyncEnabled: true, SyncSubfolders: true,
	}
}

func TestConnectionHasOneEventUntilItEnds(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	if events := f.do(organization.ConnectDrive{ID: organization.DriveID{2}}); len(events) != 0 {
		t.Errorf("a second connection: %v", events)
	}
	if drive, ok := f.state.Drive(); !ok || drive.ID != (organization.DriveID{1}) {
		t.Errorf("%+v", drive)
	}
	f.do(organization.DisconnectDrive{})
	if events := f.do(organization.DisconnectDrive{}); len(events) != 0 {
		t.Errorf("a second end: %v", events)
	}
	if _, ok := f.state.Drive(); ok {
		t.Error("the connection did not end")
	}
}

func TestConfigurationNeedsAConnection(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.refused(organization.ConfigureSync{SyncTerms: synced("f1")}, organization.CodeNotConnected)
}

func TestConfigurationIsNormalized(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	terms := synced(" f1 ")
	terms.TargetDataRoomPath, terms.FileTypeFilter = "//Drive/Board/", " PDF,docx, pdf,"
	f.do(organization.ConfigureSync{SyncTerms: terms})
	got := f.state.Syncs()[0].SyncTerms
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
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	for field, change := range map[string]func(*organization.SyncTerms){
		"/driveFolderId required":    func(t *organization.SyncTerms) { t.DriveFolderID = "" },
		"/targetDataRoomPath format": func(t *organization.SyncTerms) { t.TargetDataRoomPath = "Drive" },
		"/fileTypeFilter format":     func(t *organization.SyncTerms) { t.FileTypeFilter = ".pdf" },
		"/fileTypeFilter maxItems": func(t *organization.SyncTerms) {
			for number := range 51 {
				t.FileTypeFilter += "x" + strconv.Itoa(number) + ","
			}
		},
	} {
		terms := synced("f1")
		change(&terms)
		_, err := f.decide(organization.ConfigureSync{SyncTerms: terms})
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer+" "+refusal.Fields[0].Code != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestFolderHasOneConfigurationAndTheNumberIsLimited(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	for number := range 20 {
		f.do(organization.ConfigureSync{SyncTerms: synced("f" + strconv.Itoa(number))})
	}
	f.refused(organization.ConfigureSync{SyncTerms: synced("other")}, organization.CodeLimit)
	f.do(organization.RemoveSync{ID: f.state.Syncs()[0].ID})
	f.refused(organization.ConfigureSync{SyncTerms: synced("f5")}, organization.CodeFolderSynced)
	f.refused(organization.RemoveSync{ID: organization.SyncID{9}}, fault.NotFound)
}

func TestChangedConfigurationKeepsItsFolder(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	f.do(organization.ConfigureSync{SyncTerms: synced("f1")})
	id := f.state.Syncs()[0].ID
	patch := json.RawMessage(`{"syncEnabled":false,"driveFolderId":"other"}`)
	f.do(organization.ChangeSync{ID: id, Patch: patch})
	if got, _ := f.state.Sync(id); got.SyncEnabled || got.DriveFolderID != "f1" {
		t.Errorf("%+v", got)
	}
	if events := f.do(organization.ChangeSync{ID: id, Patch: patch}); len(events) != 0 {
		t.Errorf("a repetition: %v", events)
	}
}

func TestConfigurationsOutliveTheConnection(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	f.do(organization.ConfigureSync{SyncTerms: synced("f1")})
	f.do(organization.DisconnectDrive{})
	if len(f.state.Syncs()) != 1 {
		t.Error("the configuration ended with the connection")
	}
}

func TestSnapshotContainsTheConnectionAndItsConfigurations(t *testing.T) {
	t.Parallel()
	f := founded(t)
	f.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	f.do(organization.ConfigureSync{SyncTerms: synced("f1")})
	restored, err := organization.Restore(f.state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	drive, connected := restored.Drive()
	if !connected || drive.ID != (organization.DriveID{1}) || len(restored.Syncs()) != 1 || *restored.Syncs()[0] != *f.state.Syncs()[0] {
		t.Errorf("%+v %+v", drive, restored.Syncs())
	}
}
