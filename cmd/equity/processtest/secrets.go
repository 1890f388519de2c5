package processtest

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// tokenOfASession matches the value of a session cookie.
var tokenOfASession = regexp.MustCompile(`[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}`)

// SecretsIn returns the secrets in a log: passwords of users, mailed codes,
// session cookies, and secret settings.
func SecretsIn(log string, settings Settings) (found []string) {
	known := []string{password, settings["SECRET_KEY"]}
	for _, name := range []string{"DATABASE_URL", "REDIS_URL"} {
		if address, err := url.Parse(settings[name]); err == nil {
			hidden, _ := address.User.Password()
			known = append(known, hidden)
		}
	}
	if key, err := os.ReadFile(filepath.Join(settings["DATA_DIRECTORY"], "secret.key")); err == nil {
		known = append(known, strings.TrimSpace(string(key)))
	}
	mails, _ := filepath.Glob(filepath.Join(settings["DATA_DIRECTORY"], "mail", "*.eml"))
	for _, mail := range mails {
		text, _ := os.ReadFile(mail) // a removed mail has no code
		known = append(known, codeOf(text))
	}
	for _, secret := range known {
		if secret != "" && strings.Contains(log, secret) {
			found = append(found, secret)
		}
	}
	return append(found, tokenOfASession.FindAllString(log, -1)...)
}
