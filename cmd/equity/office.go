package main

import (
	"context"
	"time"

	"equity/actors/consumer"
	"equity/actors/office"
	"equity/config"
	"equity/persistence"
)

// newOfficeSuite returns the client of the office suite, or nil without one. It makes no call.
func newOfficeSuite(c config.Config, db *persistence.Database, p program, breakers *consumer.Breakers) *office.Engine {
	if !c.HasOfficeSuite() {
		return nil
	}
	settings := c.OfficeSuite
	client := office.NewClient(office.App{
		TenantID: settings.TenantID, ClientID: settings.ClientID, ClientSecret: settings.ClientSecret.Reveal(), DriveID: settings.DriveID,
		URL: settings.URL, LoginURL: settings.LoginURL,
	}, breakers, p.now, pause)
	return office.NewEngine(client, persistence.NewOfficeItems(db), newID)
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
