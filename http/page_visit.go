package http

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"equity/fault"
	"equity/http/api"
	"equity/http/pages"
	"equity/messages"
)

// visitor is the exchange of a request for a page.
type visitor struct {
	*exchange
	server  *Server
	session messages.Session
	// changed reports that the answer already has a new session cookie.
	changed bool
}

// servePage serves a page. It executes the form only for POST, because mail scanners follow links.
// Forms of other sites were refused before: see cross.
func (s *Server) servePage(x *exchange, page func(*pages.Visit) pages.Screen) {
	v := &visitor{exchange: x, server: s}
	seen := &pages.Visit{Posted: x.r.Method == http.MethodPost, Run: v.run, Problem: v.problem}
	switch x.r.Method {
	case http.MethodGet, http.MethodHead:
		seen.Given = x.r.URL.Query()
	case http.MethodPost:
		if err := receiveForm(x, api.SmallBody); err != nil {
			s.Fail(x.w, err, x.id)
			return
		}
		x.r.Body = http.MaxBytesReader(x.w, x.r.Body, api.SmallBody)
		if err := x.r.ParseForm(); err != nil {
			s.Fail(x.w, api.WrongField("", "syntax", "The form is incomplete. Open the page again and repeat the entries."), x.id)
			return
		}
		seen.Given = x.r.PostForm
	default:
		x.w.Header().Set("Allow", "GET, HEAD, POST")
		s.Fail(x.w, errNoMethod(x.r.Method), x.id)
		return
	}
	if err := s.enterQueue(x, ""); err != nil {
		s.Fail(x.w, err, x.id)
		return
	}
	session, found, err := s.sessions.Load(x.r)
	if err != nil {
		s.log.Warn("page without session", "request", x.id, "cause", err)
	}
	if found {
		v.session = session
	}
	result := page(seen)
	if found && !v.changed {
		s.sessions.Refresh(x.w, session)
	}
	s.writePage(x, result)
}

// run executes an operation of the contract as the visitor, with its effect on their session.
func (v *visitor) run(operation string, body any) (api.Answer, error) {
	s := v.server
	text, err := json.Marshal(body)
	if err != nil {
		return api.Answer{}, err
	}
	header := func(name string) string {
		if name == "User-Agent" || name == "Cookie" {
			return v.r.Header.Get(name)
		}
		return onlyJSON(name)
	}
	var answer api.Answer
	err = s.withOutcome(v.exchange, s.Operation(operation), func() error {
		var err error
		answer, err = s.Run(v.context(), &api.Request{
			Operation: operation, ID: v.id, At: v.at, Header: header, Body: bytes.NewReader(text), Length: int64(len(text)),
			Caller: api.Caller{
				User: v.session.User, SiteAdmin: v.session.SiteAdmin, MustChangePassword: v.session.MustChangePassword,
				Session: v.session.Handle, Address: s.address(v.r),
			},
		})
		if err != nil {
			return err
		}
		v.changed = !answer.Session.IsZero()
		return api.Unavailable(s.changeSession(v.exchange, v.session.User, answer.Session))
	})
	if err == nil && answer.Cookie != nil {
		http.SetCookie(v.w, answer.Cookie)
	}
	return answer, err
}

// onlyJSON returns the headers of an internal request.
func onlyJSON(name string) string {
	if name == "Content-Type" {
		return api.MediaJSON
	}
	return ""
}

const unknownOnPage = "It is not known whether the change was stored. Check this before you send the form again."

// problem returns the message of a refusal for a page, with a line for each invalid field. It logs the
// private cause.
func (v *visitor) problem(err error) (status int, message string) {
	status, _, _ = v.server.Explain(err, v.id)
	refusal, refused := errors.AsType[*fault.Error](err)
	if status >= http.StatusInternalServerError || !refused {
		v.server.log.Log(
			v.r.Context(), api.FailureLevel(v.r.Context()), "page failed", "request", v.id, "route", v.endpoint, "status", status, "error",
			err,
		)
		if refused && refusal.Code == fault.OutcomeUnknown {
			return status, unknownOnPage
		}
		return status, "This is not possible at the moment. Try again."
	}
	if len(refusal.Fields) == 0 {
		return status, refusal.Message
	}
	lines := make([]string, len(refusal.Fields))
	for i, problem := range refusal.Fields {
		lines[i] = problem.Message
	}
	return status, strings.Join(lines, "\n")
}

// writePage sends a screen.
func (s *Server) writePage(x *exchange, p pages.Screen) {
	header := x.w.Header()
	header.Set("Cache-Control", "no-store")
	text, err := s.pages.Render(p.Name, p.Facts)
	if err != nil { // an error in the template
		s.log.Error("page not written", "request", x.id, "error", err)
		x.w.WriteHeader(http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", api.ContentPage)
	header.Set("Content-Security-Policy", s.pages.Policy)
	header.Set("Referrer-Policy", pages.ReferrerPolicy)
	x.w.WriteHeader(max(p.Status, http.StatusOK))
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(text)
	}
}
