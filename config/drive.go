package config

import (
	"strings"
	"time"
)

// Drive are the settings of cloud drives.
type Drive struct {
	// Enabled is "true" if organizations can connect a drive.
	Enabled      string
	ClientID     string
	ClientSecret Secret
	RedirectURI  string
	// URL, LoginURL and TokenURL are without trailing slash; "" for the addresses of the provider.
	URL, LoginURL, TokenURL string
	Every                   time.Duration
}

func driveSettings() []Setting {
	const group = "Cloud drive"
	return []Setting{
		define(group, "DRIVE_ENABLED", "false", oneOf("false", "true"),
			func(c *Config) *string { return &c.Drive.Enabled },
			"Whether organizations can connect a Google Drive and copy its folders into the data room."),
		define(group, "DRIVE_CLIENT_ID", "", text(),
			func(c *Config) *string { return &c.Drive.ClientID },
			"Client ID of the OAuth client in the Google Cloud project."),
		define(group, "DRIVE_CLIENT_SECRET", "", secretText(),
			func(c *Config) *Secret { return &c.Drive.ClientSecret },
			"Secret of the OAuth client."),
		define(group, "DRIVE_REDIRECT_URI", "", webAddress(),
			func(c *Config) *string { return &c.Drive.RedirectURI },
			"Address of the page to which Google redirects with the code: /drive below PUBLIC_URL. It is registered at the OAuth client."),
		define(group, "DRIVE_URL", "", webAddress(),
			func(c *Config) *string { return &c.Drive.URL },
			"Address of the API, for tests. Default: https://www.googleapis.com."),
		define(group, "DRIVE_LOGIN_URL", "", webAddress(),
			func(c *Config) *string { return &c.Drive.LoginURL },
			"Address of the login page, for tests. Default: that of Google."),
		define(group, "DRIVE_TOKEN_URL", "", webAddress(),
			func(c *Config) *string { return &c.Drive.TokenURL },
			"Address of the tokens, for tests. Default: that of Google."),
		define(group, "DRIVE_SYNC_EVERY", "1h", duration(time.Minute, 30*24*time.Hour),
			func(c *Config) *time.Duration { return &c.Drive.Every },
			"Time between two scheduled synchronizations of a folder, with a random difference of up to 10 %."),
	}
}

// HasDrive reports whether cloud drives are enabled.
func (c Config) HasDrive() bool { return c.Drive.Enabled == "true" }

// driveProblems returns the problems of the settings of cloud drives.
func (c Config) driveProblems() (problems SettingsError) {
	for _, one := range []struct {
		name  string
		given bool
	}{
		{"DRIVE_CLIENT_ID", c.Drive.ClientID != ""},
		{"DRIVE_CLIENT_SECRET", c.Drive.ClientSecret != ""},
		{"DRIVE_REDIRECT_URI", c.Drive.RedirectURI != ""},
	} {
		if c.HasDrive() && !one.given {
			problems = append(problems, Problem{one.name, "is not set, but is required with DRIVE_ENABLED"})
		}
	}
	if c.Environment != Production {
		return problems
	}
	for _, one := range []struct{ name, address string }{
		{"DRIVE_REDIRECT_URI", c.Drive.RedirectURI},
		{"DRIVE_URL", c.Drive.URL},
		{"DRIVE_LOGIN_URL", c.Drive.LoginURL},
		{"DRIVE_TOKEN_URL", c.Drive.TokenURL},
	} {
		if strings.HasPrefix(one.address, "http://") {
			problems = append(problems, Problem{one.name, "must start with https:// in production; otherwise a man in the middle could read codes and tokens"})
		}
	}
	return problems
}
