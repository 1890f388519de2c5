package http

import (
	"bytes"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strings"
	"text/template"

	"equity/messages"
)

//go:embed mail/*.txt mail/*.html
var mailTemplates embed.FS

// verificationFacts are what the verification mail says.
type verificationFacts struct {
	Name, Link, Code string
}

// composeVerification writes the mail that carries a verification code.
func composeVerification(publicURL string, account messages.User, code string) (messages.Mail, error) {
	facts := verificationFacts{
		Name: account.FirstName, Code: code,
		Link: strings.TrimSuffix(publicURL, "/") + verifyPath + "?code=" + url.QueryEscape(code),
	}
	text, html, err := compose("verify", facts)
	return messages.Mail{To: account.Email, Subject: "Confirm your e-mail address", Text: text, HTML: html}, err
}

// compose fills the two templates of a mail.
func compose(name string, facts any) (text, html string, err error) {
	plain, err := template.ParseFS(mailTemplates, "mail/"+name+".txt")
	if err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	marked, err := htmltemplate.ParseFS(mailTemplates, "mail/"+name+".html")
	if err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	var inPlain, inHTML bytes.Buffer
	if err := plain.Execute(&inPlain, facts); err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	if err := marked.Execute(&inHTML, facts); err != nil {
		return "", "", fmt.Errorf("mail %s: %w", name, err)
	}
	return inPlain.String(), inHTML.String(), nil
}
