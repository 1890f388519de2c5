package chat

import (
	"net/url"
	"strings"
	"time"

	"equity/config"
)

// settings are those of the operator.
type settings struct {
	url          string // without trailing slash; "" for no team chat
	token        config.Secret
	cookieDomain string // "" for no cookies
	tokenMaxAge  time.Duration
	gatewayToken config.Secret // "" refuses the gateway
}

func describedSettings() []config.Setting {
	const group = "Team chat"
	return []config.Setting{
		config.Define(group, "CHAT_URL", "", config.WebAddress(),
			func(s *settings) *string { return &s.url },
			"Address of a Mattermost server for team chat. Default: no team chat.").Unless(plainAddress),
		config.Define(group, "CHAT_ADMIN_BOT_TOKEN", "", config.SecretText(),
			func(s *settings) *config.Secret { return &s.token },
			"Access token of an account of the chat server with the role system_admin. It creates accounts, tokens and teams."),
		config.Define(group, "CHAT_COOKIE_DOMAIN", "", config.HostName(),
			func(s *settings) *string { return &s.cookieDomain },
			"Parent domain of this server and the chat server, for the cookies with which the chat is shown in a frame. Default: no cookies.").
			Unless(foreignDomain),
		config.Define(group, "CHAT_TOKEN_MAX_AGE", "24h", config.Duration(time.Minute, 365*24*time.Hour),
			func(s *settings) *time.Duration { return &s.tokenMaxAge },
			"Age after which the access token of a user for the chat server is replaced."),
		config.Define(group, "SERVICE_GATEWAY_TOKEN", "", config.SecretText(),
			func(s *settings) *config.Secret { return &s.gatewayToken },
			"Token with which the gateway reads the mappings of teams and accounts. Default: the mappings are not readable.").
			Unless(sharedToken),
	}
}

// complete reports whether team chat is configured.
func (s settings) complete() bool { return s.url != "" && s.token != "" }

// frame returns the origin of the chat server, which the app shows in a frame; empty without one.
func (s settings) frame() string {
	address, err := url.Parse(s.url)
	if err != nil || address.Host == "" {
		return ""
	}
	return address.Scheme + "://" + address.Host
}

// host returns the host of the chat server.
func (s settings) host() string {
	address, err := url.Parse(s.url)
	if err != nil {
		return s.url
	}
	return address.Host
}

// plainAddress returns the problem of an address without encryption.
func plainAddress(c config.Config) string {
	if c.Environment == config.Production && strings.HasPrefix(config.Of[settings](c).url, "http://") {
		return "must start with https:// in production; otherwise a man in the middle could read CHAT_ADMIN_BOT_TOKEN"
	}
	return ""
}

// foreignDomain returns the problem of a domain that is not that of both servers.
func foreignDomain(c config.Config) string {
	s := config.Of[settings](c)
	for _, one := range []struct{ name, address string }{{"PUBLIC_URL", c.PublicURL}, {"CHAT_URL", s.url}} {
		if s.cookieDomain != "" && !inDomain(one.address, s.cookieDomain) {
			return "must be a parent domain of the host of " + one.name
		}
	}
	return ""
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

// sharedToken returns the problem of tokens with the same value. Tokens authorize different callers, so that all of them must differ.
func sharedToken(c config.Config) string {
	if s := config.Of[settings](c); s.token != "" && s.token == s.gatewayToken {
		return "has the value of CHAT_ADMIN_BOT_TOKEN, but must be different"
	}
	return ""
}
