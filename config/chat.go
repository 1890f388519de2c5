package config

import (
	"net/url"
	"strings"
	"time"
)

func chatSettings() []Setting {
	const group = "Team chat"
	return []Setting{
		define(group, "CHAT_URL", "", webAddress(),
			func(c *Config) *string { return &c.ChatURL },
			"Address of a Mattermost server for team chat. Default: no team chat."),
		define(group, "CHAT_ADMIN_BOT_TOKEN", "", secretText(),
			func(c *Config) *Secret { return &c.ChatAdminBotToken },
			"Access token of an account of the chat server with the role system_admin. It creates accounts, tokens and teams."),
		define(group, "CHAT_COOKIE_DOMAIN", "", hostName(),
			func(c *Config) *string { return &c.ChatCookieDomain },
			"Parent domain of this server and the chat server, for the cookies with which the chat is shown in a frame. Default: no cookies."),
		define(group, "CHAT_TOKEN_MAX_AGE", "24h", duration(time.Minute, 365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.ChatTokenMaxAge },
			"Age after which the access token of a user for the chat server is replaced."),
		define(group, "SERVICE_GATEWAY_TOKEN", "", secretText(),
			func(c *Config) *Secret { return &c.ServiceGatewayToken },
			"Token with which the gateway reads the mappings of teams and accounts. Default: the mappings are not readable."),
	}
}

// HasChat reports whether team chat is configured.
func (c Config) HasChat() bool { return c.ChatURL != "" && c.ChatAdminBotToken != "" }

// chatProblems returns the problems of the settings of team chat.
func (c Config) chatProblems() (problems SettingsError) {
	if c.Environment == Production && strings.HasPrefix(c.ChatURL, "http://") {
		problems = append(problems, Problem{"CHAT_URL", "must start with https:// in production; otherwise a man in the middle could read CHAT_ADMIN_BOT_TOKEN"})
	}
	for _, one := range []struct{ name, address string }{{"PUBLIC_URL", c.PublicURL}, {"CHAT_URL", c.ChatURL}} {
		if c.ChatCookieDomain != "" && !inDomain(one.address, c.ChatCookieDomain) {
			problems = append(problems, Problem{"CHAT_COOKIE_DOMAIN", "must be a parent domain of the host of " + one.name})
		}
	}
	return append(problems, c.sharedTokens()...)
}

// inDomain reports whether the host of the address belongs to the domain.
func inDomain(address, domain string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	domain = strings.ToLower(domain)
	return strings.Contains(domain, ".") && (host == domain || strings.HasSuffix(host, "."+domain))
}

// sharedTokens returns the problems of tokens with the same value. Tokens authorize different callers, so that all of them must differ.
func (c Config) sharedTokens() (problems SettingsError) {
	tokens := []struct {
		name  string
		value Secret
	}{
		{"CHAT_ADMIN_BOT_TOKEN", c.ChatAdminBotToken},
		{"SERVICE_GATEWAY_TOKEN", c.ServiceGatewayToken},
	}
	for i, one := range tokens {
		for _, other := range tokens[:i] {
			if one.value != "" && one.value == other.value {
				problems = append(problems, Problem{one.name, "has the value of " + other.name + ", but must be different"})
			}
		}
	}
	return problems
}
