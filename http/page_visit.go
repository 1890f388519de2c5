package http

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"equity/captable"
	"equity/messages"
)

// visit is one request for a page.
type visit struct {
	*exchange
	server  *Server
	session messages.Session
	// given holds the fields of the query or of the posted form.
	given  url.Values
	posted bool
	// changed reports that the answer already has a new session cookie.
	changed bool
}

// field returns a field without surrounding blanks.
func (v *visit) field(name string) string { return strings.TrimSpace(v.given.Get(name)) }

// page returns the page at a path; nil if the path is not a page.
func (s *Server) page(path string) func(*visit) screen {
	switch path {
	case verifyPath:
		return s.verifyPage
	case loginPath:
		return s.loginPage
	case registerPath:
		return s.registerPage
	case passwordPath:
		return s.passwordPage
	case invitationPath:
		return s.invitationPage
	default:
		return nil
	}
}

// servePage serves a page. It executes the form only for POST, because mail scanners follow links.
// Forms of other sites were refused before: see cross.
func (s *Server) servePage(x *exchange, page func(*visit) screen) {
	v := &visit{exchange: x, server: s, posted: x.r.Method == http.MethodPost}
	x.endpoint = x.r.URL.Path
	switch x.r.Method {
	case http.MethodGet, http.MethodHead:
		v.given = x.r.URL.Query()
	case http.MethodPost:
		x.r.Body = http.MaxBytesReader(x.w, x.r.Body, jsonLimit)
		if err := x.r.ParseForm(); err != nil {
			s.fail(x.w, wrongField("", "syntax", "The form is malformed."), x.id)
			return
		}
		v.given = x.r.PostForm
	default:
		x.w.Header().Set("Allow", "GET, HEAD, POST")
		s.fail(x.w, errMethod(x.r.Method), x.id)
		return
	}
	if err := s.enterQueue(x, ""); err != nil {
		s.fail(x.w, err, x.id)
		return
	}
	session, found, err := s.sessions.Load(x.r)
	if err != nil {
		s.log.Warn("page without session", "request", x.id, "cause", err)
	}
	if found {
		v.session = session
	}
	result := page(v)
	if found && !v.changed {
		s.sessions.Refresh(x.w, session)
	}
	s.writePage(x, result)
}

// run executes an operation of the contract as the visitor, with its effect on their session.
func (v *visit) run(operation string, body any) (Answer, error) {
	s := v.server
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	header := func(name string) string {
		if name == "User-Agent" || name == "Cookie" {
			return v.r.Header.Get(name)
		}
		return onlyJSON(name)
	}
	var answer Answer
	err = s.withOutcome(v.exchange, s.operations[operation], func() error {
		var err error
		answer, err = s.Run(v.context(), &Request{
			Operation: operation, ID: v.id, At: v.at, Header: header, Body: bytes.NewReader(text), Length: int64(len(text)),
			Caller: Caller{
				User: v.session.User, SiteAdmin: v.session.SiteAdmin, MustChangePassword: v.session.MustChangePassword,
				Session: v.session.Handle, Address: s.address(v.r),
			},
		})
		if err != nil {
			return err
		}
		v.changed = answer.Session != SessionChange{}
		return unavailable(s.changeSession(v.exchange, answer.Session))
	})
	if err == nil && answer.Cookie != nil {
		http.SetCookie(v.w, answer.Cookie)
	}
	return answer, err
}

// onlyJSON returns the headers of an internal request.
func onlyJSON(name string) string {
	if name == "Content-Type" {
		return mediaJSON
	}
	return ""
}

// labels maps pointers of faults to the labels of form fields, in the order of the form.
func labels() [][2]string {
	return [][2]string{
		{"/firstName", "First name"},
		{"/lastName", "Last name"},
		{"/email", "E-mail address"},
		{"/currentPassword", "Present password"},
		{"/password", "Password"},
		{"/acceptedTerms", "Terms"},
	}
}

const unknownOnPage = "It is not known whether the change was stored. Check this before you send the form again, for example by signing in."

// told returns the message of a refusal for a page, with a line for each invalid field. It logs the
// private cause.
func (v *visit) told(err error) (status int, words string) {
	status, _, _ = v.server.explain(err, v.id)
	refusal, refused := errors.AsType[*captable.Error](err)
	if status >= http.StatusInternalServerError || !refused {
		v.server.log.Error("page failed", "request", v.id, "route", v.endpoint, "status", status, "error", err)
		if refused && refusal.Code == codeOutcomeUnknown {
			return status, unknownOnPage
		}
		return status, "This is not possible at the moment. Try again."
	}
	if len(refusal.Fields) == 0 {
		return status, refusal.Message
	}
	var lines []string
	left := slices.Clone(refusal.Fields)
	for _, label := range labels() {
		left = slices.DeleteFunc(left, func(fault captable.FieldError) bool {
			if fault.Pointer != label[0] {
				return false
			}
			lines = append(lines, label[1]+": "+fault.Message)
			return true
		})
	}
	for _, fault := range left {
		lines = append(lines, fault.Message)
	}
	return status, strings.Join(lines, "\n")
}

// account returns the visitor's account; nil without a session.
func (v *visit) account() *messages.User {
	if v.session.User.IsZero() {
		return nil
	}
	account, err := v.server.accounts.ByID(v.r.Context(), v.session.User)
	if err != nil {
		return nil
	}
	return &account
}
