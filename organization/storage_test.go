package organization_test

import (
	"testing"

	"equity/organization"
	"equity/organization/document"
)

func TestStorageWithDocumentsOrADriveStays(t *testing.T) {
	t.Parallel()
	toSuite := organization.Amend{Patch: []byte(`{"storage":"officeSuite"}`)}
	withDocument := founded(t)
	withDocument.do(organization.Room{Command: document.CreateFolder{Name: "Legal"}})
	withDocument.refused(toSuite, organization.CodeStorage)
	withDrive := founded(t)
	withDrive.do(organization.ConnectDrive{ID: organization.DriveID{1}})
	withDrive.refused(toSuite, organization.CodeStorage)
	withDrive.do(organization.DisconnectDrive{})
	withDrive.do(toSuite)
	if !withDrive.state.InOfficeSuite() {
		t.Error("the storage did not change")
	}
	withDrive.refused(organization.ConnectDrive{ID: organization.DriveID{2}}, document.CodeNotInSuite)
}
