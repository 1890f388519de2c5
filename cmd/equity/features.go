package main

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/hook"
	"equity/app"
	"equity/config"
	"equity/features/chat"
	"equity/features/drive"
	"equity/features/scan"
	"equity/features/webhook"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/document"
	"equity/http/integration"
	"equity/organization"
	"equity/persistence"
)

// rooms lists the rooms of this program, one a line.
func rooms() []app.Room {
	return []app.Room{
		chat.Room(),
		drive.Room(),
		scan.Room(),
		webhook.Room(),
	}
}

// schema returns the schema of the core and of the rooms.
func schema() *organization.Schema {
	var extensions []organization.Extension
	for _, room := range rooms() {
		if room.Extension != nil {
			extensions = append(extensions, *room.Extension)
		}
	}
	return organization.NewSchema(extensions...)
}

// roomSettings returns the settings of the rooms.
func roomSettings() (all []config.Setting) {
	for _, room := range rooms() {
		all = append(all, room.Settings...)
	}
	return all
}

// openFeatures creates the features of the rooms. They use the actors once these have started.
func (a *assembly) openFeatures(ctx context.Context, p program, breakers *consumer.Breakers) (err error) {
	a.records = &equityhttp.Records{}
	a.rooms, err = openRooms(app.Core{
		Config: a.config, Database: a.db, Organizations: &a.started, Records: a.records, Owners: owners{a, p.now}, Users: a.users,
		Memberships: a.journal, Files: storedFiles{a}, Breakers: breakers, Slots: a.effects, ContractDate: contractDate, Log: a.log,
		Now: p.now, Pause: pause,
		Key: func(name string) ([]byte, error) { return a.namedKey(ctx, p, name) }, NewID: newID, Random: p.random,
	})
	a.records.Rooms = a.rooms.api()
	return err
}

// features are the features of the rooms of a server.
type features []app.Feature

// openRooms returns the features of the rooms.
func openRooms(core app.Core) (all []app.Feature, err error) {
	for _, room := range rooms() {
		feature, err := room.New(core)
		if err != nil {
			return nil, err
		}
		all = append(all, feature)
	}
	return all, nil
}

// departures returns the statements of the rooms for disabled and erased accounts.
func departures() (all []persistence.Departure) {
	for _, room := range rooms() {
		if room.Departure != nil {
			all = append(all, room.Departure)
		}
	}
	return all
}

// startedOrganizations are the organizations for parts that are created before the actors.
type startedOrganizations struct{ *actors.Organizations }

func (f features) consumers() (all []consumer.Consumer) {
	for _, feature := range f {
		all = append(all, feature.Consumers...)
	}
	return all
}

func (f features) api() (all []api.Room) {
	for _, feature := range f {
		all = append(all, feature.API)
	}
	return all
}

// scanner returns the scanner of uploads, or nil without one.
func (f features) scanner() document.Scanner {
	for _, feature := range f {
		if feature.Scanner != nil {
			return feature.Scanner
		}
	}
	return nil
}

// integrations returns the services of the states of consumers.
func (f features) integrations(a *assembly) integration.Services {
	services, cursors := integration.Services{Wake: a.organizations.Wake}, persistence.NewConsumers(a.db)
	for _, feature := range f {
		if feature.Integration != "" {
			services.Rooms = append(services.Rooms, feature.Integration)
		}
		if feature.Instances == nil {
			continue
		}
		services.Instances = append(services.Instances, *feature.Instances)
		if feature.Retry != nil {
			cursors = cursors.Retrying(feature.Instances.Consumer, feature.Retry)
		}
	}
	services.Consumers = cursors
	return services
}

// gatewayToken returns the token of the gateway; empty without one.
func (f features) gatewayToken() (token string) {
	for _, feature := range f {
		token = cmp.Or(token, feature.GatewayToken)
	}
	return token
}

// frame returns the origin that the app may show in a frame; empty without one.
func (f features) frame() (origin string) {
	for _, feature := range f {
		origin = cmp.Or(origin, feature.Frame)
	}
	return origin
}

// deliverer returns the receiver of the replies of the assistant; nil without one.
func (f features) deliverer() hook.Deliverer {
	for _, feature := range f {
		if feature.Deliver != nil {
			return deliver(feature.Deliver)
		}
	}
	return nil
}

// deliver is a function as [hook.Deliverer].
type deliver func(ctx context.Context, id organization.ID, key, to, reply string) (reason string, err error)

// Deliver posts the reply.
func (d deliver) Deliver(ctx context.Context, id organization.ID, key, to, reply string) (reason string, err error) {
	return d(ctx, id, key, to, reply)
}

// start starts the features beside the start of the server.
func (f features) start(ctx context.Context, a *assembly) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, feature := range f {
		if feature.Start != nil {
			running.Go(func() { feature.Start(ctx) })
		}
	}
	a.closeWith(func(context.Context) error {
		cancel()
		running.Wait()
		return nil
	})
}

// forget removes expired rows of the rooms.
func (f features) forget(ctx context.Context, now time.Time) (failed error) {
	for _, feature := range f {
		if feature.Forget != nil {
			failed = errors.Join(failed, feature.Forget(ctx, now))
		}
	}
	return failed
}

// repair makes the hourly repairs of the rooms.
func (f features) repair(ctx context.Context, now time.Time) {
	for _, feature := range f {
		if feature.Repair != nil {
			feature.Repair(ctx, now)
		}
	}
}
