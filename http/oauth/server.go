// Package oauth is an authorization server (OAuth 2.1) for clients of the Model Context Protocol: metadata (RFC 9728, RFC 8414), registration
// of public clients (RFC 7591), the consent of users, and tokens with PKCE (RFC 7636) and one resource (RFC 8707).
package oauth

import (
	"context"
	"crypto/sha256"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// The paths of the package.
const (
	tokenPath    = "/oauth/token" //nolint:gosec // a path
	registerPath = "/oauth/register"
	revokePath   = "/oauth/revoke"
	resourcePath = "/.well-known/oauth-protected-resource"
	serverPath   = "/.well-known/oauth-authorization-server"
	// MCPPath is the path of the only resource.
	MCPPath = "/mcp"
)

// Store stores clients, codes and tokens.
type Store interface {
	AddClient(ctx context.Context, client messages.OAuthClient) error
	// Client returns a client, or [messages.ErrNoClient].
	Client(ctx context.Context, id messages.OAuthClientID) (messages.OAuthClient, error)
	// Consent stores the grant of a user to a client with its code.
	Consent(ctx context.Context, grant messages.APIToken, code messages.OAuthCode) error
	// Exchange uses up a code that passes the check; Refresh uses up a refresh token. Both store the tokens and return the grant, or
	// [messages.ErrInvalidGrant]. A second use ends the grant.
	Exchange(ctx context.Context, code string, tokens messages.OAuthTokens, check func(messages.OAuthCode) error) (messages.APIToken, error)
	Refresh(ctx context.Context, client messages.OAuthClientID, token string, tokens messages.OAuthTokens) (messages.APIToken, error)
	// Revoke ends the grant of a token of the client.
	Revoke(ctx context.Context, client messages.OAuthClientID, token string) error
}

// Company is an organization of the user.
type Company struct {
	ID   organization.ID
	Name string
}

// Services are the dependencies of the package.
type Services struct {
	Store Store
	// PublicURL is the public base URL, which is the issuer.
	PublicURL string
	// Schemes are further private schemes of redirect addresses.
	Schemes []string
	// Key is the key of the tokens of consent forms.
	Key []byte
	// Session returns the session of a request.
	Session func(w http.ResponseWriter, r *http.Request) (messages.Session, bool, error)
	// Companies returns the organizations of a user.
	Companies func(ctx context.Context, user organization.UserID) ([]Company, error)
	// Rights returns the present rights of a user in an organization, or in all for the zero ID.
	Rights func(ctx context.Context, user organization.UserID, in organization.ID) (messages.TokenRights, error)
	// Throttle returns an error if a subject exceeds the limit.
	Throttle func(ctx context.Context, subject string, limit int, window time.Duration) error
	// Writable returns the refusal of requests that write, or nil; nil itself permits all.
	Writable func() error
	// Page renders a page of the server.
	Page func(name string, facts any) (text []byte, policy string, err error)
	// Address returns the network of the client.
	Address func(r *http.Request) netip.Addr
	Log     *slog.Logger
	Now     func() time.Time
	NewID   func() [16]byte
	Random  io.Reader
}

// Server serves the paths of OAuth.
type Server struct {
	Services
	issuer string
	routes map[string]map[string]http.HandlerFunc // by path and method
}

// New returns the server.
func New(services Services) *Server {
	key := sha256.Sum256(append([]byte("consent\x00"), services.Key...))
	services.Key = key[:]
	s := &Server{Services: services, issuer: strings.TrimSuffix(services.PublicURL, "/")}
	s.routes = s.handlers()
	return s
}

// Resource returns the address of the resource, which is the audience of the tokens.
func (s *Server) Resource() string { return s.issuer + MCPPath }

// Challenge returns the header WWW-Authenticate of a refusal by the resource. Code is the error of RFC 6750; empty without a token.
func (s *Server) Challenge(code string) string {
	header := `Bearer resource_metadata="` + s.issuer + resourcePath + MCPPath + `"`
	if code != "" {
		header += `, error="` + code + `"`
	}
	return header
}

// Handler returns the handler of a path, by method; nil if the path is not served.
func (s *Server) Handler(path string) map[string]http.HandlerFunc { return s.routes[path] }

// Paths returns the served paths.
func (s *Server) Paths() []string { return slices.Sorted(maps.Keys(s.routes)) }

func (s *Server) handlers() map[string]map[string]http.HandlerFunc {
	resource := map[string]http.HandlerFunc{http.MethodGet: s.describeResource}
	server := map[string]http.HandlerFunc{http.MethodGet: s.describeServer}
	return map[string]map[string]http.HandlerFunc{
		resourcePath: resource, resourcePath + MCPPath: resource, serverPath: server, serverPath + MCPPath: server,
		registerPath:      {http.MethodPost: s.register},
		api.AuthorizePath: {http.MethodGet: s.authorize, http.MethodPost: s.decide},
		tokenPath:         {http.MethodPost: s.token},
		revokePath:        {http.MethodPost: s.revoke},
	}
}
