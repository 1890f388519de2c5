package config

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Problem is an invalid setting.
type Problem struct {
	Setting string // its name
	Reason  string // completes a sentence that starts with the name
}

// String returns the whole sentence without a full stop.
func (p Problem) String() string {
	return p.Setting + " " + p.Reason
}

// SettingsError lists all invalid settings in the order of Settings. It is the
// error type of New and is never empty.
type SettingsError []Problem

// Error returns all problems, one per line.
func (p SettingsError) Error() string {
	if len(p) == 1 {
		return "a setting is invalid: " + p[0].String()
	}
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = "\n  " + problem.String()
	}
	return fmt.Sprintf("%d settings are invalid:%s", len(p), strings.Join(lines, ""))
}

// problem returns the problem of a value that its setting does not accept.
func (v Value) problem() Problem {
	if v.Setting.replacement != "" {
		return Problem{v.Setting.Name, fmt.Sprintf("is set (%s), but must be removed: %s", v.Origin, v.Setting.replacement)}
	}
	return Problem{
		Setting: v.Setting.Name,
		Reason:  fmt.Sprintf("is %s (%s), but must be %s", v.quoted(), v.Origin, v.Setting.Expected),
	}
}

// quoted returns the invalid value as it may be printed.
func (v Value) quoted() string {
	if v.Setting.Secret || v.Shown() == hidden {
		return "set to another value"
	}
	return fmt.Sprintf("%q", v.Shown())
}

// contradictions returns the problems of settings that are valid alone but not together.
func (c Config) contradictions() SettingsError {
	problems := c.productionProblems()
	for _, rule := range []struct {
		broken  bool
		problem Problem
	}{
		{sameAddress(c.Listen, c.MetricsListen), Problem{"METRICS_LISTEN", "is the address of LISTEN, but must have a port of its own"}},
		{
			c.SessionAbsoluteAge < c.SessionMaxAge,
			Problem{"API_SESSION_ABSOLUTE_AGE", "is less than API_SESSION_MAX_AGE, but must be at least as long"},
		},
		{c.SMTPUsername != "" && c.SMTPPassword == "", Problem{"SMTP_PASSWORD", "is not set, but is required with SMTP_USERNAME"}},
		{c.SMTPPassword != "" && c.SMTPUsername == "", Problem{"SMTP_USERNAME", "is not set, but is required with SMTP_PASSWORD"}},
		{
			c.SMTPUsername != "" && c.SMTPHost == "",
			Problem{"SMTP_HOST", "is not set, but is required with SMTP_USERNAME; without it mail is written to files"},
		},
		{
			c.SMTPUsername != "" && c.SMTPSecurity == MailPlain,
			Problem{"SMTP_SECURITY", "is none, but must be starttls or tls to protect SMTP_PASSWORD"},
		},
		{c.IDPIssuer != "" && c.IDPClientID == "", Problem{
			"IDP_CLIENT_ID", "is not set, but is required with IDP_ISSUER; without it tokens issued for any client would be accepted",
		}},
		{c.IDPClientID != "" && c.IDPIssuer == "", Problem{"IDP_ISSUER", "is not set, but is required with IDP_CLIENT_ID"}},
		{c.IDPContactsURL != "" && c.IDPIssuer == "", Problem{"IDP_ISSUER", "is not set, but is required with IDP_CONTACTS_URL"}},
		{
			c.IDPContactsURL != "" && c.IDPContactsToken == "",
			Problem{"IDP_CONTACTS_TOKEN", "is not set, but is required with IDP_CONTACTS_URL"},
		},
		{c.BillingSecretKey != "" && len(c.BillingWebhookSecrets) == 0, Problem{
			"BILLING_WEBHOOK_SECRET", "is not set, but is required with BILLING_SECRET_KEY; without it no event of Stripe can be checked",
		}},
		{
			c.BillingSecretKey == "" && len(c.BillingWebhookSecrets) > 0,
			Problem{"BILLING_SECRET_KEY", "is not set, but is required with BILLING_WEBHOOK_SECRET"},
		},
		{
			c.IDPContactsToken != "" && c.IDPContactsURL == "",
			Problem{"IDP_CONTACTS_URL", "is not set, but is required with IDP_CONTACTS_TOKEN"},
		},
	} {
		if rule.broken {
			problems = append(problems, rule.problem)
		}
	}
	return slices.Concat(
		problems, c.fileProblems(), c.officeProblems(), c.agentProblems(), c.hookProblems(),
		c.telemetryProblems(), c.clusterProblems(),
	)
}

// productionProblems returns the problems of settings that are acceptable in
// development only.
func (c Config) productionProblems() SettingsError {
	if c.Environment != Production {
		return nil
	}
	var problems SettingsError
	if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme != "https" {
		problems = append(problems, Problem{"PUBLIC_URL", fmt.Sprintf("is %q, but must start with https:// in production, where cookies are sent over HTTPS only", c.PublicURL)})
	}
	if strings.HasPrefix(c.IDPIssuer, "http://") {
		problems = append(problems, Problem{"IDP_ISSUER", "must start with https:// in production; otherwise a man in the middle could replace its keys"})
	}
	if strings.HasPrefix(c.IDPContactsURL, "http://") {
		problems = append(problems, Problem{"IDP_CONTACTS_URL", "must start with https:// in production; otherwise a man in the middle could read IDP_CONTACTS_TOKEN"})
	}
	if strings.HasPrefix(c.BillingURL, "http://") {
		problems = append(problems, Problem{"BILLING_URL", "must start with https:// in production; otherwise a man in the middle could read BILLING_SECRET_KEY"})
	}
	if c.SecretKey == "" {
		problems = append(problems, Problem{"SECRET_KEY", "is not set, but is required in production"})
	}
	return problems
}

// sameAddress reports whether two listeners would collide. Port 0 never
// collides: each listener gets its own free port.
func sameAddress(a, b string) bool {
	_, port, err := net.SplitHostPort(a)
	return err == nil && a == b && port != "0"
}
