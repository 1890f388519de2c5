package scan_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/captable"
	"equity/features/scan"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence/storetest"
)

// archive is a server with one organization and scripted contents of its files.
type archive struct {
	*testing.T
	organizations *actors.Organizations
	id            organization.ID
	offset        atomic.Int64
	refuse        atomic.Bool // the scanner refuses contents as too large

	mu       sync.Mutex
	contents map[string]string // by hash
	notices  []string
}

func (a *archive) now() time.Time { return time.Now().Add(time.Duration(a.offset.Load())) }

// Open returns the content with the hash.
func (a *archive) Open(_ context.Context, _ organization.ID, sha256 string) (io.ReadCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return io.NopCloser(strings.NewReader(a.contents[sha256])), nil
}

// Inform records the text of the notice.
func (a *archive) Inform(_ context.Context, _ *messages.View, _, _, text string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notices = append(a.notices, text)
	return nil
}

// limited is a scanner with a limit that can be changed.
type limited struct {
	*archive
	scan.Scanner
}

func (l limited) Scan(ctx context.Context, content io.Reader) (string, error) {
	if l.refuse.Load() {
		return "", scan.ErrTooLarge
	}
	return l.Scanner.Scan(ctx, content)
}

func setup(t *testing.T) *archive {
	t.Helper()
	a := &archive{T: t, id: consumertest.NewID(), contents: map[string]string{}}
	store, log := consumertest.Open(t, storetest.SQLite(t)), slog.New(slog.DiscardHandler)
	tested := scan.NewConsumer(scan.Options{
		Scanner: limited{a, open(t)}, Files: a, Owners: a, Organizations: consumertest.Late{Of: func() *actors.Organizations { return a.organizations }}, Now: a.now,
	})
	a.organizations = actors.NewOrganizations(system.New(log), store.Journal, actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second,
		Consumers: consumer.NewSet(organization.NewSchema(), store.Cursors, a.now, log, tested), Now: a.now, NewID: consumertest.NewID,
	}, log)
	clock := consumer.NewClock(context.Background(), store.Cursors, a.organizations.Wake, a.now, log)
	t.Cleanup(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := a.organizations.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	a.do(messages.Command{Body: organization.Create{
		ID: a.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: consumertest.NewID(), Entity: consumertest.NewID(), Name: "Fay"},
	}})
	return a
}

func (a *archive) do(command messages.Command) {
	a.Helper()
	command.Organization, command.At, command.By = a.id, a.now(), "tester"
	if _, err := a.organizations.Do(context.Background(), command); err != nil {
		a.Fatal(err)
	}
}

// store stores a file with the content, and returns its id.
func (a *archive) store(content string) document.FileID {
	a.Helper()
	command := stored(content)
	room, _ := command.Body.(organization.Room)
	file, _ := room.Command.(document.StoreFile)
	a.mu.Lock()
	a.contents[file.SHA256] = content
	a.mu.Unlock()
	a.do(command)
	for found := range a.documents().Files() {
		if found.SHA256 == file.SHA256 {
			return found.ID
		}
	}
	a.Fatal("the file is not stored")
	return captable.ID[document.File]{}
}

func (a *archive) documents() *document.Tree {
	a.Helper()
	view, err := a.organizations.View(context.Background(), a.id)
	if err != nil {
		a.Fatal(err)
	}
	return view.State.Documents()
}

// becomes waits until the scan of the file has the result.
func (a *archive) becomes(id document.FileID, want document.Scan) {
	a.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		file, _ := a.documents().File(id)
		if file.Scan == want {
			return
		}
		if time.Now().After(deadline) {
			a.Fatalf("the scan is %s instead of %s", file.Scan, want)
		}
		<-time.After(5 * time.Millisecond) // polls other goroutines
	}
}

func TestInfectedFileIsMarkedAndItsOwnersAreInformed(t *testing.T) {
	t.Parallel()
	a := setup(t)
	harmless, infected := a.store("hello"), a.store(eicar())
	a.becomes(harmless, document.ScanClean)
	a.becomes(infected, document.ScanInfected)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.notices) != 1 || !strings.Contains(a.notices[0], "File: file.txt\nFound: ") {
		t.Errorf("%q", a.notices)
	}
}

func TestFailedScanIsRepeatedAfterAnHour(t *testing.T) {
	t.Parallel()
	a := setup(t)
	a.refuse.Store(true)
	file := a.store("hello")
	a.becomes(file, document.ScanFailed)
	a.refuse.Store(false)
	later := a.store("a later file")
	a.becomes(later, document.ScanClean)
	if found, _ := a.documents().File(file); found.Scan != document.ScanFailed {
		t.Errorf("it was repeated at once: %s", found.Scan)
	}
	for range 3 { // the time of the repetition may have been computed after the first of these steps
		a.offset.Add(int64(61 * time.Minute))
		time.Sleep(3 * time.Second)
	}
	a.becomes(file, document.ScanClean)
}
