package drive

import (
	"strings"
	"time"

	"equity/config"
)

// settings are those of the operator.
type settings struct {
	// on is "true" if organizations can connect a drive.
	on          string
	clientID    string
	secret      config.Secret
	redirectURI string
	// url, loginURL and tokenURL are without trailing slash; "" for the addresses of the provider.
	url, loginURL, tokenURL string
	every                   time.Duration
}

func describedSettings() []config.Setting {
	const group = "Cloud drive"
	return []config.Setting{
		config.Define(group, "DRIVE_ENABLED", "false", config.OneOf("false", "true"),
			func(s *settings) *string { return &s.on },
			"Whether organizations can connect a Google Drive and copy its folders into the data room."),
		config.Define(group, "DRIVE_CLIENT_ID", "", config.Text(),
			func(s *settings) *string { return &s.clientID },
			"Client ID of the OAuth client in the Google Cloud project.").
			Unless(missing(func(s settings) bool { return s.clientID == "" })),
		config.Define(group, "DRIVE_CLIENT_SECRET", "", config.SecretText(),
			func(s *settings) *config.Secret { return &s.secret },
			"Secret of the OAuth client.").
			Unless(missing(func(s settings) bool { return s.secret == "" })),
		config.Define(group, "DRIVE_REDIRECT_URI", "", config.WebAddress(),
			func(s *settings) *string { return &s.redirectURI },
			"Address of the page to which Google redirects with the code: /drive below PUBLIC_URL. It is registered at the OAuth client.").
			Unless(wrongRedirect),
		config.Define(group, "DRIVE_URL", "", config.WebAddress(),
			func(s *settings) *string { return &s.url },
			"Address of the API, for tests. Default: https://www.googleapis.com.").
			Unless(plain(func(s settings) string { return s.url })),
		config.Define(group, "DRIVE_LOGIN_URL", "", config.WebAddress(),
			func(s *settings) *string { return &s.loginURL },
			"Address of the login page, for tests. Default: that of Google.").
			Unless(plain(func(s settings) string { return s.loginURL })),
		config.Define(group, "DRIVE_TOKEN_URL", "", config.WebAddress(),
			func(s *settings) *string { return &s.tokenURL },
			"Address of the tokens, for tests. Default: that of Google.").
			Unless(plain(func(s settings) string { return s.tokenURL })),
		config.Define(group, "DRIVE_SYNC_EVERY", "1h", config.Duration(time.Minute, 30*24*time.Hour),
			func(s *settings) *time.Duration { return &s.every },
			"Time between two scheduled synchronizations of a folder, with a random difference of up to 10 %."),
	}
}

// enabled reports whether organizations can connect a drive.
func (s settings) enabled() bool { return s.on == "true" }

// app returns the application at the provider.
func (s settings) app() App {
	return App{
		ClientID: s.clientID, ClientSecret: s.secret.Reveal(), RedirectURI: s.redirectURI, LoginURL: s.loginURL, TokenURL: s.tokenURL, URL: s.url,
	}
}

// missing returns the check of a setting that is required if drives are enabled.
func missing(absent func(settings) bool) func(config.Config) string {
	return func(c config.Config) string {
		if s := config.Of[settings](c); s.enabled() && absent(s) {
			return "is not set, but is required with DRIVE_ENABLED"
		}
		return ""
	}
}

// plain returns the check of an address, which is encrypted in production.
func plain(address func(settings) string) func(config.Config) string {
	return func(c config.Config) string {
		if c.Environment == config.Production && strings.HasPrefix(address(config.Of[settings](c)), "http://") {
			return "must start with https:// in production; otherwise a man in the middle could read codes and tokens"
		}
		return ""
	}
}

// wrongRedirect returns the problem of an absent or unencrypted address.
func wrongRedirect(c config.Config) string {
	address := func(s settings) string { return s.redirectURI }
	if problem := missing(func(s settings) bool { return address(s) == "" })(c); problem != "" {
		return problem
	}
	return plain(address)(c)
}
