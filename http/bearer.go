package http

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"equity/http/account"
	"equity/http/api"
	"equity/messages"
)

// Tokens stores the API tokens of users.
type Tokens interface {
	account.Tokens
	// Use returns the grant of a token and notes its use; false for a token that is not valid.
	Use(ctx context.Context, token string, now time.Time) (messages.TokenGrant, bool, error)
}

const authorization = "Authorization"

// isBearer reports whether an Authorization header contains a bearer token, or should contain one.
func isBearer(header string) bool {
	scheme, _, _ := strings.Cut(header, " ")
	return strings.EqualFold(scheme, "Bearer")
}

// bearer returns the bearer token of a request. Other schemes, for example of a proxy, are ignored. Several headers are ambiguous: their
// token is empty, and therefore refused.
func bearer(r *http.Request) (token string, given bool) {
	headers := r.Header.Values(authorization)
	for _, header := range headers {
		given = given || isBearer(header)
	}
	if !given || len(headers) > 1 {
		return "", given
	}
	_, token, _ = strings.Cut(headers[0], " ")
	return strings.TrimSpace(token), true
}

// bearerDecides reports whether a bearer token, not a cookie, identifies the caller of the request.
func bearerDecides(r *http.Request) bool {
	_, given := bearer(r)
	path := strings.TrimPrefix(r.URL.Path, api.AppPrefix)
	return given && strings.HasPrefix(path, api.Prefix+"/")
}

// credential returns the header that identifies the caller; empty without one.
func credential(r *http.Request) string {
	if header := r.Header.Get(authorization); isBearer(header) {
		return header
	}
	return r.Header.Get("Cookie")
}

// caller identifies the caller by the bearer token, or else by the session, if the operation uses sessions. Tokens have no use for
// operations that are open to everyone, and for site administrators.
func (s *Server) caller(x *exchange, op *api.Operation) (api.Caller, messages.Session, error) {
	if x.forwarded != nil {
		return x.forwarded.caller, messages.Session{}, nil
	}
	caller := api.Caller{Address: s.address(x.r)}
	open := op.Permission == api.PermissionPublic || op.Permission == api.PermissionGateway
	token, given := bearer(x.r)
	if op.Off || open && (given || !op.OptionalSession) {
		return caller, messages.Session{}, nil
	}
	if given {
		grant, err := s.grant(x, caller, token)
		if err != nil {
			return caller, messages.Session{}, err
		}
		caller.User, caller.MustChangePassword = grant.User, grant.MustChangePassword
		caller.Session, caller.Token = grant.Handle, &grant
		return caller, messages.Session{}, nil
	}
	session, err := s.session(x, op)
	caller.User, caller.SiteAdmin, caller.MustChangePassword = session.User, session.SiteAdmin, session.MustChangePassword
	caller.Session, caller.SecondFactorAt = session.Handle, session.SecondFactorAt
	return caller, session, err
}

// The maximum number of invalid tokens from a network.
const (
	maxInvalidTokens    = 20
	invalidTokensWithin = time.Minute
)

// grant returns the grant of a valid API token.
func (s *Server) grant(x *exchange, caller api.Caller, token string) (messages.TokenGrant, error) {
	var grant messages.TokenGrant
	var found bool
	if strings.HasPrefix(token, messages.APITokenPrefix) {
		var err error
		if grant, found, err = s.tokens.Use(x.r.Context(), token, x.at); err != nil {
			return grant, api.Unavailable(fmt.Errorf("token: %w", err))
		}
	}
	if found {
		return grant, nil
	}
	x.w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	return grant, s.invalidToken(x, caller)
}

// invalidToken counts an invalid token and returns its refusal.
func (s *Server) invalidToken(x *exchange, caller api.Caller) error {
	if err := s.Throttle(x.r.Context(), "bearer "+caller.Network(), maxInvalidTokens, invalidTokensWithin); err != nil {
		return err
	}
	return messages.ErrInvalidToken
}
