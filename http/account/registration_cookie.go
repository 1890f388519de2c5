package account

import (
	"net/http"
	"strings"

	"equity/account"
)

// registrationName is the name of the cookie by which the browser that registered an account is recognized when it
// confirms the address: only then did the reader of the mail choose the password.
const registrationName = "registration"

// registrationCookie is kept as long as the code of the verification mail is valid.
func (s registrations) registrationCookie(secret string) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure depends on the scheme of the public URL
		Name: registrationName, Value: secret, Path: "/", MaxAge: int(account.VerificationValid.Seconds()), HttpOnly: true,
		Secure: strings.HasPrefix(s.Settings.PublicURL, "https://"), SameSite: http.SameSiteLaxMode,
	}
}

// registrationOf returns the registration cookie of a Cookie header; empty if absent.
func registrationOf(header string) string {
	cookies, err := http.ParseCookie(header)
	if err != nil {
		return ""
	}
	for _, cookie := range cookies {
		if cookie.Name == registrationName {
			return cookie.Value
		}
	}
	return ""
}
