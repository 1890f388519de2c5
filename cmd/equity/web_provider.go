package main

import (
	"time"

	"equity/account"
	"equity/config"
	"equity/http/identity"
)

// identityProvider returns the configured identity provider, or nil.
func identityProvider(c config.Config, now func() time.Time) account.IdentityProvider {
	if c.IDPIssuer == "" {
		return nil
	}
	return identity.New(identity.Settings{
		Issuer: c.IDPIssuer, Audience: c.IDPClientID, Contacts: c.IDPContactsURL, Token: string(c.IDPContactsToken), Now: now,
	})
}
