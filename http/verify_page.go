package http

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
)

// verifyPath is where the link of the verification mail leads. Following it confirms
// nothing yet: programs that scan mail follow links too, and the code works once.
// The button on the page does.
const verifyPath = "/verify"

//go:embed pages/*.html
var pageTemplates embed.FS

// pages are the few pages that need no browser app.
type pages struct{ templates *template.Template }

func newPages() (*pages, error) {
	parsed, err := template.ParseFS(pageTemplates, "pages/*.html")
	return &pages{parsed}, err
}

// pagePolicy allows a page its own style and its own form.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

func (p *pages) verify(w http.ResponseWriter, status int, facts verifyFacts) {
	var out bytes.Buffer
	if err := p.templates.ExecuteTemplate(&out, "verify.html", facts); err != nil { // a mistake in the template
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

type verifyFacts struct {
	Code, Email, Problem string
}

// serveVerify shows the button, and runs the operation verifyEmail when it is pressed.
func (s *Server) serveVerify(x *exchange) {
	code := x.r.URL.Query().Get("code")
	if x.r.Method != http.MethodPost {
		s.pages.verify(x.w, http.StatusOK, verifyFacts{Code: code})
		return
	}
	x.r.Body = http.MaxBytesReader(x.w, x.r.Body, jsonLimit)
	if err := x.r.ParseForm(); err != nil {
		s.pages.verify(x.w, http.StatusBadRequest, verifyFacts{Problem: "The form could not be read."})
		return
	}
	body, err := json.Marshal(map[string]string{"code": strings.TrimSpace(x.r.PostForm.Get("code"))})
	if err != nil {
		s.fail(x.w, err, x.id)
		return
	}
	answer, err := s.Run(x.r.Context(), &Request{
		Operation: "verifyEmail", ID: x.id, At: x.at, Caller: Caller{Address: s.address(x.r)},
		Header: onlyJSON, Body: bytes.NewReader(body), Length: int64(len(body)),
	})
	if err != nil {
		status, _, _ := s.explain(err, x.id)
		problem := "This link is not valid, or not any more. Ask for another mail."
		if status >= http.StatusInternalServerError {
			problem = "That did not work at the moment. Try again."
		}
		s.pages.verify(x.w, status, verifyFacts{Problem: problem})
		return
	}
	confirmed, _ := answer.Record.(emailVerified)
	s.pages.verify(x.w, http.StatusOK, verifyFacts{Email: confirmed.Email})
}

// onlyJSON are the headers of a request that is made inside.
func onlyJSON(name string) string {
	if name == "Content-Type" {
		return mediaJSON
	}
	return ""
}
