package main

import (
	"context"
	"time"

	"equity/actors/consumer"
	"equity/actors/drive"
	httpdrive "equity/http/drive"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/blob"
)

// driveStateKey is the name of the key that signs requests for an authorization.
const driveStateKey = "drive state key"

// drivePatience is the time for which a caller waits for a synchronization.
const drivePatience = time.Minute

// driveConsumers returns the consumer of cloud drives, or none if they are off.
func (a *assembly) driveConsumers(ctx context.Context, p program, breakers *consumer.Breakers) ([]consumer.Consumer, error) {
	if !a.config.HasDrive() {
		return nil, nil
	}
	key, err := a.namedKey(ctx, p, driveStateKey)
	if err != nil {
		return nil, err
	}
	settings, rooms := a.config.Drive, a.documentServices().Settings
	accounts, runs := persistence.NewDrives(a.db), persistence.NewDriveSyncs(a.db)
	client := drive.NewClient(drive.App{
		ClientID: settings.ClientID, ClientSecret: settings.ClientSecret.Reveal(), RedirectURI: settings.RedirectURI,
		LoginURL: settings.LoginURL, TokenURL: settings.TokenURL, URL: settings.URL,
	}, breakers, p.now)
	synchronizer := drive.NewConsumer(drive.Options{
		Settings: drive.Settings{
			Every: settings.Every, Limit: rooms.DocumentLimit, Extensions: rooms.Extensions, Scan: rooms.Scan, Patience: drivePatience,
		},
		Client: client, Accounts: accounts, Requests: accounts, Syncs: runs, Runs: runs, Files: runs, Objects: a.objects,
		Key:           func(id organization.ID, sha256 string) string { return blob.Key("o/"+id.String(), sha256) },
		Organizations: func() drive.Organizations { return a.organizations }, StateKey: key, Now: p.now, NewID: newID, Pause: pause,
		Log: a.log,
	})
	a.drive = drive.NewEngine(
		synchronizer, persistence.NewConsumers(a.db), func(id organization.ID, name string) { a.organizations.Wake(id, name) },
	)
	return []consumer.Consumer{synchronizer}, nil
}

// pause waits for the duration, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// driveServices returns the dependencies of the operations; empty if cloud drives are off.
func (a *assembly) driveServices() httpdrive.Services {
	if a.drive == nil {
		return httpdrive.Services{}
	}
	return httpdrive.Services{Connections: a.drive, Synchronizer: a.drive, Answers: persistence.NewAnswers(a.db), NewID: newID}
}
