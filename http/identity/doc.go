// Package identity verifies the ID tokens of one OpenID Connect provider (OpenID Connect Core 1.0, 3.1.3.7): that the
// provider's key signed it, for this program and nobody else, and that it has not expired. What an account has to do
// with the person in it is not decided here.
package identity
