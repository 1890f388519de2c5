package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/captable"
	"equity/organization"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
	"equity/persistence/storetest"
)

// certified is a store of certificates with one organization and one shareholding.
type certified struct {
	*blob.Certificates
	store blob.Store
	id    organization.ID
	held  captable.ShareholdingID
}

func newCertificates(store blob.Store) certified {
	return certified{
		blob.NewCertificates(blob.CertificateOptions{Store: store, Key: []byte("key"), Now: time.Now, Log: slog.New(slog.DiscardHandler)}),
		store, organization.ID(uuid.Must(uuid.NewV7())), captable.ShareholdingID(uuid.Must(uuid.NewV7())),
	}
}

func (c certified) key() string { return blob.CertificateKey(c.id, c.held, "v1") }

func (c certified) save(t *testing.T, pdf string) {
	t.Helper()
	if err := c.Save(t.Context(), c.id, c.held, "v1", []byte(pdf)); err != nil {
		t.Fatal(err)
	}
}

func (c certified) mustLoad(t *testing.T, want string) {
	t.Helper()
	if pdf, err := c.Load(t.Context(), c.id, c.held, "v1"); err != nil || string(pdf) != want {
		t.Errorf("got %q instead of %q, %v", pdf, want, err)
	}
}

// replace stores other bytes under the key.
func (c certified) replace(t *testing.T, key string, content []byte) {
	t.Helper()
	if err := errors.Join(c.store.Delete(t.Context(), key), c.store.Put(t.Context(), key, bytes.NewReader(content), int64(len(content)))); err != nil {
		t.Fatal(err)
	}
}

func TestStoredCertificateIsReadUnderItsVersionOnly(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		c := newCertificates(store)
		c.mustLoad(t, "")
		c.save(t, "%PDF-1")
		c.mustLoad(t, "%PDF-1")
		for _, other := range []certified{
			{c.Certificates, store, organization.ID(uuid.New()), c.held}, {c.Certificates, store, c.id, captable.ShareholdingID(uuid.New())},
		} {
			other.mustLoad(t, "")
		}
		if pdf, err := c.Load(t.Context(), c.id, c.held, "v2"); pdf != nil || err != nil {
			t.Errorf("%q %v", pdf, err)
		}
	})
}

func TestDamagedCertificateIsDeletedAndNotServed(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		c := newCertificates(store)
		c.save(t, "%PDF-1 a certificate")
		sealed := []byte(read(t, store, c.key(), 0, -1))
		foreign := newCertificates(store)
		foreign.save(t, "%PDF-1 a certificate")
		forged := blob.NewCertificates(
			blob.CertificateOptions{Store: store, Key: []byte("another key"), Now: time.Now, Log: slog.New(slog.DiscardHandler)},
		)
		if err := forged.Save(t.Context(), c.id, c.held, "forged", []byte("%PDF-1 a certificate")); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string][]byte{
			"empty": {}, "only a part of the seal": sealed[:20], "only the seal": sealed[:32], "truncated": sealed[:len(sealed)-1],
			"longer": append(slices.Clone(sealed), ' '), "altered": bytes.Replace(sealed, []byte("PDF"), []byte("PDX"), 1),
			"of another organization": []byte(read(t, store, foreign.key(), 0, -1)),
			"forged":                  []byte(read(t, store, blob.CertificateKey(c.id, c.held, "forged"), 0, -1)),
		} {
			c.replace(t, c.key(), content)
			c.mustLoad(t, "")
			if _, err := store.Stat(t.Context(), c.key()); !errors.Is(err, blob.ErrNotFound) {
				t.Errorf("%s: the object remains, %v", name, err)
			}
		}
		c.save(t, "%PDF-1 a certificate")
		c.mustLoad(t, "%PDF-1 a certificate")
	})
}

func TestLargeCertificateIsNotStored(t *testing.T) {
	t.Parallel()
	c := newCertificates(blobtest.Folder(t))
	c.save(t, strings.Repeat("x", 16<<20+1))
	if left := keys(t, c.store, ""); len(left) != 0 {
		t.Errorf("%v", left)
	}
}

// unavailable is a store that cannot be reached.
type unavailable struct{ blob.Store }

func (unavailable) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, io.ErrClosedPipe
}

func TestUnreachableStoreIsAnError(t *testing.T) {
	t.Parallel()
	c := newCertificates(unavailable{})
	if pdf, err := c.Load(t.Context(), c.id, c.held, "v1"); pdf != nil || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%q %v", pdf, err)
	}
}

func TestUseOfAnOldCertificateRenewsItsAge(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	store, err := blob.OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = store.Close() })
	c := newCertificates(store)
	c.save(t, "%PDF-1")
	for days, renewed := range map[int]bool{29: false, 31: true} {
		old := time.Now().AddDate(0, 0, -days)
		if err := os.Chtimes(filepath.Join(path, c.key()), old, old); err != nil {
			t.Fatal(err)
		}
		c.mustLoad(t, "%PDF-1")
		found, err := store.Stat(t.Context(), c.key())
		if err != nil || found.ModifiedAt.After(old.Add(time.Hour)) != renewed {
			t.Errorf("after %d days: stored %s, %v", days, found.ModifiedAt, err)
		}
	}
}

// existing knows one organization.
type existing struct {
	id    organization.ID
	fails bool
	asked *int
}

func (e existing) Exists(_ context.Context, id organization.ID) (bool, error) {
	*e.asked++
	if e.fails {
		return false, errRecords
	}
	return e.id == id, nil
}

func TestSweepDeletesUnusedCertificates(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		guarded, day := blob.NewGuarded(store), 24*time.Hour
		c, unknown := newCertificates(guarded), newCertificates(guarded)
		c.save(t, "%PDF-1")
		if err := c.Save(t.Context(), c.id, c.held, "v2", []byte("%PDF-2")); err != nil {
			t.Fatal(err)
		}
		unknown.save(t, "%PDF-1")
		file := put(t, guarded, "a", []byte("a file"))
		c.replace(t, "c/other", []byte("1"))
		for _, step := range []struct {
			after         time.Duration
			fails         bool
			deleted, asks int
		}{
			{day - time.Hour, false, 0, 0}, {2 * day, true, 0, 3}, {2 * day, false, 1, 2}, {89 * day, false, 0, 1}, {91 * day, true, 2, 0},
		} {
			asked := 0
			deleted, err := blob.SweepCertificates(t.Context(), guarded, existing{c.id, step.fails, &asked}, time.Now().Add(step.after))
			if deleted != step.deleted || asked != step.asks || errors.Is(err, errRecords) != (step.asks == 3) {
				t.Errorf("after %s: %d deleted, %d organizations looked up, %v", step.after, deleted, asked, err)
			}
		}
		if left := keys(t, store, ""); !slices.Equal(left, []string{"c/other", file}) {
			t.Errorf("%v", left)
		}
	})
}

func TestSweepOfFilesKeepsCertificates(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		c := newCertificates(store)
		c.save(t, "%PDF-1")
		if deleted, err := blob.Sweep(t.Context(), blob.NewGuarded(store), records{}, time.Now().Add(1000*time.Hour)); deleted != 0 || err != nil {
			t.Errorf("%d %v", deleted, err)
		}
		c.mustLoad(t, "%PDF-1")
	})
}
