package document_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/fault"
	"equity/organization/document"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"":                       "required",
		"a/b":                    "separator",
		`a\b`:                    "separator",
		"a\x00b":                 "controlCharacter",
		"a\nb":                   "controlCharacter",
		"a\u202eb":               "controlCharacter",
		"a\u200bb":               "controlCharacter",
		" a":                     "space",
		"a ":                     "space",
		".":                      "reserved",
		"..":                     "reserved",
		strings.Repeat("ä", 256): "maxLength",
	} {
		open(t).refused(document.CreateFolder{Name: name}, fault.Invalid, "/name "+code)
	}
	r := open(t)
	r.folder(document.ItemID{}, strings.Repeat("ä", 255))
	r.folder(document.ItemID{}, `"quoted" 📄.pdf`)
}

func TestNamesAreUniqueInTheirFolderWithoutRegardToCaseAndComposition(t *testing.T) {
	t.Parallel()
	r := open(t)
	legal := r.folder(document.ItemID{}, "Légal")
	for _, same := range []string{"légal", "LÉGAL", "Le\u0301gal"} {
		r.refused(document.CreateFolder{Name: same}, document.CodeNameTaken)
	}
	r.folder(legal, "Other")
	r.refused(document.Move{ID: legal, Parent: &legal}, document.CodeCycle)
}

func TestUploadCreatesTheFoldersOfItsPathOnce(t *testing.T) {
	t.Parallel()
	r := open(t)
	add := document.AddDocuments{
		Path: []string{"Legal", "2026"}, Files: []document.Content{content("a.txt", "a"), content("b.txt", "b")},
		OnConflict: document.NewVersion,
	}
	equal(t, "events", len(r.do(add)), 6)
	equal(t, "events of the second upload", len(r.do(add)), 4)
	legal, _ := r.tree.Named(document.ItemID{}, "legal")
	year, _ := r.tree.Named(legal.ID, "2026")
	equal(t, "names", r.list(year.ID), "a.txt b.txt")
	a, _ := r.tree.Named(year.ID, "A.TXT")
	equal(t, "versions", len(a.Versions), 2)
}

func TestUploadOfATakenName(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.upload(document.ItemID{}, "plan.pdf", "1")
	again := document.AddDocuments{Files: []document.Content{content("Plan.pdf", "2")}, OnConflict: document.RefuseName}
	r.refused(again, document.CodeNameTaken)
	again.OnConflict = document.Rename
	r.do(again)
	r.do(again)
	equal(t, "names", r.list(document.ItemID{}), "Plan (2).pdf Plan (3).pdf plan.pdf")
	r.folder(document.ItemID{}, "Old")
	r.refused(document.AddDocuments{Files: []document.Content{content("old", "3")}, OnConflict: document.NewVersion}, document.CodeNameTaken)
	r.refused(document.AddDocuments{Path: []string{"plan.pdf"}, Files: []document.Content{content("x", "3")}}, document.CodeNameTaken)
}

func TestUploadStoresAllFilesOrNone(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.refused(
		document.AddDocuments{Path: []string{"New"}, Files: []document.Content{content("a", "a"), content("b/c", "b")}}, fault.Invalid,
		"/file separator",
	)
	equal(t, "items", r.tree.Len(), 0)
}

func TestMove(t *testing.T) {
	t.Parallel()
	r := open(t)
	a := r.folder(document.ItemID{}, "A")
	b := r.folder(a, "B")
	file := r.upload(b, "x.txt", "x")
	r.refused(document.Move{ID: a, Parent: &b}, document.CodeCycle)
	r.refused(document.Move{ID: b, Parent: &file}, fault.Invalid, "/parentFolder notFolder")
	root, name := document.ItemID{}, "y.txt"
	r.do(document.Move{ID: file, Parent: &root, Name: &name})
	equal(t, "root", r.list(root), "A/ y.txt")
	equal(t, "events of no change", len(r.do(document.Move{ID: file, Name: &name})), 0)
	r.do(document.Move{ID: file, Name: new("Y.txt")})
	equal(t, "root", r.list(root), "A/ Y.txt")
}

