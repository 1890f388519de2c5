package http

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"equity/http/api"
	"equity/http/oauth"
	"equity/messages"
	"equity/organization"
)

// AccessTokens stores the clients and the tokens of OAuth.
type AccessTokens interface {
	oauth.Store
	// Use returns the grant of an access token and notes its use; false for a token that is not valid.
	Use(ctx context.Context, token string, now time.Time) (messages.TokenGrant, bool, error)
}

// newAuthorization returns the authorization server.
func (s *Server) newAuthorization(services Services) (*oauth.Server, error) {
	key := s.settings.TagKey
	if len(key) == 0 {
		key = make([]byte, sha256.Size)
		if _, err := io.ReadFull(services.Random, key); err != nil {
			return nil, fmt.Errorf("draw the key of consents: %w", err)
		}
	}
	return oauth.New(oauth.Services{
		Store: services.AccessTokens, PublicURL: s.settings.PublicURL, Schemes: s.settings.RedirectSchemes, Key: key,
		Session:   s.pageSession,
		Companies: s.companies, Rights: s.tokenRights, Throttle: s.Throttle,
		Writable: services.Writable, Page: s.pages.Page, Address: s.address, Log: s.log, Now: s.now, NewID: services.NewID,
		Random: services.Random,
	}), nil
}

// pageSession returns the session of a request for a page, and extends it.
func (s *Server) pageSession(w http.ResponseWriter, r *http.Request) (messages.Session, bool, error) {
	session, found, err := s.sessions.Load(r)
	if err == nil && found {
		s.sessions.Refresh(w, session)
	}
	return session, found && session.VerifiedAt.IsZero(), err
}

// companies returns the organizations of a user, as the user may see them.
func (s *Server) companies(ctx context.Context, user organization.UserID) ([]oauth.Company, error) {
	found := []oauth.Company{}
	err := s.EachHome(ctx, &api.Call{Caller: api.Caller{User: user}}, func(home *api.Call) {
		found = append(found, oauth.Company{ID: home.Organization, Name: home.View.State.Profile().Name})
	})
	return found, err
}

// tokenRights returns the present rights of a user in an organization, or in all for the zero ID.
func (s *Server) tokenRights(ctx context.Context, user organization.UserID, in organization.ID) (messages.TokenRights, error) {
	return s.TokenRights(ctx, &api.Call{Caller: api.Caller{User: user}}, in)
}

// serveAuthorization answers a request for OAuth with the handler of its method.
func (s *Server) serveAuthorization(x *exchange, handlers map[string]http.HandlerFunc) {
	method := x.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	handler := handlers[method]
	if handler == nil {
		x.w.Header().Set("Allow", allowed(handlers))
		s.Fail(x.w, errNoMethod(x.r.Method), x.id)
		return
	}
	err := error(nil)
	if method == http.MethodPost {
		err = receiveForm(x, oauth.MaxBody)
	}
	if err == nil {
		err = s.enterQueue(x, "")
	}
	if err != nil {
		s.Fail(x.w, err, x.id)
		return
	}
	handler(x.w, x.r)
}

// allowed returns the methods of the handlers.
func allowed(handlers map[string]http.HandlerFunc) string {
	var names []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		if handlers[method] != nil || method == http.MethodHead && handlers[http.MethodGet] != nil {
			names = append(names, method)
		}
	}
	return strings.Join(names, ", ")
}
