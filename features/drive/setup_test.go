package drive_test

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
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
	"equity/features/drive"
	"equity/features/drive/connection"
	"equity/features/drive/drivetest"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

// schema returns the schema of a program with the room.
func schema() *organization.Schema { return organization.NewSchema(connection.Extension()) }

// bundle is a server with one organization that is connected to a drive.
type bundle struct {
	*testing.T
	offset        atomic.Int64 // of the clock
	drive         *drivetest.Drive
	db            *persistence.Database
	syncs         *drive.Store
	organizations *actors.Organizations
	engine        *drive.Engine
	objects       *memory
	log           *logged
	id            organization.ID
	user          organization.UserID
	config        connection.SyncID
	// every is the interval of the schedule.
	every time.Duration
	// crash is called before each store of a run.
	crash    func() bool
	paused   func()
	triggers atomic.Int64 // requested runs
}

// memory keeps the bytes of files.
type memory struct {
	mu  sync.Mutex
	all map[string]string
}

func (m *memory) Put(_ context.Context, id organization.ID, sha256 string, content io.Reader, _ int64) error {
	text, err := io.ReadAll(content)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all[id.String()+"/"+sha256] = string(text)
	return err
}

func (m *memory) Open(context.Context, organization.ID, string) (io.ReadCloser, error) {
	return nil, fs.ErrNotExist
}

func (*memory) Scan() document.Scan { return document.ScanNone }

// logged is a log with concurrent writes.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.offset.Load())) }

// pass moves the clock.
func (b *bundle) pass(d time.Duration) { b.offset.Add(int64(d)) }

// fileLimit is the maximum size of a document.
const fileLimit = 1 << 20

// fragile fails to store runs when its test requests it.
type fragile struct {
	*drive.Store
	b *bundle
}

func (f fragile) SaveRun(ctx context.Context, run *drive.Run, files []drive.CopiedFile, sync *drive.SyncState) (bool, error) {
	if f.b.crash != nil && f.b.crash() {
		return false, io.ErrUnexpectedEOF
	}
	return f.Store.SaveRun(ctx, run, files, sync)
}

// Trigger counts the requested runs.
func (f fragile) Trigger(ctx context.Context, run drive.Run) (drive.Run, error) {
	defer f.b.triggers.Add(1)
	return f.Store.Trigger(ctx, run)
}

// unconnected starts a server on the store.
func unconnected(t *testing.T, store string, changes ...func(*bundle, *drive.Options)) *bundle {
	t.Helper()
	b := &bundle{T: t, drive: drivetest.New(t), objects: &memory{all: map[string]string{}}, log: &logged{}, every: 1000 * time.Hour}
	b.db = storetest.Open(t, store)
	b.syncs = drive.NewStore(b.db)
	log, cursors := slog.New(slog.NewTextHandler(b.log, nil)), persistence.NewConsumers(b.db)
	options := drive.Options{
		Settings: drive.Settings{Every: b.every, Limit: fileLimit, Spool: t.TempDir(), Patience: 5 * time.Minute},
		Client:   drive.NewClient(b.drive.App(), consumer.NewBreakers(b.now), b.now), Store: b.syncs,
		Runs: fragile{b.syncs, b}, Bytes: b.objects,
		Organizations: consumertest.Late{Of: func() *actors.Organizations { return b.organizations }}, StateKey: []byte("the key of the states"),
		Now: b.now, NewID: consumertest.NewID, Log: log,
		Pause: func(ctx context.Context, d time.Duration) error {
			b.pass(d)
			if b.paused != nil {
				b.paused()
			}
			return ctx.Err()
		},
	}
	for _, change := range changes {
		change(b, &options)
	}
	synchronizer := drive.NewConsumer(options)
	b.organizations = actors.NewOrganizations(system.New(log), storetest.OpenJournal(t, b.db), actors.Settings{
		Schema:         schema(),
		PassivateAfter: 100000 * time.Hour, SnapshotEvery: 100000, RememberKeys: time.Hour, Patience: 30 * time.Second,
		Consumers: consumer.NewSet(schema(), cursors, b.now, log, synchronizer), Now: b.now, NewID: consumertest.NewID,
	}, log)
	b.engine = drive.NewEngine(synchronizer, cursors, b.organizations.Wake)
	clock := consumer.NewClock(context.Background(), cursors, b.organizations.Wake, b.now, log)
	t.Cleanup(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := b.organizations.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	b.id, b.user = consumertest.NewID(), organization.UserID(consumertest.NewID())
	b.do(organization.Create{
		ID: b.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: b.user, Entity: captable.EntityID(b.user), Name: "Fay"},
	})
	return b
}

