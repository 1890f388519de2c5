package http

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
)

// The pages for the links in mails and for the identity provider's form. They need no script and no
// browser app. They use only operations of the contract, so an app of this site may replace them.
const (
	verifyPath     = "/verify"
	loginPath      = "/login"
	registerPath   = "/register"
	passwordPath   = "/password"
	invitationPath = "/invitation"
)

//go:embed pages/*.html
var pageTemplates embed.FS

// pages holds the templates and the Content-Security-Policy of their pages.
type pages struct {
	templates map[string]*template.Template
	policy    string
}

// frameFile is the common frame of all pages. It contains their only style element.
const frameFile = "pages/frame.html"

// newPages parses the templates.
func newPages() (*pages, error) {
	read := &pages{templates: map[string]*template.Template{}}
	for _, name := range []string{"verify", "login", "register", "password", "invitation", "certificate"} {
		parsed, err := template.ParseFS(pageTemplates, frameFile, "pages/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		read.templates[name] = parsed
	}
	style, err := styleOf(frameFile)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	read.policy = "default-src 'none'; style-src " + style + "; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	return read, nil
}

// styleOf returns the CSP source of the file's style element, so that browsers accept no other style.
func styleOf(file string) (string, error) {
	text, err := pageTemplates.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s has no style", file) //nolint:err113 // an error in the template
	}
	digest := sha256.Sum256(found[1])
	return "'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'", nil
}

// render executes a template.
func (p *pages) render(name string, facts any) ([]byte, error) {
	var out bytes.Buffer
	if err := p.templates[name].Execute(&out, facts); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// screen is the result of a page: a template with its facts, or a redirect.
type screen struct {
	status int // 0 means 200
	name   string
	facts  any
	to     string
}

// writePage sends a screen.
func (s *Server) writePage(x *exchange, p screen) {
	header := x.w.Header()
	header.Set("Cache-Control", "no-store")
	if p.to != "" {
		header.Set("Location", p.to)
		x.w.WriteHeader(http.StatusSeeOther)
		return
	}
	text, err := s.pages.render(p.name, p.facts)
	if err != nil { // an error in the template
		s.log.Error("page not written", "request", x.id, "error", err)
		x.w.WriteHeader(http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", contentPage)
	header.Set("Content-Security-Policy", s.pages.policy)
	x.w.WriteHeader(max(p.status, http.StatusOK))
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(text)
	}
}
