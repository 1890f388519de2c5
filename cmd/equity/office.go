package main

import (
	"equity/actors/consumer"
	"equity/actors/office"
	"equity/persistence"
)

// openOfficeSuite creates the client of the office suite, if one is configured. It makes no call.
func (a *assembly) openOfficeSuite(p program, breakers *consumer.Breakers) {
	if !a.config.HasOfficeSuite() {
		return
	}
	settings := a.config.OfficeSuite
	client := office.NewClient(office.App{
		TenantID: settings.TenantID, ClientID: settings.ClientID, ClientSecret: settings.ClientSecret.Reveal(), DriveID: settings.DriveID,
		URL: settings.URL, LoginURL: settings.LoginURL,
	}, breakers, p.now, pause)
	a.office = office.NewEngine(client, persistence.NewOfficeItems(a.db), newID)
}
