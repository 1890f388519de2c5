package document_test

import (
	"strings"
	"testing"

	"equity/organization/document"
)

// found returns the names of the items that the viewer finds.
func (r *room) found(text string, viewer document.Viewer) string {
	var names []string
	for _, item := range r.tree.Search(text, viewer) {
		names = append(names, item.Name)
	}
	return strings.Join(names, ", ")
}

func TestSearchFindsItemsOfAllFoldersByWords(t *testing.T) {
	t.Parallel()
	r := open(t)
	legal := r.folder(document.ItemID{}, "Legal plans")
	r.upload(r.folder(legal, "2026"), "Équity Plan.pdf", "1")
	r.upload(document.ItemID{}, "plan of hiring.txt", "2")
	gone := r.upload(legal, "Old plan.pdf", "3")
	r.do(document.Delete{ID: gone})
	owner := document.Viewer{Owner: true}
	for text, want := range map[string]string{
		"plan":        "Legal plans, plan of hiring.txt, Équity Plan.pdf",
		"PLAN equity": "Équity Plan.pdf",
		"hiring  of":  "plan of hiring.txt",
		"é":           "Legal plans, Équity Plan.pdf",
		"2026":        "2026",
		"waterfall":   "",
		"  ":          "",
	} {
		equal(t, text, r.found(text, owner), want)
	}
}

// A search must find exactly the items that the viewer may read, whatever the folders above permit.
func TestSearchRespectsRestrictedFolders(t *testing.T) {
	t.Parallel()
	r := open(t)
	ada, bob := document.MemberID{1}, document.MemberID{2}
	board := r.folder(r.folder(document.ItemID{}, "Company"), "Board notes")
	r.upload(board, "notes.pdf", "1")
	given := r.upload(board, "notes for bob.pdf", "2")
	r.upload(document.ItemID{}, "open notes.pdf", "3")
	r.do(document.SetAccess{ID: board, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{ada}}})
	r.do(document.SetAccess{ID: given, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{bob}}})
	for name, row := range map[string]struct {
		viewer document.Viewer
		want   string
	}{
		"owner":                 {document.Viewer{Owner: true}, "Board notes, notes for bob.pdf, notes.pdf, open notes.pdf"},
		"Ada":                   {document.Viewer{Member: ada, ViewDocuments: true}, "Board notes, notes.pdf, open notes.pdf"},
		"Bob":                   {document.Viewer{Member: bob, ViewDocuments: true}, "notes for bob.pdf, open notes.pdf"},
		"Bob, no viewDocuments": {document.Viewer{Member: bob}, "notes for bob.pdf"},
		"another":               {document.Viewer{Member: document.MemberID{3}, ViewDocuments: true}, "open notes.pdf"},
	} {
		equal(t, name, r.found("notes", row.viewer), row.want)
	}
}

func TestPermittedItemOfAHiddenFolderIsListedInTheReadableFolderAbove(t *testing.T) {
	t.Parallel()
	r := open(t)
	bob := document.Viewer{Member: document.MemberID{2}, ViewDocuments: true}
	company := r.folder(document.ItemID{}, "Company")
	board := r.folder(company, "Board")
	id := r.upload(board, "for bob.pdf", "1")
	r.do(document.SetAccess{ID: board, Access: document.Access{Mode: document.Restricted}})
	r.do(document.SetAccess{ID: id, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{bob.Member}}})
	equal(t, "root", r.names(document.ItemID{}, bob), "Company")
	equal(t, "Company", r.names(company, bob), "for bob.pdf")
}
