// Package pages renders the HTML pages for persons without the browser app: shared documents, the certificate check and the consent for programs.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"equity/http/api"
)

//go:embed templates/*.html
var pageTemplates embed.FS

// Pages holds the templates and the Content-Security-Policy of their pages.
type Pages struct {
	templates map[string]*template.Template
	Policy    string
}

// frameFile is the common frame of all pages. It contains their only style element.
const frameFile = "templates/frame.html"

// New parses the templates.
func New() (*Pages, error) {
	read := &Pages{templates: map[string]*template.Template{}}
	for _, name := range []string{"certificate", "share", "consent"} {
		parsed, err := template.ParseFS(pageTemplates, frameFile, "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		read.templates[name] = parsed
	}
	style, err := styleOf(frameFile)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	read.Policy = "default-src 'none'; style-src " + style + "; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
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

// Render executes a template.
func (p *Pages) Render(name string, facts any) ([]byte, error) {
	var out bytes.Buffer
	if err := p.templates[name].Execute(&out, facts); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// Screen is the result of a page: a template with its facts.
type Screen struct {
	Status int // 0 means 200
	Name   string
	Facts  any
}

// Page returns a page with its Content-Security-Policy.
func (p *Pages) Page(name string, facts any) (text []byte, policy string, err error) {
	text, err = p.Render(name, facts)
	return text, p.Policy, err
}

// ReferrerPolicy is the policy of pages with a form. With no-referrer, browsers would send the form with the origin "null"; the address of the
// page is never sent.
const ReferrerPolicy = "strict-origin"

// Visit is a request for a page by a browser.
type Visit struct {
	// Given holds the fields of the query or of the posted form.
	Given  url.Values
	Posted bool
	// Run executes an operation of the contract as the visitor, with its effect on their session.
	Run func(operation string, body any) (api.Answer, error)
	// Problem returns the status and the message of a page for an error.
	Problem func(err error) (status int, message string)
}

// Prefixes returns the paths of pages that end with a token.
func Prefixes() []string { return []string{api.SharePath} }

// At returns the page at a path, and the path without secrets for logs; nil if the path is not a page.
func At(path string) (page func(*Visit) Screen, name string) {
	for _, prefix := range Prefixes() {
		if token, found := strings.CutPrefix(path, prefix); found && token != "" && !strings.Contains(token, "/") {
			return sharePage(token), prefix
		}
	}
	return nil, path
}

// readAnswer decodes the record of an answer as a client of the API would.
func readAnswer(answer api.Answer, into any) error {
	text, err := json.Marshal(answer.Record)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("decode the answer: %w", err)
	}
	return nil
}
