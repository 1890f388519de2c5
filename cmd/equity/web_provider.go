package main

import (
	equityhttp "equity/http"
	"equity/http/identity"
)

// provider is whom people may sign in through; nobody where none is set.
func (a *assembly) provider(p program) equityhttp.IdentityProvider {
	if a.config.IDPIssuer == "" {
		return nil
	}
	return identity.New(identity.Settings{
		Issuer: a.config.IDPIssuer, Audience: a.config.IDPClientID, Contacts: a.config.IDPContactsURL, Token: string(a.config.IDPContactsToken), Now: p.now,
	})
}
