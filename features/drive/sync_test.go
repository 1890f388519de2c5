package drive_test

import (
	"slices"
	"strings"
	"testing"

	"equity/features/drive"
	"equity/features/drive/connection"
	"equity/features/drive/drivetest"
	"equity/organization"
	"equity/organization/document"
)

const native = "application/vnd.google-apps."

func TestFilesAreCopiedWithTheirFolders(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
		inner := b.drive.Folder(folder, "Minutes")
		b.drive.Put(inner, "March", native+"document", "the minutes")
		b.drive.Put(drivetest.Root, "Private.txt", "text/plain", "outside")
		b.counts(b.sync(), drive.RunSucceeded, 2, 2, 0, 0, 0)
		if got := b.list(); !slices.Equal(got, []string{"/Drive/Board/Minutes/March.docx", "/Drive/Board/Plan.txt"}) {
			b.Fatalf("%v", got)
		}
		plan := b.at("/Drive/Board/Plan.txt")
		if b.content(plan, 0) != "the plan" || plan.Source.Kind != "drive" || plan.Source.ExternalID == "" || plan.CreatedBy != "system:drive" {
			b.Errorf("%+v", plan)
		}
	})
}

func TestSecondRunWithoutChangesMakesOneListCall(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
		b.sync()
		before, downloads := b.drive.Calls("all"), b.drive.Calls("download")
		b.counts(b.sync(), drive.RunSucceeded, 0, 0, 0, 0, 0)
		if calls := b.drive.Calls("all") - before; calls != 1 || b.drive.Calls("download") != downloads {
			b.Errorf("%d calls, %d downloads", calls, b.drive.Calls("download")-downloads)
		}
	})
}

func TestChangesAreFollowed(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		inner := b.drive.Folder(folder, "Minutes")
		changed := b.drive.Put(folder, "Plan.txt", "text/plain", "first")
		trashed := b.drive.Put(folder, "Old.txt", "text/plain", "old")
		moved := b.drive.Put(folder, "Out.txt", "text/plain", "out")
		within := b.drive.Put(folder, "March.txt", "text/plain", "march")
		b.sync()
		b.drive.Put(folder, "Plan.txt", "text/plain", "second")
		b.drive.Trash(trashed)
		b.drive.Move(moved, drivetest.Root)
		b.drive.Move(within, inner)
		b.drive.Put(b.drive.Folder(folder, "New"), "April.txt", "text/plain", "april")
		b.counts(b.sync(), drive.RunSucceeded, 5, 1, 4, 0, 0)
		want := []string{"/Drive/Board/Minutes/March.txt", "/Drive/Board/New/April.txt", "/Drive/Board/Plan.txt"}
		if got := b.list(); !slices.Equal(got, want) {
			b.Fatalf("%v", got)
		}
		plan := b.at("/Drive/Board/Plan.txt")
		if len(plan.Versions) != 2 || b.content(plan, 0) != "second" || b.content(plan, 1) != "first" || plan.Source.ExternalID != changed {
			b.Errorf("%+v", plan)
		}
	})
}

func TestVersionOfTheDriveIsAboveTheLocalOne(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(folder, "Plan.txt", "text/plain", "first")
	b.sync()
	parent := b.at("/Drive/Board/Plan.txt").Parent
	b.do(organization.Room{Command: document.AddDocuments{Parent: parent, OnConflict: document.NewVersion, Files: []document.Content{{
		Name: "Plan.txt", Size: 1, SHA256: strings.Repeat("a", 64), Scan: document.ScanNone,
	}}}})
	b.drive.Put(folder, "Plan.txt", "text/plain", "second")
	b.counts(b.sync(), drive.RunSucceeded, 1, 0, 1, 0, 0)
	plan := b.at("/Drive/Board/Plan.txt")
	if len(plan.Versions) != 3 || b.content(plan, 0) != "second" || b.content(plan, 2) != "first" {
		t.Errorf("%+v", plan.Versions)
	}
}

