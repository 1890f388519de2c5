// Package redact removes secrets from texts that are printed or logged.
package redact

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Hidden replaces a secret.
const Hidden = "********"

// leastSecret is the length below which a text is not replaced, because it could be a part of any word.
const leastSecret = 8

// Redactor replaces secrets. It is safe for concurrent use.
type Redactor struct {
	known  *strings.Replacer
	shapes []shape
}

// shape matches secrets by their form.
type shape struct {
	pattern     *regexp.Regexp
	replacement string
}

// New returns a Redactor that replaces the known secrets, tokens of this program, credentials in headers and passwords in addresses.
func New(secrets []string) *Redactor {
	ordered := slices.Clone(secrets)
	slices.SortFunc(ordered, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, secret := range ordered {
		if len(secret) >= leastSecret {
			pairs = append(pairs, secret, Hidden)
		}
	}
	return &Redactor{known: strings.NewReplacer(pairs...), shapes: []shape{
		{regexp.MustCompile(`[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}`), Hidden}, // a session cookie
		{regexp.MustCompile(`\b(eq[acrth]_|whsec_)[A-Za-z0-9+/=_-]+`), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)\b(bearer|basic) +[A-Za-z0-9._~+/=-]{8,}`), "${1} " + Hidden},
		{regexp.MustCompile(`(://[^/\s:@]*):[^/\s@]+@`), "${1}:" + Hidden + "@"},
		{regexp.MustCompile(`(?i)([?&](?:token|code|password|secret|key|signature|state)=)[^&\s"]+`), "${1}" + Hidden},
	}}
}

// Text returns the text without secrets.
func (r *Redactor) Text(text string) string {
	text = r.known.Replace(text)
	for _, one := range r.shapes {
		text = one.pattern.ReplaceAllString(text, one.replacement)
	}
	return text
}

// secretNames are parts of the names of attributes with secret values.
func secretNames() []string {
	return []string{"password", "secret", "token", "cookie", "authorization", "credential", "apikey"}
}

// Attribute removes secrets from an attribute of a log, for the option ReplaceAttr of the handlers in log/slog.
func (r *Redactor) Attribute(_ []string, a slog.Attr) slog.Attr {
	name := strings.ToLower(a.Key)
	if slices.ContainsFunc(
		secretNames(), func(part string) bool { return strings.Contains(name, part) },
	) && a.Value.Kind() != slog.KindInt64 {
		return slog.String(a.Key, Hidden)
	}
	switch value := a.Value.Any().(type) {
	case string:
		return slog.String(a.Key, r.Text(value))
	case error:
		return slog.String(a.Key, r.Text(value.Error()))
	case []byte, []string, map[string]string:
		return slog.String(a.Key, r.Text(fmt.Sprint(value)))
	case time.Time, time.Duration, slog.Level: // they have a form of their own
		return a
	case fmt.Stringer:
		return slog.String(a.Key, r.Text(value.String()))
	}
	return a
}
