package account

import (
	"encoding/base64"
	"net/http"
	"strings"

	"equity/account"
)

// registrationName is the name of the cookie by which the browser that registered an account is recognized when it
// confirms the address: only then did the reader of the mail choose the password.
const registrationName = "registration"

// registrationCookie is kept as long as the code of the verification mail is valid. Its value is the secret and the address, which is only for
// another mail: it proves nothing.
func (s registrations) registrationCookie(secret, address string) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure depends on the scheme of the public URL
		Name: registrationName, Value: secret + "." + base64.RawURLEncoding.EncodeToString([]byte(address)), Path: "/",
		MaxAge: int(account.VerificationValid.Seconds()), HttpOnly: true,
		Secure: strings.HasPrefix(s.Settings.PublicURL, "https://"), SameSite: http.SameSiteLaxMode,
	}
}

// registrationOf returns the secret and the address of the registration cookie in a Cookie header; empty if absent.
func registrationOf(header string) (secret, address string) {
	cookies, err := http.ParseCookie(header)
	if err != nil {
		return "", ""
	}
	for _, cookie := range cookies {
		if cookie.Name == registrationName {
			secret, encoded, _ := strings.Cut(cookie.Value, ".")
			address, _ := base64.RawURLEncoding.DecodeString(encoded)
			return secret, string(address)
		}
	}
	return "", ""
}
