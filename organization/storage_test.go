package organization_test

import (
	"testing"

	"equity/organization"
	"equity/organization/document"
)

func TestStorageWithDocumentsStays(t *testing.T) {
	t.Parallel()
	toSuite := organization.Amend{Patch: []byte(`{"storage":"officeSuite"}`)}
	withDocument := founded(t)
	withDocument.do(organization.Room{Command: document.CreateFolder{Name: "Legal"}})
	withDocument.refused(toSuite, organization.CodeStorage)
	empty := founded(t)
	empty.do(toSuite)
	if !empty.state.InOfficeSuite() {
		t.Error("the storage did not change")
	}
}
