package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// issued is the answer to a token request.
type issued struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

// form returns the form of a request, in which each parameter occurs once, and its client.
func (s *Server) form(w http.ResponseWriter, r *http.Request) (url.Values, messages.OAuthClientID, error) {
	var id messages.OAuthClientID
	r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
	if err := r.ParseForm(); err != nil {
		return nil, id, &refusal{invalidRequest, "The body must be a URL-encoded form of at most 64 KB."}
	}
	for name, values := range r.PostForm {
		if len(values) > 1 {
			return nil, id, &refusal{invalidRequest, name + " must be given once."}
		}
	}
	id, err := captable.ParseID[messages.OAuthClient](r.PostForm.Get("client_id"))
	if err != nil || id.IsZero() {
		return nil, id, &refusal{invalidClient, "client_id is missing or not registered."}
	}
	if _, err := s.Store.Client(r.Context(), id); errors.Is(err, messages.ErrNoClient) {
		return nil, id, &refusal{invalidClient, "client_id is missing or not registered."}
	} else if err != nil {
		return nil, id, err
	}
	return r.PostForm, id, nil
}

// The maximum number of failed token requests from a network.
const (
	maxFailures    = 60
	failuresWithin = time.Minute
)

// token exchanges a code or a refresh token.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	answer, err := s.issue(w, r)
	if err != nil {
		if limited := s.Throttle(r.Context(), "oauth token "+api.NetworkOf(s.Address(r)), maxFailures, failuresWithin); limited != nil {
			err = limited
		}
		s.refuse(w, r, err)
		return
	}
	send(w, http.StatusOK, answer)
}

func (s *Server) issue(w http.ResponseWriter, r *http.Request) (issued, error) {
	given, client, err := s.form(w, r)
	if err != nil {
		return issued{}, err
	}
	if given.Has("resource") && given.Get("resource") != s.Resource() {
		return issued{}, &refusal{invalidTarget, "resource must be " + s.Resource() + "."}
	}
	if err := s.mayWrite(); err != nil {
		return issued{}, err
	}
	now := s.Now()
	tokens := messages.OAuthTokens{IssuedAt: now, AccessExpiresAt: now.Add(accessLifetime), RefreshExpireAt: now.Add(refreshLifetime)}
	if tokens.Access, err = s.draw(messages.OAuthAccessPrefix); err != nil {
		return issued{}, err
	}
	if tokens.Refresh, err = s.draw(messages.OAuthRefreshPrefix); err != nil {
		return issued{}, err
	}
	grant, err := s.use(r, given, client, tokens)
	if fault.Is(err, messages.ErrInvalidGrant.Code) {
		return issued{}, &refusal{invalidGrant, messages.ErrInvalidGrant.Message}
	}
	if err != nil {
		return issued{}, err
	}
	names := make([]string, len(grant.Scopes))
	for i, scope := range grant.Scopes {
		names[i] = string(scope)
	}
	return issued{tokens.Access, "Bearer", int(accessLifetime.Seconds()), tokens.Refresh, strings.Join(names, " ")}, nil
}

// use uses up the code or the refresh token of the request.
func (s *Server) use(
	r *http.Request, given url.Values, client messages.OAuthClientID, tokens messages.OAuthTokens,
) (messages.APIToken, error) {
	switch given.Get("grant_type") {
	case grantCode:
		verifier := given.Get("code_verifier")
		if !regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`).MatchString(verifier) {
			return messages.APIToken{}, &refusal{invalidRequest, "code_verifier is missing or malformed."}
		}
		return s.Store.Exchange(r.Context(), given.Get("code"), tokens, func(code messages.OAuthCode) error {
			sum := sha256.Sum256([]byte(verifier))
			challenge := base64.RawURLEncoding.EncodeToString(sum[:])
			named := given.Get("redirect_uri")
			if code.Client != client || named != "" && named != code.RedirectURI ||
				subtle.ConstantTimeCompare([]byte(challenge), []byte(code.Challenge)) != 1 {
				return messages.ErrInvalidGrant
			}
			return nil
		})
	case grantRefresh:
		if given.Has("scope") {
			if _, err := readScopes(given.Get("scope")); err != nil {
				return messages.APIToken{}, err
			}
		}
		return s.Store.Refresh(r.Context(), client, given.Get("refresh_token"), tokens)
	case "":
		return messages.APIToken{}, &refusal{invalidRequest, "grant_type is required."}
	default:
		return messages.APIToken{}, &refusal{unsupportedGrant, "grant_type must be authorization_code or refresh_token."}
	}
}

// revoke ends the access of a token (RFC 7009). An unknown token is answered like a revoked one.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	given, client, err := s.form(w, r)
	if err == nil && given.Get("token") == "" {
		err = &refusal{invalidRequest, "token is required."}
	}
	if err == nil {
		err = s.mayWrite()
	}
	if err == nil {
		err = s.Store.Revoke(r.Context(), client, given.Get("token"))
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}
