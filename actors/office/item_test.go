package office_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"equity/actors/office"
	"equity/actors/office/officetest"
)

func TestItemsHaveTheirProperties(t *testing.T) {
	t.Parallel()
	b := setup(t)
	folder := b.server.Folder(officetest.Root, "Board")
	file := b.server.Put(folder, "Minutes.txt", "the minutes")
	root, err := b.client.Root(t.Context())
	if err != nil || root.ID != officetest.Root || !root.Folder || root.ParentID != "" {
		t.Errorf("%+v %v", root, err)
	}
	found, err := b.client.Item(t.Context(), folder)
	if err != nil || found.ID != folder || found.Name != "Board" || !found.Folder || found.ParentID != officetest.Root || found.MediaType != "" ||
		found.DriveID != officetest.DriveID || found.Size != 11 {
		t.Errorf("%+v %v", found, err)
	}
	found, err = b.client.Child(t.Context(), folder, "minutes.TXT")
	if err != nil || found.ID != file || found.Folder || found.ParentID != folder || found.Size != 11 || found.MediaType != "text/plain" ||
		found.ETag != b.server.ETag(file) || found.CreatedAt.IsZero() || found.ModifiedAt.IsZero() || found.MalwareDetected || found.SHA256 != "" {
		t.Errorf("%+v %v", found, err)
	}
}

func TestHashIsReadIfTheOfficeSuiteHasOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "content")
	b.server.Break(officetest.Faults{SHA256: true})
	sum := sha256.Sum256([]byte("content"))
	if found, err := b.client.Item(t.Context(), file); err != nil || found.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%q %v", found.SHA256, err)
	}
}

func TestMissingItemsAreNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	deleted := b.server.Put(officetest.Root, "deleted", "")
	b.server.Delete(deleted)
	shortcut := b.server.Shortcut(officetest.Root, "Shortcut")
	for _, id := range []string{"", ".", "..", "unknown", "a/b?c#d", deleted, shortcut} {
		if found, err := b.client.Item(t.Context(), id); !errors.Is(err, office.ErrNotFound) {
			t.Errorf("%q: %+v %v", id, found, err)
		}
	}
	for _, name := range []string{"", "..", "unknown", "deleted", "a/b", "Shortcut"} {
		if found, err := b.client.Child(t.Context(), officetest.Root, name); !errors.Is(err, office.ErrNotFound) {
			t.Errorf("%q: %+v %v", name, found, err)
		}
	}
}

func TestListingReadsAllPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	folder := b.server.Folder(officetest.Root, "Board & Co. #1")
	var want []string
	for i := range 25 {
		name := fmt.Sprintf("file %02d", i)
		b.server.Put(folder, name, name)
		want = append(want, name)
	}
	b.server.Folder(folder, "folder")
	b.server.Shortcut(folder, "shortcut")
	want = append(want, "folder")
	for _, size := range []int{0, 1, 4, 9, 100} {
		b.server.Break(officetest.Faults{Page: size})
		if names := b.names(folder); !slices.Equal(names, want) {
			t.Errorf("pages of %d: %v", size, names)
		}
	}
	if names := b.names(b.server.Folder(folder, "empty")); len(names) != 0 {
		t.Errorf("an empty folder has %v", names)
	}
}

func TestListingEndsWithTheErrorOfItsVisitor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Put(officetest.Root, "a", "")
	b.server.Put(officetest.Root, "b", "")
	stop, visits := errors.New("stop"), 0
	err := b.client.Children(t.Context(), officetest.Root, func(office.Item) error {
		visits++
		return stop
	})
	if !errors.Is(err, stop) || visits != 1 {
		t.Errorf("%d visits: %v", visits, err)
	}
}

func TestListingFollowsNoAddressOfAnotherHost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := officetest.New(t)
	b.server.Put(officetest.Root, "a", "")
	b.server.Put(officetest.Root, "b", "")
	own := strings.TrimPrefix(b.server.URL, "http://")
	for _, next := range []string{
		other.URL + "/v1.0/drives/d/items/i/children", "https://" + own + "/v1.0", "//" + other.ContentHost(), "/v1.0/next", "http://user@" + own,
		"http://" + own + ".example", "ht!tp://%zz", " ",
	} {
		b.server.Break(officetest.Faults{Page: 1, NextURL: next})
		b.isUnavailable(b.client.Children(t.Context(), officetest.Root, func(office.Item) error { return nil }))
	}
	if calls := other.Calls("all") + other.Calls("token"); calls != 0 {
		t.Errorf("%d calls of another host", calls)
	}
}

func TestEndlessListingIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Put(officetest.Root, "a", "")
	b.server.Put(officetest.Root, "b", "")
	b.server.Break(officetest.Faults{
		Page: 1, NextURL: b.server.URL + "/v1.0/drives/" + url.QueryEscape(officetest.DriveID) + "/items/" + officetest.Root + "/children",
	})
	err := b.client.Children(t.Context(), officetest.Root, func(office.Item) error { return nil })
	if !errors.Is(err, office.ErrTooMany) {
		t.Error(err)
	}
}

