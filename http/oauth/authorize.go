package oauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// request is an authorization request.
type request struct {
	client      messages.OAuthClient
	redirectURI string
	state       string
	challenge   string
	scopes      []messages.ToolClass
	query       url.Values
}

// The lifetimes.
const (
	codeLifetime    = time.Minute
	accessLifetime  = time.Hour
	refreshLifetime = 30 * 24 * time.Hour
)

// parameters are the parameters of an authorization request. Each may be given once.
func parameters() []string {
	return []string{"response_type", "client_id", "redirect_uri", "code_challenge", "code_challenge_method", "scope", "state", "resource"}
}

// read returns the authorization request.
func (s *Server) read(r *http.Request, given url.Values) (asked request, err error) {
	id, err := captable.ParseID[messages.OAuthClient](given.Get("client_id"))
	if err == nil {
		asked.client, err = s.Store.Client(r.Context(), id)
	}
	if err != nil {
		if fault.Is(err, fault.Unavailable) || !fault.Is(err, fault.NotFound) && !id.IsZero() {
			return asked, err
		}
		return asked, &refusal{invalidClient, "The program that sent you here is not registered. Remove its connection and add it again."}
	}
	asked.redirectURI = given.Get("redirect_uri")
	if asked.redirectURI == "" && len(asked.client.RedirectURIs) == 1 {
		asked.redirectURI = asked.client.RedirectURIs[0]
	}
	if !permits(&asked.client, asked.redirectURI) {
		return asked, &refusal{invalidRequest, "The redirect address is not one that the program registered."}
	}
	if problem := checkRedirect(asked.redirectURI, s.Schemes); problem != "" { // an earlier version registered others
		return asked, &refusal{invalidRequest, problem}
	}
	asked.query = url.Values{}
	for _, name := range parameters() {
		if given.Has(name) {
			asked.query.Set(name, given.Get(name))
		}
		if len(given[name]) > 1 {
			return asked, &refusal{invalidRequest, name + " must be given once."}
		}
	}
	asked.state, asked.challenge = given.Get("state"), given.Get("code_challenge")
	asked.scopes, err = readScopes(given.Get("scope"))
	switch {
	case given.Get("response_type") != "code":
		return asked, &refusal{unsupportedAnswer, "response_type must be code."}
	case given.Get("code_challenge_method") != methodS256 || !regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`).MatchString(asked.challenge):
		return asked, &refusal{invalidRequest, "PKCE with the method S256 is required."}
	case given.Has("resource") && given.Get("resource") != s.Resource():
		return asked, &refusal{invalidTarget, "resource must be " + s.Resource() + "."}
	}
	return asked, err
}

// readScopes returns the requested scopes in their order; read without a scope. offline_access is accepted without effect.
func readScopes(text string) ([]messages.ToolClass, error) {
	var found []messages.ToolClass
	for name := range strings.FieldsSeq(text) {
		if name == "offline_access" {
			continue
		}
		if !slices.Contains(scopes(), messages.ToolClass(name)) {
			return nil, &refusal{invalidScope, "scope may contain read, write and destructive."}
		}
		found = append(found, messages.ToolClass(name))
	}
	if len(found) == 0 {
		return []messages.ToolClass{messages.ToolRead}, nil
	}
	return slices.DeleteFunc(scopes(), func(scope messages.ToolClass) bool { return !slices.Contains(found, scope) }), nil
}

// begin reads the request and requires a session. It answers the request if it returns false.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, given url.Values) (request, messages.Session, bool) {
	asked, err := s.read(r, given)
	if err != nil {
		s.stop(w, r, err)
		return asked, messages.Session{}, false
	}
	session, found, err := s.Session(w, r)
	switch {
	case err != nil:
		s.stop(w, r, err)
	case !found:
		seeOther(w, api.LoginPath+"?"+url.Values{"authorize": {asked.query.Encode()}}.Encode())
	case session.MustChangePassword:
		seeOther(w, api.PasswordPath)
	default:
		return asked, session, true
	}
	return asked, session, false
}

// stop shows an error to the user. It does not redirect: any site can register an address, and send users through this server to it.
func (s *Server) stop(w http.ResponseWriter, r *http.Request, err error) {
	told, ok := errors.AsType[*refusal](err)
	status := http.StatusBadRequest
	if !ok {
		s.Log.Log(r.Context(), api.FailureLevel(r.Context()), "authorization failed", "cause", err)
		told, status = &refusal{temporarilyMissing, "This is not possible at the moment. Try again."}, http.StatusServiceUnavailable
	}
	s.show(w, r, status, consentFacts{Problem: told.Description}, "")
}

// sendTo redirects to the client with the parameters, the state and the issuer (RFC 9207).
func (s *Server) sendTo(w http.ResponseWriter, asked request, parameters url.Values) {
	if asked.state != "" {
		parameters.Set("state", asked.state)
	}
	parameters.Set("iss", s.issuer)
	seeOther(w, redirect(asked.redirectURI, parameters))
}

func seeOther(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusSeeOther)
}

// consentFacts are the facts of the consent page.
type consentFacts struct {
	Problem string
	// Client is the name that the client states. Target is the host or the scheme to which the answer is sent.
	Client, Target string
	Scopes         []scopeFacts
	Companies      []Company
	// Query and Confirm are hidden fields: the request, and the proof that this page sent the form.
	Query, Confirm string
}

// scopeFacts describe a requested scope.
type scopeFacts struct{ Name, Text string }

func textOf(scope messages.ToolClass) string {
	return map[messages.ToolClass]string{
		messages.ToolRead:        "Read all that you can read",
		messages.ToolWrite:       "Add and change records as you can",
		messages.ToolDestructive: "Void, cancel, transfer and delete records as you can",
	}[scope]
}

// authorize shows the consent page.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	asked, session, ok := s.begin(w, r, r.URL.Query())
	if !ok {
		return
	}
	companies, err := s.Companies(r.Context(), session.User)
	if err != nil {
		s.stop(w, r, err)
		return
	}
	facts := consentFacts{
		Client: asked.client.Name, Target: formTarget(asked.redirectURI), Companies: companies,
		Query: asked.query.Encode(), Confirm: s.proof(session, asked.query.Encode()),
	}
	for _, scope := range asked.scopes {
		facts.Scopes = append(facts.Scopes, scopeFacts{string(scope), textOf(scope)})
	}
	s.show(w, r, http.StatusOK, facts, facts.Target)
}

// proof binds the form to the session and to the request.
func (s *Server) proof(session messages.Session, query string) string {
	mac := hmac.New(sha256.New, s.Key)
	_, _ = io.WriteString(mac, session.Handle+"\x00"+query)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// show sends the consent page. Target is the source to which its form may redirect.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, facts consentFacts, target string) {
	text, policy, err := s.Page("consent", facts)
	if err != nil {
		s.Log.ErrorContext(r.Context(), "page not written", "cause", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if target != "" {
		policy = strings.Replace(policy, "form-action 'self'", "form-action 'self' "+target, 1)
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", api.ContentPage)
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "strict-origin") // a form without a referrer would have no origin
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text)
	}
}

// decide executes the decision of the user.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
	var given url.Values
	err := r.ParseForm()
	if err == nil {
		given, err = url.ParseQuery(r.PostForm.Get("query"))
	}
	if err != nil {
		s.stop(w, r, &refusal{invalidRequest, "The form is incomplete. Start again in the program that sent you here."})
		return
	}
	asked, session, ok := s.begin(w, r, given)
	if !ok {
		return
	}
	if !hmac.Equal([]byte(s.proof(session, asked.query.Encode())), []byte(r.PostForm.Get("confirm"))) {
		s.stop(w, r, &refusal{invalidRequest, "This page is outdated. Start again in the program that sent you here."})
		return
	}
	if r.PostForm.Get("do") != "allow" {
		s.sendTo(w, asked, url.Values{"error": {accessDenied}, "error_description": {"The user refused the access."}})
		return
	}
	code, err := s.consent(r, asked, session)
	switch told, ok := errors.AsType[*refusal](err); {
	case ok: // the user has decided on the page that names the address
		s.sendTo(w, asked, url.Values{"error": {told.Code}, "error_description": {told.Description}})
	case err != nil:
		s.stop(w, r, err)
	default:
		s.sendTo(w, asked, url.Values{"code": {code}})
	}
}

// consent stores the grant and returns its code. The user may permit fewer scopes than requested.
func (s *Server) consent(r *http.Request, asked request, session messages.Session) (string, error) {
	if err := s.mayWrite(); err != nil {
		return "", err
	}
	permitted := slices.DeleteFunc(asked.scopes, func(scope messages.ToolClass) bool {
		return !slices.Contains(r.PostForm["scope"], string(scope))
	})
	if len(permitted) == 0 {
		return "", &refusal{accessDenied, "The user permitted no scope."}
	}
	home, err := s.chosen(r, session.User)
	if err != nil {
		return "", err
	}
	rights, err := s.Rights(r.Context(), session.User, home)
	if err != nil {
		return "", err
	}
	code, err := s.draw(messages.OAuthCodePrefix)
	if err != nil {
		return "", err
	}
	now := s.Now()
	return code, s.Store.Consent(r.Context(), messages.APIToken{
		ID: messages.APITokenID(s.NewID()), User: session.User, Name: asked.client.Name, Scopes: permitted, Organization: home,
		CreatedAt: now,
		Rights:    rights,
	}, messages.OAuthCode{
		Code: code, Client: asked.client.ID, RedirectURI: asked.redirectURI, Challenge: asked.challenge, ExpiresAt: now.Add(codeLifetime),
	})
}

// chosen returns the organization of the form, which must be one of the user; the zero ID for all.
func (s *Server) chosen(r *http.Request, user organization.UserID) (organization.ID, error) {
	text := r.PostForm.Get("organization")
	if text == "" {
		return organization.ID{}, nil
	}
	companies, err := s.Companies(r.Context(), user)
	if err != nil {
		return organization.ID{}, err
	}
	for _, company := range companies {
		if company.ID.String() == text {
			return company.ID, nil
		}
	}
	return organization.ID{}, &refusal{accessDenied, "The user is not a member of the organization."}
}

// draw returns the prefix and a random text.
func (s *Server) draw(prefix string) (string, error) {
	random := make([]byte, messages.TokenBytes)
	if _, err := io.ReadFull(s.Random, random); err != nil {
		return "", fmt.Errorf("draw token: %w", err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(random), nil
}
