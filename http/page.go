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

// The pages that the links of mails and the identity provider's form lead to. They need no script and no browser app, and
// do nothing that the contract's operations do not: an app of this site may take the addresses over.
const (
	verifyPath     = "/verify"
	loginPath      = "/login"
	registerPath   = "/register"
	passwordPath   = "/password"
	invitationPath = "/invitation"
)

//go:embed pages/*.html
var pageTemplates embed.FS

// pages are the templates, and what browsers may do with what comes of them.
type pages struct {
	templates map[string]*template.Template
	policy    string
}

// frameFile is what all pages stand in; it has their one style.
const frameFile = "pages/frame.html"

// newPages reads the templates.
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

// styleOf names the style of a file by its digest, so that a browser takes no other.
func styleOf(file string) (string, error) {
	text, err := pageTemplates.ReadFile(file)
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s has no style", file) //nolint:err113 // a mistake in the template
	}
	digest := sha256.Sum256(found[1])
	return "'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'", nil
}

// render fills a template.
func (p *pages) render(name string, facts any) ([]byte, error) {
	var out bytes.Buffer
	if err := p.templates[name].Execute(&out, facts); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// screen is what a page comes to: a template with its facts, or where the browser goes next.
type screen struct {
	status int // 200 when zero
	name   string
	facts  any
	to     string
}

// writePage sends what a page came to.
func (s *Server) writePage(x *exchange, p screen) {
	header := x.w.Header()
	header.Set("Cache-Control", "no-store")
	if p.to != "" {
		header.Set("Location", p.to)
		x.w.WriteHeader(http.StatusSeeOther)
		return
	}
	text, err := s.pages.render(p.name, p.facts)
	if err != nil { // a mistake in the template
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
