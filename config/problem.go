package config

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Problem is one setting that cannot be used as it is.
type Problem struct {
	Setting string // its name
	Reason  string // completes a sentence that starts with the name
}

// String is the whole sentence, without a full stop.
func (p Problem) String() string {
	return p.Setting + " " + p.Reason
}

// SettingsError is every setting that cannot be used, in the order of Settings. It
// is the error that New returns and is never empty then.
type SettingsError []Problem

// Error names every problem, one a line.
func (p SettingsError) Error() string {
	if len(p) == 1 {
		return "a setting is wrong: " + p[0].String()
	}
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = "\n  " + problem.String()
	}
	return fmt.Sprintf("%d settings are wrong:%s", len(p), strings.Join(lines, ""))
}

// problem tells that a value is not of its setting's kind.
func (v Value) problem() Problem {
	return Problem{
		Setting: v.Setting.Name,
		Reason:  fmt.Sprintf("is %s (%s), but must be %s", v.quoted(), v.Origin, v.Setting.Expected),
	}
}

// quoted is the wrong value as it may be shown.
func (v Value) quoted() string {
	if v.Setting.Secret || v.Shown() == hidden {
		return "set to something else"
	}
	return fmt.Sprintf("%q", v.Shown())
}

// contradictions are the settings that are valid alone and wrong together.
func (c Config) contradictions() SettingsError {
	problems := c.productionProblems()
	for _, rule := range []struct {
		broken  bool
		problem Problem
	}{
		{sameAddress(c.Listen, c.MetricsListen), Problem{"METRICS_LISTEN", "is the address of LISTEN, but must have a port of its own"}},
		{c.SessionAbsoluteAge < c.SessionMaxAge, Problem{"API_SESSION_ABSOLUTE_AGE", "is less than API_SESSION_MAX_AGE, but a session cannot end before it is unused for long enough"}},
		{c.SMTPUsername != "" && c.SMTPPassword == "", Problem{"SMTP_PASSWORD", "is not set, but SMTP_USERNAME is, and one is of no use without the other"}},
		{c.SMTPPassword != "" && c.SMTPUsername == "", Problem{"SMTP_USERNAME", "is not set, but SMTP_PASSWORD is, and one is of no use without the other"}},
		{c.SMTPUsername != "" && c.SMTPHost == "", Problem{"SMTP_HOST", "is not set, but SMTP_USERNAME is, so mail would be written to files unnoticed"}},
		{c.SMTPUsername != "" && c.SMTPSecurity == MailPlain, Problem{"SMTP_SECURITY", "is none, but must be starttls or tls when SMTP_PASSWORD would travel over the connection"}},
		{c.IDPIssuer != "" && c.IDPClientID == "", Problem{"IDP_CLIENT_ID", "is not set, but IDP_ISSUER is, and tokens made for any client would do"}},
		{c.IDPClientID != "" && c.IDPIssuer == "", Problem{"IDP_ISSUER", "is not set, but IDP_CLIENT_ID is, and one is of no use without the other"}},
		{c.IDPContactsURL != "" && c.IDPIssuer == "", Problem{"IDP_ISSUER", "is not set, but IDP_CONTACTS_URL is, and nobody signs in by whom it could be asked"}},
		{c.IDPContactsURL != "" && c.IDPContactsToken == "", Problem{"IDP_CONTACTS_TOKEN", "is not set, but IDP_CONTACTS_URL is, and one is of no use without the other"}},
		{c.IDPContactsToken != "" && c.IDPContactsURL == "", Problem{"IDP_CONTACTS_URL", "is not set, but IDP_CONTACTS_TOKEN is, and one is of no use without the other"}},
	} {
		if rule.broken {
			problems = append(problems, rule.problem)
		}
	}
	return problems
}

// productionProblems are the shortcuts that are fine on a developer's machine
// and would do harm where real certificates are kept.
func (c Config) productionProblems() SettingsError {
	if c.Environment != Production {
		return nil
	}
	var problems SettingsError
	if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme != "https" {
		problems = append(problems, Problem{"PUBLIC_URL", fmt.Sprintf("is %q, but must start with https:// in production, where cookies are sent over HTTPS only", c.PublicURL)})
	}
	if strings.HasPrefix(c.IDPIssuer, "http://") {
		problems = append(problems, Problem{"IDP_ISSUER", "must start with https:// in production, where anybody on the way could put keys of their own in its place"})
	}
	if strings.HasPrefix(c.IDPContactsURL, "http://") {
		problems = append(problems, Problem{"IDP_CONTACTS_URL", "must start with https:// in production, where anybody on the way could read IDP_CONTACTS_TOKEN"})
	}
	if c.SecretKey == "" {
		problems = append(problems, Problem{"SECRET_KEY", "is not set, but must be in production, where no key is made up"})
	}
	return problems
}

// sameAddress tells whether two servers cannot both listen. Port 0 never
// collides: each gets a port of its own.
func sameAddress(a, b string) bool {
	_, port, err := net.SplitHostPort(a)
	return err == nil && a == b && port != "0"
}
