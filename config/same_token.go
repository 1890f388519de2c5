package config

import (
	"crypto/subtle"
	"slices"
	"strings"
)

// SameToken returns the name of another setting than own with the value of the token, or an empty text. Tokens authorize different callers,
// so that they must differ. Space around them does not matter.
func (c Config) SameToken(own, token string) string {
	token = strings.TrimSpace(token)
	for _, other := range slices.Concat(c.roomSecrets, []namedSecret{
		{"IDP_CONTACTS_TOKEN", c.IDPContactsToken},
		{"BILLING_SECRET_KEY", c.BillingSecretKey},
		{"STORE_SECRET_KEY", c.Files.SecretKey},
		{"OFFICE_SUITE_CLIENT_SECRET", c.OfficeSuite.ClientSecret},
		{"SMTP_PASSWORD", c.SMTPPassword},
		{"SECRET_KEY", c.SecretKey},
	}) {
		stored := strings.TrimSpace(other.value.Reveal())
		if token != "" && other.name != own && subtle.ConstantTimeCompare([]byte(stored), []byte(token)) == 1 {
			return other.name
		}
	}
	return ""
}
