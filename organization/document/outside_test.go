package document_test

import (
	"testing"

	"equity/organization/document"
)

func TestEventsOfAnotherStorageChangeNoRecord(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Legal")
	plan := r.upload(folder, "Plan.txt", "plan")
	file := r.item(plan).File()
	changes := []document.Event{
		document.FolderCreated{ID: document.ItemID(r.newID()), Name: "Legal 2", Storage: document.OfficeSuite},
		document.FileStored{ID: document.FileID(r.newID()), Storage: document.OfficeSuite},
		document.Added{ID: document.ItemID(r.newID()), Name: "Other.txt", File: file, Storage: document.OfficeSuite},
		document.Versioned{ID: plan, File: document.FileID(r.newID()), Storage: document.OfficeSuite},
		document.Moved{ID: plan, Name: "Moved.txt", Storage: document.OfficeSuite},
		document.Deleted{ID: folder, Storage: document.OfficeSuite},
	}
	equal(t, "events", len(r.do(document.RecordOutside{Changes: changes})), len(changes))
	equal(t, "items", r.tree.Len(), 2)
	equal(t, "name", r.item(plan).Name, "Plan.txt")
	equal(t, "versions", len(r.item(plan).Versions), 1)
}

func TestChangeWithoutAStorageIsRefused(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.try(document.RecordOutside{Changes: []document.Event{document.Deleted{ID: document.ItemID{1}}}}); err == nil {
		t.Error("it is accepted")
	}
}
