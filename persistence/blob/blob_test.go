package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
)

// everywhere runs the test on each kind of store.
func everywhere(t *testing.T, run func(t *testing.T, store blob.Store)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		run(t, blobtest.Folder(t))
	})
	t.Run("S3", func(t *testing.T) {
		t.Parallel()
		run(t, blobtest.Service(t))
	})
}

// key returns the key of the bytes in the scope of an organization.
func key(scope string, content []byte) string {
	sum := sha256.Sum256(content)
	return blob.Key("o/"+scope, hex.EncodeToString(sum[:]))
}

func put(t *testing.T, store blob.Store, scope string, content []byte) string {
	t.Helper()
	name := key(scope, content)
	if err := store.Put(t.Context(), name, bytes.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, store blob.Store, key string, offset, length int64) string {
	t.Helper()
	content, err := store.Open(t.Context(), key, offset, length)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func keys(t *testing.T, store blob.Store, prefix string) (found []string) {
	t.Helper()
	if err := store.List(t.Context(), prefix, func(o blob.Object) error {
		found = append(found, o.Key)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestStoredBytesAreReadAgainInWholeAndInPart(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		name := put(t, store, "a", []byte("0123456789"))
		for _, part := range []struct {
			offset, length int64
			want           string
		}{{0, -1, "0123456789"}, {0, 1, "0"}, {3, 4, "3456"}, {9, 1, "9"}, {4, -1, "456789"}, {0, 0, ""}} {
			if got := read(t, store, name, part.offset, part.length); got != part.want {
				t.Errorf("%d bytes from %d: got %q, want %q", part.length, part.offset, got, part.want)
			}
		}
		object, err := store.Stat(t.Context(), name)
		if err != nil || object.Size != 10 || object.Key != name || object.ModifiedAt.IsZero() {
			t.Errorf("%+v %v", object, err)
		}
	})
}

func TestEmptyAndLargeObjectsAreStored(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789abcdef"), 12<<20/16)
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		for _, content := range [][]byte{{}, large} {
			if got := read(t, store, put(t, store, "a", content), 0, -1); got != string(content) {
				t.Errorf("got %d of %d bytes", len(got), len(content))
			}
		}
	})
}

func TestMissingObjectIsNotFound(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		missing := key("a", []byte("missing"))
		if _, err := store.Open(t.Context(), missing, 0, -1); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("open: %v", err)
		}
		if _, err := store.Open(t.Context(), missing, 0, 0); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("open nothing: %v", err)
		}
		if _, err := store.Stat(t.Context(), missing); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("stat: %v", err)
		}
		if err := store.Delete(t.Context(), missing); err != nil {
			t.Errorf("delete: %v", err)
		}
	})
}

func TestRepeatedWriteSucceeds(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		var writers sync.WaitGroup
		content := []byte("the same bytes")
		for range 8 {
			writers.Go(func() {
				if err := store.Put(t.Context(), key("a", content), bytes.NewReader(content), int64(len(content))); err != nil {
					t.Error(err)
				}
			})
		}
		writers.Wait()
		if got := keys(t, store, "o/a/"); len(got) != 1 {
			t.Errorf("got %v", got)
		}
	})
}

func TestIncompleteContentLeavesNoObject(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		name := key("a", []byte("0123456789"))
		broken := io.MultiReader(strings.NewReader("01234"), iotest.ErrReader(errors.New("the client left")))
		if err := store.Put(t.Context(), name, broken, 10); err == nil {
			t.Error("a broken content is stored")
		}
		if err := store.Put(t.Context(), name, strings.NewReader("01234"), 10); err == nil {
			t.Error("a short content is stored")
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if err := store.Put(ended, name, strings.NewReader("0123456789"), 10); err == nil {
			t.Error("a canceled write is stored")
		}
		if got := keys(t, store, ""); len(got) != 0 {
			t.Errorf("stored: %v", got)
		}
	})
}

func TestListReturnsTheObjectsOfAScopeInOrder(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		for _, content := range []string{"1", "2", "3"} {
			put(t, store, "a", []byte(content))
			put(t, store, "b", []byte(content))
		}
		found := keys(t, store, "o/a/")
		if len(found) != 3 || !strings.HasPrefix(found[0], "o/a/") || found[0] > found[1] || found[1] > found[2] {
			t.Errorf("got %v", found)
		}
		if err := store.Delete(t.Context(), found[0]); err != nil {
			t.Fatal(err)
		}
		if rest := keys(t, store, "o/a/"); len(rest) != 2 {
			t.Errorf("after the deletion: %v", rest)
		}
		if none := keys(t, store, "o/c/"); len(none) != 0 {
			t.Errorf("an unknown scope has %v", none)
		}
		stop := errors.New("stop")
		if err := store.List(t.Context(), "o/", func(blob.Object) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("got %v", err)
		}
	})
}

func TestKeysOutsideTheStoreAreRefused(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		for _, bad := range []string{"", "/etc/passwd", "../x", "o/../../x", "o//x", `o\x`, "o/x\x00"} {
			if err := store.Put(t.Context(), bad, strings.NewReader("x"), 1); err == nil {
				t.Errorf("%q is stored", bad)
			}
			if _, err := store.Open(t.Context(), bad, 0, -1); err == nil || errors.Is(err, blob.ErrNotFound) {
				t.Errorf("%q is opened: %v", bad, err)
			}
		}
	})
}

func TestFolderAndFilesArePrivateAndIncompleteFilesAreRemovedAtTheStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := blob.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	name := put(t, store, "a", []byte("x"))
	if err := errors.Join(store.Close(), os.WriteFile(filepath.Join(folder, "incoming", "rest"), []byte("half"), 0o600)); err != nil {
		t.Fatal(err)
	}
	again, err := blob.OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if err := again.RemoveIncomplete(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, again, name, 0, -1); got != "x" {
		t.Errorf("got %q", got)
	}
	for path, want := range map[string]os.FileMode{name: 0o600, filepath.Dir(name): 0o700} {
		if info, err := os.Stat(filepath.Join(folder, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info, err)
		}
	}
	if rest, err := os.ReadDir(filepath.Join(folder, "incoming")); err != nil || len(rest) != 0 {
		t.Errorf("%v %v", rest, err)
	}
}

// localFile is content in a file of this machine.
type localFile struct{ io.Reader }

func (l localFile) File() *os.File { return l.Reader.(*os.File) }

func TestCompleteFilesOfTheFolderAreLinkedInsteadOfCopied(t *testing.T) {
	t.Parallel()
	store, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	for name, folder := range map[string]string{"incoming": store.Incoming(), "elsewhere": t.TempDir()} {
		file, err := os.CreateTemp(folder, "upload")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(name); err != nil {
			t.Fatal(err)
		}
		key := "o/" + name
		if err := store.Put(t.Context(), key, localFile{file}, int64(len(name)+1)); err == nil {
			t.Errorf("%s: content of another size is stored", name)
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if err := store.Put(t.Context(), key, localFile{file}, int64(len(name))); err != nil {
			t.Fatal(err)
		}
		uploaded, _ := file.Stat()
		stored, err := os.Stat(filepath.Join(filepath.Dir(store.Incoming()), key))
		if linked := os.SameFile(uploaded, stored); err != nil || linked != (name == "incoming") {
			t.Errorf("%s: linked %v, %v", name, linked, err)
		}
		if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
			t.Fatal(err)
		}
		if got := read(t, store, key, 0, -1); got != name {
			t.Errorf("%s: got %q after the end of the upload", name, got)
		}
	}
}