func TestFilesWithoutACopyAreCounted(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	for _, kind := range []string{"shortcut", "form"} {
		b.drive.Put(folder, kind, native+kind, "")
	}
	b.drive.Lock(b.drive.Put(folder, "Locked.txt", "text/plain", ""))
	b.drive.Put(folder, "Program.exe", "application/octet-stream", "")
	b.drive.Put(folder, "Large.txt", "text/plain", strings.Repeat("x", fileLimit+1))
	b.drive.Put(folder, "Notes", native+"document", "too many pages")
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	b.drive.Break(drivetest.Faults{LargeExport: true})
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"fileTypeFilter":"txt,docx"}`)})
	run := b.sync()
	b.counts(run, drive.RunSucceeded, 7, 1, 0, 4, 2)
	if run.Error != "exportTooLarge: 1, tooLarge: 1" {
		t.Errorf("%q", run.Error)
	}
}

func TestRepeatedNamesGetANumber(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	for _, name := range []string{"Plan.txt", "Plan.txt", "a/b.txt"} {
		b.drive.Repeat(folder, name, "text/plain", name)
	}
	for range 2 {
		b.drive.Put(b.drive.Repeat(folder, "Minutes", native+"folder", ""), "March.txt", "text/plain", "march")
	}
	b.counts(b.sync(), drive.RunSucceeded, 5, 5, 0, 0, 0)
	want := []string{
		"/Drive/Board/a_b.txt", "/Drive/Board/Minutes/March.txt", "/Drive/Board/Minutes (2)/March.txt", "/Drive/Board/Plan (2).txt",
		"/Drive/Board/Plan.txt",
	}
	slices.Sort(want)
	got := b.list()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestRefusedPageTokenCausesACompleteListing(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		gone := b.drive.Folder(folder, "Gone")
		b.drive.Put(gone, "Old.txt", "text/plain", "old")
		b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
		b.sync()
		b.drive.Trash(gone)
		b.drive.Put(folder, "Next.txt", "text/plain", "next")
		downloads := b.drive.Calls("download")
		b.drive.Break(drivetest.Faults{ExpiredPage: true})
		b.counts(b.sync(), drive.RunSucceeded, 3, 1, 1, 0, 0)
		b.drive.Break(drivetest.Faults{})
		if got := b.list(); !slices.Equal(got, []string{"/Drive/Board/Next.txt", "/Drive/Board/Plan.txt"}) || b.drive.Calls("download") != downloads+1 {
			b.Errorf("%v, %d downloads", got, b.drive.Calls("download")-downloads)
		}
		b.counts(b.sync(), drive.RunSucceeded, 0, 0, 0, 0, 0)
	})
}

func TestTrashedFolderKeepsLocalDocuments(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	inner := b.drive.Folder(folder, "Minutes")
	b.drive.Put(inner, "March.txt", "text/plain", "march")
	b.sync()
	b.do(organization.Room{Command: document.AddDocuments{Parent: b.at("/Drive/Board/Minutes").ID, OnConflict: document.NewVersion, Files: []document.Content{{
		Name: "Local.txt", Size: 1, SHA256: strings.Repeat("a", 64), Scan: document.ScanNone,
	}}}})
	b.drive.Trash(inner)
	b.counts(b.sync(), drive.RunSucceeded, 1, 0, 1, 0, 0)
	if got := b.list(); !slices.Equal(got, []string{"/Drive/Board/Minutes/Local.txt"}) {
		t.Errorf("%v", got)
	}
}

func TestMissingFolderFailsTheRunAndKeepsTheDocuments(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	b.sync()
	b.drive.Trash(folder)
	b.counts(b.sync(), drive.RunFailed, 0, 0, 0, 0, 0)
	status, _, err := b.engine.Status(t.Context(), b.view())
	if err != nil || status.Syncs[b.config].Error != "folderNotFound" || len(b.list()) != 1 {
		t.Errorf("%+v %v %v", status, b.list(), err)
	}
}

func TestChangedTargetMovesTheCopies(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(b.drive.Folder(folder, "Minutes"), "March.txt", "text/plain", "march")
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	b.sync()
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"targetDataRoomPath":"/Other"}`)})
	b.drive.Put(folder, "Next.txt", "text/plain", "next")
	b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
	if got := b.list(); !slices.Equal(got, []string{"/Other/Minutes/March.txt", "/Other/Next.txt", "/Other/Plan.txt"}) {
		t.Errorf("%v", got)
	}
}

func TestSubfoldersAreOptional(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(b.drive.Folder(folder, "Minutes"), "March.txt", "text/plain", "march")
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"syncSubfolders":false}`)})
	b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"syncSubfolders":true}`)})
	b.counts(b.sync(), drive.RunSucceeded, 2, 1, 0, 0, 0)
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"syncSubfolders":false}`)})
	b.sync()
	if got := b.list(); len(got) != 2 {
		t.Errorf("turning subfolders off removed documents: %v", got)
	}
}

func TestLocallyDeletedDocumentReturnsWithItsNextChange(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(folder, "Plan.txt", "text/plain", "first")
	b.sync()
	b.do(organization.Room{Command: document.Delete{ID: b.at("/Drive/Board/Plan.txt").ID}})
	b.drive.Break(drivetest.Faults{ExpiredPage: true})
	b.counts(b.sync(), drive.RunSucceeded, 1, 0, 0, 0, 0)
	b.drive.Break(drivetest.Faults{})
	if got := b.list(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	b.drive.Put(folder, "Plan.txt", "text/plain", "second")
	b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
}
