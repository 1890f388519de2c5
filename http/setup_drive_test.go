package http_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	actordrive "equity/actors/drive"
	"equity/actors/drive/drivetest"
	"equity/http/drive"
	"equity/organization"
	room "equity/organization/document"
	"equity/persistence"
	"equity/persistence/blob"
)

// newDrives returns the consumer of cloud drives, which calls a fake of the provider, and the services of its operations.
func newDrives(
	tb testing.TB, b *bundle, log *slog.Logger, organizations func() *actors.Organizations,
) (consumer.Consumer, drive.Services) {
	tb.Helper()
	b.drive = drivetest.New(tb)
	accounts, runs := persistence.NewDrives(b.db), persistence.NewDriveSyncs(b.db)
	synchronizer := actordrive.NewConsumer(actordrive.Options{
		Settings: actordrive.Settings{Every: 1000 * time.Hour, Limit: fileLimit, Scan: room.ScanNone, Spool: tb.TempDir(), Patience: 10 * time.Second},
		Client:   actordrive.NewClient(b.drive.App(), consumer.NewBreakers(b.clock.Now), b.clock.Now),
		Accounts: accounts, Requests: accounts, Syncs: runs, Runs: runs, Files: runs, Objects: b.objects,
		Key:           func(id organization.ID, sha256 string) string { return blob.Key("o/"+id.String(), sha256) },
		Organizations: func() actordrive.Organizations { return organizations() }, StateKey: []byte("the key of the states"),
		Now: b.clock.Now, NewID: newID, Log: log,
		Pause: func(ctx context.Context, d time.Duration) error {
			b.clock.advance(d)
			return ctx.Err()
		},
	})
	engine := actordrive.NewEngine(
		synchronizer, persistence.NewConsumers(b.db), func(id organization.ID, name string) { organizations().Wake(id, name) },
	)
	return synchronizer, drive.Services{Connections: engine, Synchronizer: engine, Answers: persistence.NewAnswers(b.db), NewID: newID}
}

// permit permits the access of the client at the fake, and returns the code and the state of the redirect.
func (c *client) permit(tb testing.TB, home string) (code, state string) {
	tb.Helper()
	address, err := url.Parse(c.must(tb, "GET", home+"/cloud-drive/auth-url", "", http.StatusOK).text(tb, "url"))
	if err != nil {
		tb.Fatal(err)
	}
	return c.drive.Permit(address.Query().Get("code_challenge")), address.Query().Get("state")
}

// connectDrive connects the organization to the fake.
func (f *firm) connectDrive(tb testing.TB) answer {
	tb.Helper()
	code, state := f.permit(tb, f.home)
	return f.must(tb, "POST", f.home+"/cloud-drive/connect",
		`{"organization":"`+f.id+`","code":"`+code+`","state":"`+state+`"}`, http.StatusOK)
}

// synchronize adds a configuration of the folder of the fake and returns its id.
func (f *firm) synchronize(tb testing.TB, folder, target string) string {
	tb.Helper()
	return f.must(tb, "POST", f.home+"/cloud-drive/sync-config",
		`{"driveFolderId":"`+folder+`","driveFolderName":"Board","targetDataRoomPath":"`+target+`"}`, http.StatusCreated).text(tb, "configurationId")
}

// drives connects the estate to a drive with one configuration.
func (e *estate) drives(tb testing.TB) {
	tb.Helper()
	e.connectDrive(tb)
	e.ids["configuration"] = e.synchronize(tb, e.drive.Folder(drivetest.Root, e.name), "/"+e.name)
	e.ids["configurationId"] = e.ids["configuration"]
}

// drives is the part of the story about cloud drives.
func (f *firm) drives(t *testing.T) {
	t.Helper()
	at := f.home + "/cloud-drive"
	f.connectDrive(t)
	folder := f.drive.Folder(drivetest.Root, "Board")
	f.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	f.must(t, "GET", at+"/folders", "", http.StatusOK)
	config := f.synchronize(t, folder, "/Drive/Board")
	f.must(t, "POST", at+"/sync", `{"organization":"`+f.id+`"}`, http.StatusOK)
	f.must(t, "GET", at+"/status", "", http.StatusOK)
	f.must(t, "GET", at+"/sync-history", "", http.StatusOK)
	f.must(t, "PATCH", at+"/sync-config/"+config, `{"syncEnabled":false}`, http.StatusOK)
	f.must(t, "DELETE", at+"/sync-config/"+config, "", http.StatusNoContent)
	f.must(t, "DELETE", at+"/connection", "", http.StatusNoContent)
}

// fails sends a request that must be refused with the status and the code of the error or of a field.
func (c *client) fails(tb testing.TB, method, path, body string, status int, code string, headers ...string) {
	tb.Helper()
	if got := c.must(tb, method, path, body, status, headers...); !strings.Contains(got.body, `"code":"`+code+`"`) {
		tb.Errorf("%s %s: %s, want the code %s", method, path, got.body, code)
	}
}

func newUUID() string { return uuid.UUID(newID()).String() }
