package oauth

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"equity/http/api"
	"equity/messages"
)

// MaxBody limits the body of a request, in bytes.
const MaxBody = 64 << 10

// Limits of registrations.
const (
	registrationsPerDay = 20
	maxRedirects        = 10
	maxNameLength       = 100 // characters
)

// The supported values of the metadata of clients.
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	methodS256   = "S256"
	authNone     = "none"
)

// registration is the metadata of a client (RFC 7591).
type registration struct {
	RedirectURIs  []string `json:"redirect_uris"`
	Name          string   `json:"client_name,omitempty"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	Scope         string   `json:"scope,omitempty"`
}

// registered is the answer to a registration.
type registered struct {
	ID       messages.OAuthClientID `json:"client_id"`
	IssuedAt int64                  `json:"client_id_issued_at"`
	registration
}

// check completes the metadata and returns the first error. Metadata that this server does not use is ignored, as RFC 7591 requires.
func (c *registration) check(schemes []string) error {
	if len(c.RedirectURIs) == 0 || len(c.RedirectURIs) > maxRedirects {
		return &refusal{invalidRedirect, "redirect_uris must have 1 to 10 addresses."}
	}
	for _, address := range c.RedirectURIs {
		if problem := checkRedirect(address, schemes); problem != "" {
			return &refusal{invalidRedirect, problem}
		}
	}
	for _, kind := range c.GrantTypes {
		if kind != grantCode && kind != grantRefresh {
			return &refusal{invalidMetadata, "grant_types may contain authorization_code and refresh_token only."}
		}
	}
	if slices.ContainsFunc(c.ResponseTypes, func(kind string) bool { return kind != "code" }) {
		return &refusal{invalidMetadata, "response_types may contain code only."}
	}
	// A client that asks for a secret is registered without one, as the answer states: RFC 7591 lets the server replace values.
	c.AuthMethod, c.GrantTypes, c.ResponseTypes = authNone, []string{grantCode, grantRefresh}, []string{"code"}
	c.Name, c.Scope = shownName(c.Name), ""
	return nil
}

// shownName returns the name without characters that could mislead readers of the consent page.
func shownName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) { // control, format and direction characters
			return -1
		}
		return r
	}, name)
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		return "Unnamed client"
	}
	runes := []rune(name)
	return string(runes[:min(len(runes), maxNameLength)])
}

// register registers a public client.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var given registration
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != api.MediaJSON {
		s.refuse(w, r, &refusal{invalidMetadata, "The body must be JSON."})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil || json.Unmarshal(body, &given) != nil {
		s.refuse(w, r, &refusal{invalidMetadata, "The body is not a valid JSON object of at most 64 KiB."})
		return
	}
	if err := given.check(s.Schemes); err != nil {
		s.refuse(w, r, err)
		return
	}
	if err := s.mayWrite(); err != nil {
		s.refuse(w, r, err)
		return
	}
	const day = 24 * time.Hour
	if err := s.Throttle(r.Context(), "oauth register "+api.NetworkOf(s.Address(r)), registrationsPerDay, day); err != nil {
		s.refuse(w, r, err)
		return
	}
	client := messages.OAuthClient{
		ID: messages.OAuthClientID(s.NewID()), Name: given.Name, RedirectURIs: given.RedirectURIs, CreatedAt: s.Now(),
	}
	if err := s.Store.AddClient(r.Context(), client); err != nil {
		s.refuse(w, r, err)
		return
	}
	send(w, http.StatusCreated, registered{client.ID, client.CreatedAt.Unix(), given})
}
