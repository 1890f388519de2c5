// Package letter writes the mails of the server.
package letter

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strings"
	"text/template"
	"time"
	"unicode"

	"equity/messages"
)

//go:embed templates/*.txt templates/*.html
var mailTemplates embed.FS

// occasions lists the mails. Each has a text template and an HTML template of its name.
func occasions() []string {
	return []string{"verify", "temporary", "notice", "magic", "invitation", "member", "share", "address"}
}

// Letters holds the parsed templates of all mails.
type Letters struct {
	publicURL string
	newID     func() [16]byte
	texts     map[string]*template.Template
	pages     map[string]*htmltemplate.Template
}

// mailFunctions returns the template functions that sanitize user input.
func mailFunctions() map[string]any {
	return map[string]any{"line": oneLine, "lines": lines, "quote": quoted}
}

// New parses all templates, so that an invalid one stops the server at start.
func New(publicURL string, newID func() [16]byte) (*Letters, error) {
	read := &Letters{publicURL: publicURL, newID: newID, texts: map[string]*template.Template{}, pages: map[string]*htmltemplate.Template{}}
	for _, name := range occasions() {
		text, err := template.New(name+".txt").Funcs(mailFunctions()).ParseFS(mailTemplates, "templates/"+name+".txt")
		if err != nil {
			return nil, fmt.Errorf("mail %s: %w", name, err)
		}
		page, err := htmltemplate.New("frame.html").Funcs(mailFunctions()).ParseFS(
			mailTemplates, "templates/frame.html", "templates/"+name+".html",
		)
		if err != nil {
			return nil, fmt.Errorf("mail %s: %w", name, err)
		}
		read.texts[name], read.pages[name] = text, page
	}
	return read, nil
}

// write executes both templates of an occasion.
func (l *Letters) write(name, subject, from string, facts any) (text, page string, err error) {
	var plain, marked bytes.Buffer
	if err := l.texts[name].Execute(&plain, facts); err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	err = l.pages[name].Execute(&marked, struct {
		Subject, From string
		Facts         any
	}{subject, from, facts})
	if err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	return plain.String(), marked.String(), nil
}

// Letter returns the mail of an occasion. The subject may contain names of users.
func (l *Letters) Letter(at time.Time, occasion, to, subject string, facts any) (messages.Mail, error) {
	subject = oneLine(subject)
	text, page, err := l.write(occasion, subject, l.publicURL, facts)
	return messages.Mail{ID: l.newID(), To: to, Subject: subject, Text: text, HTML: page, CreatedAt: at}, err
}

// PageLink returns the URL of a page with a secret in its query.
func (l *Letters) PageLink(path, name, secret string) string {
	return strings.TrimSuffix(l.publicURL, "/") + path + "?" + name + "=" + url.QueryEscape(secret)
}

// mostNamed bounds a name in a subject, in characters.
const mostNamed = 60

// Named returns a subject that ends with a name in quotes. Users choose names, so it is bounded, on one line, and cannot look like the rest.
func Named(subject, name string) string {
	runes := []rune(strings.ReplaceAll(oneLine(name), `"`, ""))
	if len(runes) > mostNamed {
		runes = append(runes[:mostNamed:mostNamed], '…')
	}
	return subject + ` "` + string(runes) + `"`
}

// oneLine reduces a user-supplied name to one visible line, so that it cannot start a header or
// imitate a paragraph of the mail.
func oneLine(name string) string { return strings.Join(strings.Fields(visible(name)), " ") }

// lines reduces user-supplied text to visible lines.
func lines(words string) string {
	var b strings.Builder
	for line := range strings.Lines(words) {
		b.WriteString(visible(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quoted marks user-supplied text in plain-text mails, which have no frames.
func quoted(words string) string {
	return "> " + strings.ReplaceAll(lines(words), "\n", "\n> ")
}

// visible removes control characters and characters that change the text direction.
func visible(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || unicode.In(r, unicode.Zl, unicode.Zp) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		default:
			return r
		}
	}, words)
}