func TestLevelsOfFoldersAreLimited(t *testing.T) {
	t.Parallel()
	r := open(t)
	at := document.ItemID{}
	for level := range 20 {
		at = r.folder(at, strconv.Itoa(level))
	}
	r.upload(at, "deep.txt", "x")
	r.refused(document.CreateFolder{Name: "21", Parent: at}, document.CodeLimit)
	r.refused(document.AddDocuments{Parent: at, Path: []string{"21"}, Files: []document.Content{content("a", "a")}}, document.CodeLimit)
	two := r.folder(document.ItemID{}, "two")
	r.folder(two, "levels")
	above := r.item(at).Parent
	r.refused(document.Move{ID: two, Parent: &above}, document.CodeLimit)
}

func TestDeletedFolderTakesItsContentsAlongAndReturnsThem(t *testing.T) {
	t.Parallel()
	r := open(t)
	a := r.folder(document.ItemID{}, "A")
	b := r.folder(a, "B")
	before := r.upload(b, "before.txt", "1")
	file := r.upload(b, "x.txt", "2")
	r.do(document.Delete{ID: before})
	r.do(document.Delete{ID: a})
	equal(t, "live", r.tree.Len(), 0)
	r.refused(document.Delete{ID: file}, fault.NotFound)
	r.refused(document.Restore{ID: file}, fault.Conflict)
	r.do(document.Restore{ID: a})
	equal(t, "B", r.list(b), "x.txt")
	r.do(document.Restore{ID: before})
	equal(t, "B", r.list(b), "before.txt x.txt")
}

func TestRestore(t *testing.T) {
	t.Parallel()
	t.Run("a restore is refused while the name of the item is taken", func(t *testing.T) {
		t.Parallel()
		r := open(t)
		id := r.upload(document.ItemID{}, "x", "1")
		r.do(document.Delete{ID: id})
		r.upload(document.ItemID{}, "X", "2")
		r.refused(document.Restore{ID: id}, document.CodeNameTaken)
	})
	t.Run("a restored item of a deleted folder returns to the root", func(t *testing.T) {
		t.Parallel()
		r := open(t)
		folder := r.folder(document.ItemID{}, "A")
		id := r.upload(folder, "x", "1")
		r.do(document.Delete{ID: id})
		r.do(document.Delete{ID: folder})
		r.do(document.Restore{ID: id})
		equal(t, "root", r.list(document.ItemID{}), "x")
	})
	t.Run("a restore after 30 days is refused", func(t *testing.T) {
		t.Parallel()
		r := open(t)
		id := r.upload(document.ItemID{}, "x", "1")
		r.do(document.Delete{ID: id})
		r.now = r.now.Add(30*24*time.Hour + time.Second)
		r.refused(document.Restore{ID: id}, fault.NotFound)
	})
}

func TestReferencedFilesAreNeitherDeletedNorErased(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Plans")
	id := r.upload(folder, "plan.pdf", "1")
	file := r.item(id).File()
	r.used[file] = "plan Employees"
	r.refused(document.Delete{ID: folder}, fault.InUse)
	r.refused(document.EraseFile{ID: file, Reason: "Request."}, fault.InUse)
	delete(r.used, file)
	r.do(document.Delete{ID: folder})
}

func TestContentStaysWhileAnotherFileHasIt(t *testing.T) {
	t.Parallel()
	r := open(t)
	first, second := r.upload(document.ItemID{}, "a", "same"), r.upload(document.ItemID{}, "b", "same")
	hash := content("", "same").SHA256
	r.refused(document.EraseFile{ID: r.item(first).File()}, fault.Invalid, "/reason required")
	r.do(document.EraseFile{ID: r.item(first).File(), Reason: "Request."})
	equal(t, "stored with one file", r.tree.Stores(hash), true)
	r.do(document.EraseFile{ID: r.item(second).File(), Reason: "Request."})
	equal(t, "stored without files", r.tree.Stores(hash), false)
	r.refused(document.EraseFile{ID: r.item(second).File(), Reason: "Request."}, document.CodeErased)
}

func TestRepeatedScanResultIsIgnored(t *testing.T) {
	t.Parallel()
	r := open(t)
	file := r.item(r.upload(document.ItemID{}, "a", "a")).File()
	equal(t, "events", len(r.do(document.RecordScan{ID: file, Scan: document.ScanClean})), 1)
	equal(t, "events of the repetition", len(r.do(document.RecordScan{ID: file, Scan: document.ScanClean})), 0)
}
