package hooks

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"equity/messages"
)

// Tokens finds the tokens of organizations.
type Tokens interface {
	// Source returns the organization of the token with the SHA-256, or false if no valid token has it.
	Source(ctx context.Context, hash [sha256.Size]byte) (messages.HookSource, bool, error)
}

// TokenPrefix is that of the tokens of organizations.
const TokenPrefix = "eqh_"

// The names with which a request contains its token.
const (
	tokenHeader = "X-Service-Token"
	tokenQuery  = "token"
	bearer      = "bearer "
)

// tokenOf returns the first non-empty token of the request, and reports whether it is in the address.
func tokenOf(r *http.Request, query url.Values) (token string, inAddress bool) {
	authorization := trim(r.Header.Get("Authorization"))
	if len(authorization) > len(bearer) && strings.EqualFold(authorization[:len(bearer)], bearer) {
		if token = trim(authorization[len(bearer):]); token != "" {
			return token, false
		}
	}
	if token = trim(strings.Join(r.Header.Values(tokenHeader), ", ")); token != "" {
		return token, false
	}
	token = trim(query.Get(tokenQuery))
	return token, token != ""
}

// authorize returns the organization to which the token leads. Only hashes are compared, so that the time depends neither on the
// common prefix nor on the length of the configured token.
func (g *Gateway) authorize(ctx context.Context, token string) (source messages.HookSource, hash [sha256.Size]byte, ok bool, err error) {
	hash = sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(hash[:], g.tokenHash[:]) == 1 {
		return messages.HookSource{Organization: g.organization}, hash, true, nil
	}
	if g.tokens == nil || !strings.HasPrefix(token, TokenPrefix) {
		return source, hash, false, nil
	}
	source, ok, err = g.tokens.Source(ctx, hash)
	return source, hash, ok, err
}
