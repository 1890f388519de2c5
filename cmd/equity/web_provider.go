package main

import (
	"equity/account"
	"equity/http/identity"
)

// provider returns the configured identity provider, or nil.
func (a *assembly) provider(p program) account.IdentityProvider {
	if a.config.IDPIssuer == "" {
		return nil
	}
	return identity.New(identity.Settings{
		Issuer: a.config.IDPIssuer, Audience: a.config.IDPClientID, Contacts: a.config.IDPContactsURL, Token: string(a.config.IDPContactsToken), Now: p.now,
	})
}
