package trash_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/actors/trash"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

// world is a server with one organization and a folder of objects.
type world struct {
	*testing.T
	organizations *actors.Organizations
	objects       *blob.Guarded
	id            organization.ID
	offset        atomic.Int64
}

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.offset.Load())) }

// Erase deletes the object as the program does.
func (w *world) Erase(ctx context.Context, id organization.ID, sha256 string) (bool, error) {
	return w.objects.DeleteOlder(ctx, blob.Key("o/"+id.String(), sha256), w.now().Add(-blob.EraseAge))
}

func setup(t *testing.T) *world {
	t.Helper()
	folder, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, id: consumertest.NewID(), objects: blob.NewGuarded(folder)}
	store, log := consumertest.Open(t, storetest.SQLite(t)), slog.New(slog.DiscardHandler)
	tested := trash.NewConsumer(trash.Options{Bytes: w, Organizations: func() trash.Organizations { return w.organizations }, Now: w.now})
	w.organizations = actors.NewOrganizations(system.New(log), store.Journal, actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second,
		Consumers: consumer.NewSet(organization.NewSchema(), store.Cursors, w.now, log, tested), Now: w.now, NewID: consumertest.NewID,
	}, log)
	clock := consumer.NewClock(context.Background(), store.Cursors, w.organizations.Wake, w.now, log)
	t.Cleanup(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.organizations.Stop(ctx); err != nil {
			t.Error(err)
		}
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	})
	w.do(organization.Create{
		ID: w.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: consumertest.NewID(), Entity: consumertest.NewID(), Name: "Fay"},
	})
	return w
}

func (w *world) do(command organization.Command) {
	w.Helper()
	_, err := w.organizations.Do(context.Background(), messages.Command{Organization: w.id, At: w.now(), By: "tester", Body: command})
	if err != nil {
		w.Fatal(err)
	}
}

// upload stores the text as a document, and returns the hash.
func (w *world) upload(name, text string) string {
	w.Helper()
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	if err := w.objects.Put(context.Background(), blob.Key("o/"+w.id.String(), hash), strings.NewReader(text), int64(len(text))); err != nil {
		w.Fatal(err)
	}
	w.do(organization.Room{Command: document.AddDocuments{
		Files:      []document.Content{{Name: name, MediaType: "text/plain", Size: int64(len(text)), SHA256: hash, Scan: document.ScanNone}},
		OnConflict: document.RefuseName,
	}})
	return hash
}

func (w *world) tree() *document.Tree {
	w.Helper()
	view, err := w.organizations.View(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	return view.State.Documents()
}

func (w *world) delete(name string) {
	w.Helper()
	item, ok := w.tree().Named(document.ItemID{}, name)
	if !ok {
		w.Fatalf("no document %s", name)
	}
	w.do(organization.Room{Command: document.Delete{ID: item.ID}})
}

func (w *world) stored(hash string) bool {
	_, err := w.objects.Stat(context.Background(), blob.Key("o/"+w.id.String(), hash))
	return err == nil
}

// until waits for the condition.
func (w *world) until(condition func() bool) {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); {
		if time.Now().After(deadline) {
			w.Fatal("the condition did not become true")
		}
		<-time.After(5 * time.Millisecond) // polls other goroutines
	}
}

func TestExpiredDocumentLosesItsBytesUnlessAnotherDocumentHasThem(t *testing.T) {
	t.Parallel()
	w := setup(t)
	alone, shared := w.upload("a.txt", "alone"), w.upload("b.txt", "shared")
	w.upload("c.txt", "shared")
	w.delete("a.txt")
	w.delete("b.txt")
	w.offset.Add(int64(document.Restorable + time.Minute))
	w.until(func() bool { return !w.stored(alone) })
	if w.tree().Stores(alone) || !w.tree().Stores(shared) || !w.stored(shared) {
		t.Errorf("alone %v, shared %v %v", w.tree().Stores(alone), w.tree().Stores(shared), w.stored(shared))
	}
}

func TestBytesOfAnErasedFileAreDeletedAnHourAfterTheirUpload(t *testing.T) {
	t.Parallel()
	w := setup(t)
	hash := w.upload("a.txt", "text")
	item, _ := w.tree().Named(document.ItemID{}, "a.txt")
	w.do(organization.Room{Command: document.EraseFile{ID: item.File(), Reason: "a request"}})
	w.until(func() bool {
		states, err := w.organizations.View(context.Background(), w.id)
		return err == nil && !states.State.Documents().Stores(hash)
	})
	if !w.stored(hash) {
		t.Error("the bytes are deleted while an upload of them may be under way")
	}
	w.offset.Add(int64(blob.EraseAge + time.Hour))
	w.until(func() bool { return !w.stored(hash) })
}
