package http

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strings"
	"text/template"
	"unicode"

	"equity/messages"
)

//go:embed mail/*.txt mail/*.html
var mailTemplates embed.FS

// occasions are the mails there are: each has a text and a page of its name.
func occasions() []string {
	return []string{"verify", "temporary", "notice", "magic", "invitation", "member"}
}

// letters are the templates of all mails, read once.
type letters struct {
	texts map[string]*template.Template
	pages map[string]*htmltemplate.Template
}

// inMail are what templates may call on words that people chose.
func inMail() map[string]any { return map[string]any{"line": oneLine, "lines": lines, "quote": quoted} }

// newLetters reads all templates at the start: one that is broken stops the server then, and not
// the first mail.
func newLetters() (*letters, error) {
	read := &letters{texts: map[string]*template.Template{}, pages: map[string]*htmltemplate.Template{}}
	for _, name := range occasions() {
		text, err := template.New(name+".txt").Funcs(inMail()).ParseFS(mailTemplates, "mail/"+name+".txt")
		if err != nil {
			return nil, fmt.Errorf("mail %s: %w", name, err)
		}
		page, err := htmltemplate.New("frame.html").Funcs(inMail()).ParseFS(mailTemplates, "mail/frame.html", "mail/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("mail %s: %w", name, err)
		}
		read.texts[name], read.pages[name] = text, page
	}
	return read, nil
}

// write fills the two templates of an occasion.
func (l *letters) write(name, subject, from string, facts any) (text, page string, err error) {
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

// letter writes the mail of an occasion. The subject may have names in it.
func (s *Server) letter(c *Call, occasion, to, subject string, facts any) (messages.Mail, error) {
	subject = oneLine(subject)
	text, page, err := s.letters.write(occasion, subject, s.settings.PublicURL, facts)
	return messages.Mail{ID: s.newID(), To: to, Subject: subject, Text: text, HTML: page, CreatedAt: c.At}, err
}

// pageLink is the address of one of our pages with a secret in its query.
func (s *Server) pageLink(path, name, secret string) string {
	return strings.TrimSuffix(s.settings.PublicURL, "/") + path + "?" + name + "=" + url.QueryEscape(secret)
}

// oneLine makes a name, which may hold anything, one line of what can be seen: it cannot begin a header, nor a
// paragraph that looks as if we had written it.
func oneLine(name string) string { return strings.Join(strings.Fields(visible(name)), " ") }

// lines makes of what somebody wrote lines of what can be seen.
func lines(words string) string {
	var b strings.Builder
	for line := range strings.Lines(words) {
		b.WriteString(visible(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quoted sets what somebody wrote apart from what we write, as texts have no frames.
func quoted(words string) string {
	return "> " + strings.ReplaceAll(lines(words), "\n", "\n> ")
}

// visible takes away what has no shape: control characters, and those that turn the direction of what follows.
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