func TestFolderOfATakenNameIsNotCreated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	created, err := b.client.CreateFolder(t.Context(), officetest.Root, "Board")
	if err != nil || !created.Folder || created.Name != "Board" || created.ParentID != officetest.Root {
		t.Fatalf("%+v %v", created, err)
	}
	b.server.Put(officetest.Root, "file", "")
	if _, err := b.client.CreateFolder(t.Context(), officetest.Root, "BOARD"); !errors.Is(err, office.ErrExists) {
		t.Error(err)
	}
	if same, err := b.client.EnsureFolder(t.Context(), officetest.Root, "board"); err != nil || same != created {
		t.Errorf("%+v %v", same, err)
	}
	if _, err := b.client.EnsureFolder(t.Context(), officetest.Root, "file"); !errors.Is(err, office.ErrExists) {
		t.Error(err)
	}
	if _, err := b.client.EnsureFolder(t.Context(), "unknown", "Board"); !errors.Is(err, office.ErrNotFound) {
		t.Error(err)
	}
	b.server.Shortcut(officetest.Root, "Shortcut")
	if _, err := b.client.EnsureFolder(t.Context(), officetest.Root, "Shortcut"); !errors.Is(err, office.ErrExists) {
		t.Error(err)
	}
}

func TestConcurrentCallersGetTheSameFolder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var callers sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		callers.Go(func() {
			folder, err := b.client.EnsureFolder(t.Context(), officetest.Root, "equity")
			if err != nil {
				t.Error(err)
			}
			ids[i] = folder.ID
		})
	}
	callers.Wait()
	if slices.Sort(ids); len(slices.Compact(ids)) != 1 || ids[0] == "" {
		t.Errorf("%v", ids)
	}
}

func TestMoveChangesNameAndFolder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	folder := b.server.Folder(officetest.Root, "Board")
	file := b.server.Put(officetest.Root, "file", "content")
	before := b.server.ETag(file)
	moved, err := b.client.Move(t.Context(), file, before, office.Move{Name: "Plan #1 – 50%.txt", Parent: folder})
	if err != nil || moved.ID != file || moved.Name != "Plan #1 – 50%.txt" || moved.ParentID != folder || moved.ETag == before {
		t.Fatalf("%+v %v", moved, err)
	}
	for name, test := range map[string]struct {
		id, tag string
		change  office.Move
		want    error
	}{
		"an old tag":      {file, before, office.Move{Parent: officetest.Root}, office.ErrChanged},
		"a taken name":    {file, "", office.Move{Name: "board", Parent: officetest.Root}, office.ErrExists},
		"an unknown item": {"unknown", "", office.Move{Name: "x"}, office.ErrNotFound},
		"no target":       {file, "", office.Move{Parent: "unknown"}, office.ErrNotFound},
		"into itself":     {folder, "", office.Move{Parent: folder}, office.ErrRefused},
		"no id":           {"", "", office.Move{Name: "x"}, office.ErrNotFound},
	} {
		if _, err := b.client.Move(t.Context(), test.id, test.tag, test.change); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if renamed, err := b.client.Move(t.Context(), file, moved.ETag, office.Move{Name: "PLAN"}); err != nil || renamed.ParentID != folder {
		t.Errorf("%+v %v", renamed, err)
	}
	b.server.Lock(file)
	if _, err := b.client.Move(t.Context(), file, "", office.Move{Name: "x"}); !errors.Is(err, office.ErrLocked) {
		t.Error(err)
	}
}

func TestDeleteMovesToTheRecycleBin(t *testing.T) {
	t.Parallel()
	b := setup(t)
	folder := b.server.Folder(officetest.Root, "Board")
	file := b.server.Put(folder, "file", "content")
	if err := b.client.Delete(t.Context(), file, `"{another},1"`); !errors.Is(err, office.ErrChanged) {
		t.Error(err)
	}
	for _, id := range []string{file, file, "unknown"} {
		if err := b.client.Delete(t.Context(), id, ""); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if bin := b.server.Bin(); !slices.Equal(bin, []string{file}) {
		t.Errorf("the bin has %v", bin)
	}
	b.server.Restore(file)
	b.server.Move(file, folder, "restored")
	if names := b.names(folder); !slices.Equal(names, []string{"restored"}) {
		t.Errorf("%v", names)
	}
}

func TestPreviewHasAnAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file, folder := b.server.Put(officetest.Root, "Plan.docx", "content"), b.server.Folder(officetest.Root, "Board")
	address, err := b.client.Preview(t.Context(), file)
	if err != nil || !strings.Contains(address, b.server.ContentHost()) {
		t.Errorf("%q %v", address, err)
	}
	if _, err := b.client.Preview(t.Context(), folder); !errors.Is(err, office.ErrRefused) {
		t.Error(err)
	}
	if _, err := b.client.Preview(t.Context(), "unknown"); !errors.Is(err, office.ErrNotFound) {
		t.Error(err)
	}
	for _, strange := range []string{"javascript:alert(1)", "data:text/html,x", "/relative", "ht!tp://%zz?tempauth=x", "https://user@host/"} {
		b.server.Break(officetest.Faults{PreviewURL: strange})
		_, err := b.client.Preview(t.Context(), file)
		b.isUnavailable(err)
	}
}
