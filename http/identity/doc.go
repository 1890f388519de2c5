// Package identity verifies ID tokens of one OpenID Connect provider (OpenID Connect Core 1.0, 3.1.3.7):
// signature, issuer, audience and expiry. It does not link identities to accounts.
package identity
