package config

import (
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Hooks are the settings of inbound hooks.
type Hooks struct {
	// Enabled is "true" if hooks are received, "false" if not, and "" for the value in the file.
	Enabled string
	Token   Secret // "" for the value in the file
	Path    string // "" for the value in the file, or /hooks
	// Listen is host:port of the command gateway.
	Listen string
	// Organization is the UUID of the organization to which Token leads; "" if absent.
	Organization string
	File         string // "" if absent
	Profile      string // compatible or strict
}

func hookSettings() []Setting {
	const group = "Inbound hooks"
	return []Setting{
		define(group, "HOOKS_ENABLED", "", oneOf("false", "true"),
			func(c *Config) *string { return &c.Hooks.Enabled },
			"Whether inbound hooks are received. Default: the value in HOOKS_FILE, or false."),
		define(group, "HOOKS_TOKEN", "", secretText(),
			func(c *Config) *Secret { return &c.Hooks.Token },
			"Token of hooks for HOOKS_ORGANIZATION. It must differ from all other tokens. Default: the value in HOOKS_FILE."),
		define(group, "HOOKS_PATH", "", path(),
			func(c *Config) *string { return &c.Hooks.Path },
			"Path below which hooks are received. Default: the value in HOOKS_FILE, or /hooks."),
		define(group, "HOOKS_LISTEN", "127.0.0.1:8081", listenAddress(),
			func(c *Config) *string { return &c.Hooks.Listen },
			"Address of the command 'equity gateway', which receives hooks in a process of its own. The server receives them at LISTEN."),
		define(group, "HOOKS_ORGANIZATION", "", identifier(),
			func(c *Config) *string { return &c.Hooks.Organization },
			"Id of the organization that receives the hooks with HOOKS_TOKEN. Other organizations create tokens of their own."),
		define(group, "HOOKS_FILE", "", path(),
			func(c *Config) *string { return &c.Hooks.File },
			"JSON file with the object hooks: mappings, presets, transforms and policies. A relative transformsDir is relative to its folder."),
		define(group, "HOOKS_PROFILE", "compatible", oneOf("compatible", "strict"),
			func(c *Config) *string { return &c.Hooks.Profile },
			"Rules of hooks. strict refuses tokens in addresses, and session keys in requests unless HOOKS_FILE allows them."),
	}
}

// identifier is the kind of a UUID.
func identifier() kind[string] {
	return kind[string]{
		expected: "a UUID",
		parse: func(text string) (string, bool) {
			id, err := uuid.Parse(text)
			return id.String(), err == nil && len(text) == len(id.String())
		},
	}
}

// hookProblems returns the problems of the settings of hooks.
func (c Config) hookProblems() (problems SettingsError) {
	if c.Hooks.Enabled == "true" && c.Hooks.File == "" && strings.TrimSpace(c.Hooks.Token.Reveal()) == "" {
		problems = append(problems, Problem{"HOOKS_TOKEN", "is not set, but hooks.enabled requires hooks.token"})
	}
	if c.Hooks.Path != "" && strings.Trim(c.Hooks.Path, "/ ") == "" {
		problems = append(problems, Problem{"HOOKS_PATH", "hooks.path may not be '/'"})
	}
	if name := c.SameToken(c.Hooks.Token.Reveal()); name != "" {
		problems = append(problems, Problem{"HOOKS_TOKEN", "has the value of " + name + ", but must be different"})
	}
	return problems
}

// SameToken returns the name of another token with the value, or an empty text.
func (c Config) SameToken(token string) string {
	token = strings.TrimSpace(token)
	for _, other := range slices.Concat(c.roomSecrets, []namedSecret{
		{"IDP_CONTACTS_TOKEN", c.IDPContactsToken},
		{"BILLING_SECRET_KEY", c.BillingSecretKey},
		{"STORE_SECRET_KEY", c.Files.SecretKey},
		{"OFFICE_SUITE_CLIENT_SECRET", c.OfficeSuite.ClientSecret},
		{"SMTP_PASSWORD", c.SMTPPassword},
		{"SECRET_KEY", c.SecretKey},
	}) {
		if token != "" && strings.TrimSpace(other.value.Reveal()) == token {
			return other.name
		}
	}
	return ""
}
