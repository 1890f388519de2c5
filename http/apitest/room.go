package apitest

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/app"
	"equity/config"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

// noOwners sends no notices to Owners.
type noOwners struct{}

func (noOwners) Inform(context.Context, *messages.View, string, string, string) error { return nil }

// Room is a room of the servers of a test program. The functions serve the tests of the whole contract, and are nil without operations.
type Room struct {
	app.Room
	Values map[string]string // of its settings
	// Records creates a record of each kind with the name, and returns their ids by the names of parameters.
	Records func(tb testing.TB, f *Firm, name string) map[string]string
	// Lists creates two records of each kind, and returns the paths of the lists by operation.
	Lists func(t *testing.T, f *Firm) map[string]string
	// Story uses every operation.
	Story func(t *testing.T, f *Firm)
}

// hosted are the rooms of this test program. Only [Main] sets them.
var hosted []Room

// programSchema returns the schema with the extensions of the rooms.
func programSchema() *organization.Schema {
	var extensions []organization.Extension
	for _, room := range hosted {
		if room.Extension != nil {
			extensions = append(extensions, *room.Extension)
		}
	}
	return organization.NewSchema(extensions...)
}

// newRooms returns the features of the rooms.
func newRooms(
	tb testing.TB, b *Server, rooms []Room, log *slog.Logger, organizations func() *actors.Organizations,
) (features []app.Feature) {
	tb.Helper()
	source := config.Source{Flags: map[string]string{}}
	for _, room := range rooms {
		source.Rooms = append(source.Rooms, room.Settings...)
		maps.Copy(source.Flags, room.Values)
	}
	settings, err := config.Load(source)
	if err != nil {
		tb.Fatal(err)
	}
	records := &equityhttp.Records{}
	for _, room := range rooms {
		feature, err := room.New(app.Core{
			Config: settings, Database: b.DB, Organizations: consumertest.Late{Of: organizations}, Records: records, Owners: noOwners{},
			Users: b.Users, Memberships: b.Journal, Files: files{b, &features}, Breakers: consumer.NewBreakers(b.Clock.Now), ContractDate: "2026-11-22",
			Log: log, Now: b.Clock.Now,
			Pause: b.pause, Key: func(name string) ([]byte, error) { return []byte("the key of the tests: " + name), nil }, NewID: NewID, Random: rand.Reader,
		})
		if err != nil {
			tb.Fatal(err)
		}
		features = append(features, feature)
		records.Rooms = append(records.Rooms, feature.API)
	}
	records.Features = switches(tb, features)
	return features
}

// switches returns the switches of a server with the rooms. Those of other rooms are off.
func switches(tb testing.TB, rooms []app.Feature) map[string]bool {
	tb.Helper()
	all := AllFeatures()
	for _, room := range rooms {
		maps.Copy(all, room.Switches)
	}
	return SwitchOff(tb, all)
}

// files are the bytes of the files of organizations.
type files struct {
	*Server
	features *[]app.Feature
}

// Open returns the bytes with the hash.
func (f files) Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error) {
	const unknown = -1
	return blob.NewGuarded(f.Objects).OpenWhole(ctx, blob.Key("o/"+id.String(), sha256), sha256, unknown)
}

// Put stores the bytes.
func (f files) Put(ctx context.Context, id organization.ID, sha256 string, content io.Reader, size int64) error {
	return f.Objects.Put(ctx, blob.Key("o/"+id.String(), sha256), content, size)
}

// Scan returns the state of a new file.
func (f files) Scan() room.Scan { return initialScan(*f.features) }

// initialScan returns the state of a new file.
func initialScan(rooms []app.Feature) room.Scan {
	for _, feature := range rooms {
		if feature.Scanner != nil {
			return room.ScanPending
		}
	}
	return room.ScanNone
}

// pause advances the clock instead of waiting.
func (b *Server) pause(ctx context.Context, d time.Duration) error {
	b.Clock.Advance(d)
	return ctx.Err()
}

// departures returns the statements of the rooms for disabled and erased accounts.
func departures() (all []persistence.Departure) {
	for _, room := range hosted {
		if room.Departure != nil {
			all = append(all, room.Departure)
		}
	}
	return all
}

// startRooms starts the work of the features beside requests.
func startRooms(tb testing.TB, features []app.Feature) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, feature := range features {
		if feature.Start != nil {
			running.Go(func() { feature.Start(ctx) })
		}
	}
	storetest.Cleanup(tb, func() {
		cancel()
		running.Wait()
	})
}

// roomOperations returns the operations of the rooms. Those of the other rooms of the contract find nothing.
func roomOperations(tb testing.TB, rooms []app.Feature) (all []api.Room) {
	tb.Helper()
	for _, room := range rooms {
		all = append(all, room.API)
	}
	present := all
	return append(all, api.Room{Operations: func(kernel *api.Kernel) map[string]api.Handler {
		absent := Unserved(tb)
		for _, room := range present {
			if room.Operations == nil {
				continue
			}
			for id := range room.Operations(kernel) {
				delete(absent, id)
			}
		}
		return absent
	}})
}
