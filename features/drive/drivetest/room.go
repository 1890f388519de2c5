package drivetest

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"equity/app"
	"equity/features/drive"
	"equity/http/apitest"
)

// fakes are the drives of the servers of the tests, by their stores.
var fakes sync.Map

// Of returns the drive that the server calls.
func Of(b *apitest.Server) *Drive {
	found, _ := fakes.Load(b.DB)
	fake, _ := found.(*Drive)
	return fake
}

// Room returns the room. Each server calls a drive of its own.
func Room() apitest.Room {
	room := drive.Room()
	room.New = func(core app.Core) (app.Feature, error) {
		fake, end := Start()
		fakes.Store(core.Database, fake)
		feature, err := drive.NewFeature(core, fake.App(), true)
		feature.Start = func(ctx context.Context) {
			<-ctx.Done()
			end()
			fakes.CompareAndDelete(core.Database, fake)
		}
		return feature, err
	}
	return apitest.Room{
		Room: room, Values: map[string]string{"DRIVE_SYNC_EVERY": "720h"}, Records: records, Lists: lists, Story: story,
	}
}

// Permit permits the access of the client at the fake, and returns the code and the state of the redirect.
func Permit(tb testing.TB, c *apitest.Client, home string) (code, state string) {
	tb.Helper()
	address, err := url.Parse(c.Must(tb, "GET", home+"/cloud-drive/auth-url", "", http.StatusOK).Text(tb, "url"))
	if err != nil {
		tb.Fatal(err)
	}
	return Of(c.Server).Permit(address.Query().Get("code_challenge")), address.Query().Get("state")
}

// Connect connects the organization to the fake.
func Connect(tb testing.TB, f *apitest.Firm) apitest.Answer {
	tb.Helper()
	code, state := Permit(tb, f.Client, f.Home)
	return f.Must(tb, "POST", f.Home+"/cloud-drive/connect",
		`{"organization":"`+f.ID+`","code":"`+code+`","state":"`+state+`"}`, http.StatusOK)
}

// Synchronize adds a configuration of the folder of the fake and returns its id.
func Synchronize(tb testing.TB, f *apitest.Firm, folder, target string) string {
	tb.Helper()
	return f.Must(tb, "POST", f.Home+"/cloud-drive/sync-config",
		`{"driveFolderId":"`+folder+`","driveFolderName":"Board","targetDataRoomPath":"`+target+`"}`, http.StatusCreated).Text(tb, "configurationId")
}

// records connects the organization to a drive with one configuration.
func records(tb testing.TB, f *apitest.Firm, name string) map[string]string {
	tb.Helper()
	Connect(tb, f)
	id := Synchronize(tb, f, Of(f.Server).Folder(Root, name), "/"+name)
	return map[string]string{"configuration": id, "configurationId": id}
}

// lists creates two folders.
func lists(t *testing.T, f *apitest.Firm) map[string]string {
	t.Helper()
	Connect(t, f)
	for _, name := range []string{"One", "Two"} {
		Of(f.Server).Folder(Root, name)
	}
	return map[string]string{"listDriveFolders": f.Home + "/cloud-drive/folders"}
}

// story uses every operation.
func story(t *testing.T, f *apitest.Firm) {
	t.Helper()
	at := f.Home + "/cloud-drive"
	Connect(t, f)
	folder := Of(f.Server).Folder(Root, "Board")
	Of(f.Server).Put(folder, "Plan.txt", "text/plain", "the plan")
	f.Must(t, "GET", at+"/folders", "", http.StatusOK)
	config := Synchronize(t, f, folder, "/Drive/Board")
	f.Must(t, "POST", at+"/sync", `{"organization":"`+f.ID+`"}`, http.StatusOK)
	f.Must(t, "GET", at+"/status", "", http.StatusOK)
	f.Must(t, "GET", at+"/sync-history", "", http.StatusOK)
	f.Must(t, "PATCH", at+"/sync-config/"+config, `{"syncEnabled":false}`, http.StatusOK)
	f.Must(t, "DELETE", at+"/sync-config/"+config, "", http.StatusNoContent)
	f.Must(t, "DELETE", at+"/connection", "", http.StatusNoContent)
}
