package messages

import (
	"time"

	"equity/captable"
	"equity/fault"
)

// OAuthClientID identifies a registered client.
type OAuthClientID = captable.ID[OAuthClient]

// OAuthClient is a program that registered itself (RFC 7591). It is public: it has no secret.
type OAuthClient struct {
	ID           OAuthClientID
	Name         string
	RedirectURIs []string
	CreatedAt    time.Time
}

// OAuthCode is an authorization code with the request that it answers.
type OAuthCode struct {
	// Code is the text of the code. Only its hash is stored.
	Code        string
	Client      OAuthClientID
	RedirectURI string
	// Challenge is the challenge of PKCE with the method S256.
	Challenge string
	ExpiresAt time.Time
}

// OAuthTokens are the tokens of an answer. Only their hashes are stored.
type OAuthTokens struct {
	Access, Refresh                  string
	IssuedAt                         time.Time
	AccessExpiresAt, RefreshExpireAt time.Time
}

// The beginnings of the texts of codes and tokens.
const (
	OAuthCodePrefix    = "eqc_"
	OAuthAccessPrefix  = "eqa_"
	OAuthRefreshPrefix = "eqr_"
)

// The errors of grants.
var (
	// ErrInvalidGrant refuses a code or a refresh token that is unknown, expired, used, or issued for another request.
	ErrInvalidGrant = fault.Refuse("invalidGrant", "The authorization is unknown, expired or already used. Authorize the client again.")
	// ErrNoClient refuses an unknown client.
	ErrNoClient = fault.Refuse(fault.NotFound, "There is no such client.")
)