// setup starts a server on the embedded store, with a connection and the configuration of the folder Board.
func setup(t *testing.T, changes ...func(*bundle, *drive.Options)) (*bundle, string) {
	t.Helper()
	return setupOn(t, storetest.SQLite(t), changes...)
}

func setupOn(t *testing.T, store string, changes ...func(*bundle, *drive.Options)) (*bundle, string) {
	t.Helper()
	b := unconnected(t, store, changes...)
	b.connect()
	folder := b.drive.Folder(drivetest.Root, "Board")
	b.config = b.configure(connection.SyncTerms{
		DriveFolderID: folder, DriveFolderName: "Board", TargetDataRoomPath: "/Drive/Board", SyncEnabled: true, SyncSubfolders: true,
	})
	return b, folder
}

// each runs the test on each engine.
func each(t *testing.T, test func(b *bundle, folder string)) {
	t.Helper()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(setupOn(t, factory(t)))
		})
	}
}

func (b *bundle) do(command organization.Command) []organization.Event {
	b.Helper()
	reply, err := b.organizations.Do(context.Background(), messages.Command{Organization: b.id, By: "tester", At: b.now(), Body: command})
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	return reply.Events
}

func (b *bundle) view() *messages.View {
	b.Helper()
	view, err := b.organizations.View(context.Background(), b.id)
	if err != nil {
		b.Fatal(err)
	}
	return view
}

// permit returns a code for the latest address of the login page of the user.
func (b *bundle) permit() (code, state string) {
	b.Helper()
	text, err := b.engine.AuthURL(b.Context(), b.id, b.user)
	if err != nil {
		b.Fatal(err)
	}
	address, err := url.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	return b.drive.Permit(address.Query().Get("code_challenge")), address.Query().Get("state")
}

func (b *bundle) connect() drive.Account {
	b.Helper()
	code, state := b.permit()
	account, err := b.engine.Authorize(b.Context(), b.view(), b.user, code, state)
	if err != nil {
		b.Fatal(err)
	}
	b.do(connection.Connect{ID: account.Connection})
	return account
}

func (b *bundle) configure(terms connection.SyncTerms) connection.SyncID {
	b.Helper()
	configured, _ := b.do(connection.ConfigureSync{SyncTerms: terms})[0].(connection.SyncConfigured)
	return configured.ID
}

// sync synchronizes the configuration and returns its run.
func (b *bundle) sync() drive.Run {
	b.Helper()
	runs, running, err := b.engine.Sync(b.Context(), b.view(), b.config)
	if err != nil || running || len(runs) != 1 {
		status, _ := persistence.NewConsumers(b.db).Status(context.Background(), b.id)
		b.Fatalf("%+v, running %v: %v; %+v\n%s", runs, running, err, status, b.log)
	}
	return runs[0]
}

// list returns the paths of the live documents, in the order of the names in each folder.
func (b *bundle) list() (paths []string) {
	b.Helper()
	tree := b.view().State.Documents()
	var walk func(folder document.ItemID, above string)
	walk = func(folder document.ItemID, above string) {
		for item := range tree.Children(folder) {
			if item.Type == document.Folder {
				walk(item.ID, above+item.Name+"/")
				continue
			}
			paths = append(paths, above+item.Name)
		}
	}
	walk(document.ItemID{}, "/")
	return paths
}

// at returns the live item at the path.
func (b *bundle) at(path string) *document.Item {
	b.Helper()
	tree := b.view().State.Documents()
	folder, found := document.ItemID{}, (*document.Item)(nil)
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		item, ok := tree.Named(folder, name)
		if !ok {
			b.Fatalf("no %s in %s", name, path)
		}
		folder, found = item.ID, item
	}
	return found
}

// content returns the bytes of a version of a document; the last is 0.
func (b *bundle) content(item *document.Item, before int) string {
	b.Helper()
	file, _ := b.view().State.Documents().File(item.Versions[len(item.Versions)-1-before].File)
	b.objects.mu.Lock()
	defer b.objects.mu.Unlock()
	return b.objects.all[b.id.String()+"/"+file.SHA256]
}

// counts requires the counts of a run: processed, added, updated, skipped and failed.
func (b *bundle) counts(run drive.Run, status string, processed, added, updated, skipped, failed int64) {
	b.Helper()
	want := drive.Counts{Processed: processed, Added: added, Updated: updated, Skipped: skipped, Failed: failed}
	if run.Status != status || run.Counts != want {
		b.Errorf("the run is %s (%s) %+v, want %s %+v\n%s", run.Status, run.Error, run.Counts, status, want, b.log)
	}
}
