package document_test

import (
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization/document"
)

// names returns the names of the items that the viewer sees in a folder.
func (r *room) names(folder document.ItemID, viewer document.Viewer) string {
	var names []string
	for _, item := range r.tree.Visible(folder, viewer) {
		names = append(names, item.Name)
	}
	return strings.Join(names, " ")
}

func TestRestrictedFolderIsVisibleToNamedMembersAndRolesOnly(t *testing.T) {
	t.Parallel()
	r := open(t)
	ada, bob := document.MemberID{1}, document.MemberID{2}
	secret := r.folder(document.ItemID{}, "Secret")
	r.upload(secret, "plan.pdf", "1")
	r.upload(document.ItemID{}, "a.txt", "2")
	r.do(document.SetAccess{
		ID:     secret,
		Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{ada}, Roles: []string{"Lawyer"}, Download: true},
	})
	for name, row := range map[string]struct {
		viewer       document.Viewer
		root, inside string
	}{
		"owner":                       {document.Viewer{Owner: true}, "Secret a.txt", "plan.pdf"},
		"named member":                {document.Viewer{Member: ada, ViewDocuments: true}, "Secret a.txt", "plan.pdf"},
		"named role":                  {document.Viewer{Member: bob, Roles: []string{"Lawyer"}, ViewDocuments: true}, "Secret a.txt", "plan.pdf"},
		"other member":                {document.Viewer{Member: bob, ViewDocuments: true}, "a.txt", ""},
		"named without viewDocuments": {document.Viewer{Member: ada}, "Secret", "plan.pdf"},
		"other without viewDocuments": {document.Viewer{Member: bob}, "", ""},
	} {
		equal(t, name+", root", r.names(document.ItemID{}, row.viewer), row.root)
		equal(t, name+", folder", r.names(secret, row.viewer), row.inside)
	}
}

func TestPermittedItemOfAHiddenFolderIsListedAtTheRoot(t *testing.T) {
	t.Parallel()
	r := open(t)
	ada, bob := document.MemberID{1}, document.MemberID{2}
	folder := r.folder(document.ItemID{}, "Board")
	id := r.upload(folder, "for bob.pdf", "1")
	r.do(document.SetAccess{ID: folder, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{ada}}})
	r.do(document.SetAccess{ID: id, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{bob}}})
	equal(t, "Bob", r.names(document.ItemID{}, document.Viewer{Member: bob, ViewDocuments: true}), "for bob.pdf")
	equal(t, "Ada", r.names(document.ItemID{}, document.Viewer{Member: ada, ViewDocuments: true}), "Board")
	equal(t, "Ada inside", r.names(folder, document.Viewer{Member: ada, ViewDocuments: true}), "")
}

func TestConditionsAreThoseOfTheNearestItem(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Round")
	inner := r.folder(folder, "Terms")
	id := r.upload(inner, "terms.pdf", "1")
	r.do(document.SetAccess{ID: folder, Access: document.Access{Mode: document.Restricted, Roles: []string{"Investor"}, Watermark: true}})
	r.do(document.SetAccess{ID: inner, Access: document.Access{Mode: document.Inherit, Download: true, Watermark: true}})
	got := r.tree.Access(r.item(id))
	equal(t, "mode", got.Mode, document.Restricted)
	equal(t, "roles", strings.Join(got.Roles, " "), "Investor")
	equal(t, "download", got.Download, true)
	equal(t, "watermark", got.Watermark, true)
	r.refused(document.SetAccess{ID: id, Access: document.Access{Mode: document.Inherit, Roles: []string{"Investor"}}}, fault.Invalid, "/mode inherit")
	r.refused(document.SetAccess{ID: id}, fault.Invalid, "/mode enum")
}

func TestShares(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "A")
	id := r.upload(folder, "a.pdf", "1")
	share := document.ShareID{9}
	r.refused(document.CreateShare{ID: share, Document: folder}, document.CodeIsFolder)
	r.refused(document.CreateShare{ID: share, Document: id, ExpiresAt: r.now.Add(91 * 24 * time.Hour)}, fault.Invalid, "/expiresAt range")
	r.refused(document.CreateShare{ID: share, Document: id, ExpiresAt: r.now.Add(-time.Second)}, fault.Invalid, "/expiresAt range")
	r.do(document.CreateShare{ID: share, Document: id})
	stored, _ := r.tree.Share(share)
	equal(t, "valid after 13 days", stored.Valid(r.now.Add(13*24*time.Hour)), true)
	equal(t, "valid after 14 days", stored.Valid(r.now.Add(14*24*time.Hour)), false)
	r.refused(document.RevokeShare{ID: share, Document: folder}, fault.NotFound)
	equal(t, "events of a revocation", len(r.do(document.RevokeShare{ID: share, Document: id})), 1)
	equal(t, "events of its repetition", len(r.do(document.RevokeShare{ID: share, Document: id})), 0)
	equal(t, "shares", len(r.tree.Shares(id)), 1)
}

func TestSnapshotRestoresTheDataRoom(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "A")
	id := r.upload(folder, "a.pdf", "1")
	gone := r.upload(folder, "b.pdf", "2")
	r.do(document.Delete{ID: gone})
	r.do(document.SetAccess{ID: folder, Access: document.Access{Mode: document.Restricted, Members: []document.MemberID{{1}}, Watermark: true}})
	r.do(document.CreateShare{ID: document.ShareID{9}, Document: id})
	packed := captable.NewPacker()
	r.tree.Pack(packed)
	again := document.NewTree()
	from := captable.NewUnpacker(packed.Bytes())
	again.Pack(from)
	if err := from.Err(); err != nil {
		t.Fatal(err)
	}
	second := captable.NewPacker()
	again.Pack(second)
	equal(t, "snapshot", string(second.Bytes()), string(packed.Bytes()))
	equal(t, "live", again.Len(), r.tree.Len())
	found, _ := again.Named(folder, "A.PDF")
	equal(t, "name", found.ID, id)
	equal(t, "stored", again.Stores(content("", "2").SHA256), true)
}
