package blob_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
	"equity/persistence/storetest"
)

// records names objects by organization and hash.
type records struct {
	named []string
	fails string // an organization that cannot be read
}

var errRecords = errors.New("the organization cannot be read")

func (r records) Names(_ context.Context, owner blob.Owner, sha256 string) (bool, error) {
	if owner.ID == r.fails {
		return false, errRecords
	}
	return slices.Contains(r.named, owner.ID+" "+sha256), nil
}

// hash returns the last part of a key.
func hash(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

func TestSweepDeletesOldObjectsWithoutARecord(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		guarded := blob.NewGuarded(store)
		named, garbage := put(t, guarded, "a", []byte("named")), put(t, guarded, "a", []byte("garbage"))
		foreign := put(t, guarded, "b", []byte("named")) // named by the other organization only
		known := records{named: []string{"a " + hash(named)}}
		young, err := blob.Sweep(t.Context(), guarded, known, time.Now())
		if err != nil || young != 0 || len(keys(t, store, "")) != 3 {
			t.Fatalf("%d young objects were deleted, %v", young, err)
		}
		deleted, err := blob.Sweep(t.Context(), guarded, known, time.Now().Add(blob.GarbageAge+time.Minute))
		if left := keys(t, store, ""); err != nil || deleted != 2 || !slices.Equal(left, []string{named}) {
			t.Errorf("%d deleted, %v left, without %s and %s; %v", deleted, left, garbage, foreign, err)
		}
	})
}

func TestSweepKeepsObjectsWhoseRecordsCannotBeRead(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		guarded := blob.NewGuarded(store)
		kept := put(t, guarded, "a", []byte("1"))
		put(t, guarded, "b", []byte("1"))
		_, err := blob.Sweep(t.Context(), guarded, records{fails: "a"}, time.Now().Add(blob.GarbageAge+time.Minute))
		if left := keys(t, store, ""); !errors.Is(err, errRecords) || !slices.Equal(left, []string{kept}) {
			t.Errorf("%v %v", left, err)
		}
	})
}

func TestAgeOfAFileBeginsAgainWhenItIsStoredAgain(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	store, err := blob.OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = store.Close() })
	guarded := blob.NewGuarded(store)
	name, old := put(t, guarded, "a", []byte("1")), time.Now().Add(-48*time.Hour)
	if err := os.Chtimes(filepath.Join(path, name), old, old); err != nil {
		t.Fatal(err)
	}
	put(t, guarded, "a", []byte("1"))
	if deleted, err := guarded.DeleteOlder(t.Context(), name, time.Now().Add(-blob.GarbageAge)); deleted || err != nil {
		t.Errorf("%v %v", deleted, err)
	}
}

func TestOldObjectOfAServiceIsWrittenAgain(t *testing.T) {
	t.Parallel()
	store := blobtest.Service(t, func(o *blob.S3Options) { o.Now = func() time.Time { return time.Now().Add(blob.GarbageAge) } })
	name := put(t, store, "a", []byte("1"))
	first, err := store.Stat(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	again := first
	for deadline := time.Now().Add(30 * time.Second); !again.ModifiedAt.After(first.ModifiedAt); { // the service counts seconds
		if time.Now().After(deadline) {
			t.Fatalf("the object is of %s", again.ModifiedAt)
		}
		put(t, store, "a", []byte("1"))
		if again, err = store.Stat(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	if text := read(t, store, name, 0, -1); text != "1" {
		t.Errorf("%q", text)
	}
}

func TestOtherObjectsAreNotSwept(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		guarded := blob.NewGuarded(store)
		for _, name := range []string{"x/entity/ab/abc", "o/short", "o/a/ab/other", "backup/1"} {
			if err := guarded.Put(t.Context(), name, bytes.NewReader([]byte("1")), 1); err != nil {
				t.Fatal(err)
			}
		}
		if deleted, err := blob.Sweep(t.Context(), guarded, records{}, time.Now().Add(48*time.Hour)); deleted != 0 || err != nil {
			t.Errorf("%d %v", deleted, err)
		}
	})
}
