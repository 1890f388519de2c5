package document_test

import (
	"slices"
	"strings"
	"testing"

	"equity/fault"
	"equity/organization/document"
)

// copyOf describes a copy of a file of a drive.
func copyOf(parent document.ItemID, external, name, text string) document.Copy {
	return document.Copy{Content: content(name, text), Source: document.Source{Kind: "drive", ExternalID: external}, Parent: parent}
}

func TestCopiesAreFoundByTheirExternalID(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.do(document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "A.txt", "a"), copyOf(document.ItemID{}, "f2", "B.txt", "b")}})
	found := r.tree.Copies("f1")
	if len(found) != 1 || found[0].Name != "A.txt" || len(r.tree.Copies("f")) != 0 {
		t.Fatalf("%+v", found)
	}
	r.do(document.Delete{ID: found[0].ID})
	equal(t, "after the deletion", len(r.tree.Copies("f1")), 0)
	r.do(document.Restore{ID: found[0].ID})
	equal(t, "after the restoration", len(r.tree.Copies("f1")), 1)
}

func TestCopyOfARepeatedNameGetsANumber(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.upload(document.ItemID{}, "a.TXT", "local")
	r.do(document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "A.txt", "a"), copyOf(document.ItemID{}, "f2", "A.txt", "b")}})
	equal(t, "names", r.list(document.ItemID{}), "A (2).txt A (3).txt a.TXT")
}

func TestChangedCopyIsAVersionAndAnEqualOneNone(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.do(document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "A.txt", "a")}})
	again := copyOf(document.ItemID{}, "f1", "A.txt", "a")
	again.Document = r.tree.Copies("f1")[0].ID
	if events := r.do(document.AddCopies{Copies: []document.Copy{again}}); len(events) != 0 {
		t.Errorf("%v", events)
	}
	again.Content = content("A.txt", "next")
	r.do(document.AddCopies{Copies: []document.Copy{again}})
	equal(t, "versions", len(r.item(again.Document).Versions), 2)
}

func TestCopiesAreAddedTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	r := open(t)
	gone := r.folder(document.ItemID{}, "Gone")
	r.do(document.Delete{ID: gone})
	r.refused(
		document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "A.txt", "a"), copyOf(gone, "f2", "B.txt", "b")}},
		fault.NotFound,
	)
	equal(t, "items", r.list(document.ItemID{}), "")
}

func TestPlacedCopyGetsANumberForATakenName(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Board")
	r.upload(folder, "A.txt", "local")
	r.do(document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "B.txt", "b")}})
	id := r.tree.Copies("f1")[0].ID
	r.do(document.PlaceCopy{ID: id, Name: "A.txt", Parent: folder})
	equal(t, "names", r.list(folder), "A (2).txt A.txt")
	if events := r.do(document.PlaceCopy{ID: id, Name: "A (2).txt", Parent: folder}); len(events) != 0 {
		t.Errorf("a repetition: %v", events)
	}
}

func TestNamesOfOtherStoresAreMadeAcceptable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300) + ".pdf"
	for given, want := range map[string]string{
		"A/B\\C.txt": "A_B_C.txt", " A.txt ": "A.txt", "A\x00\u202e.txt": "A.txt", "..": "_", "": "_", "\xff.txt": "_.txt",
		long: long[:251] + ".pdf",
	} {
		got := document.AcceptableName(given)
		equal(t, given, got, want)
		open(t).folder(document.ItemID{}, got)
	}
}

func TestCopyOfTheTreeHasItsOwnIndex(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.do(document.AddCopies{Copies: []document.Copy{copyOf(document.ItemID{}, "f1", "A.txt", "a")}})
	copied := r.tree.Copy()
	r.do(document.Delete{ID: r.tree.Copies("f1")[0].ID})
	if !slices.ContainsFunc(copied.Copies("f1"), func(i *document.Item) bool { return i.Name == "A.txt" }) {
		t.Error("a copy of the tree shares its index")
	}
}
