package chat_test

import (
	"strings"
	"testing"

	"equity/config"
	"equity/features/chat"
)

func TestChatSettingsThatContradict(t *testing.T) {
	t.Parallel()
	with := func(name, value string) map[string]string {
		settings := map[string]string{
			"CHAT_URL": "https://chat.example.com", "PUBLIC_URL": "https://equity.example.com", "CHAT_COOKIE_DOMAIN": "example.com",
		}
		settings[name] = value
		return settings
	}
	for claim, one := range map[string]struct {
		settings map[string]string
		problem  string // empty if absent
	}{
		"a common parent domain is accepted":       {with("LOG_LEVEL", "info"), ""},
		"a domain beside that of this server":      {with("PUBLIC_URL", "https://equity.example.org"), "CHAT_COOKIE_DOMAIN"},
		"a domain beside that of the chat server":  {with("CHAT_URL", "https://chat.notexample.com"), "CHAT_COOKIE_DOMAIN"},
		"a top-level domain":                       {with("CHAT_COOKIE_DOMAIN", "com"), "CHAT_COOKIE_DOMAIN"},
		"the same token for gateway and chat":      {map[string]string{"CHAT_ADMIN_BOT_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "t"}, "SERVICE_GATEWAY_TOKEN"},
		"different tokens":                         {map[string]string{"CHAT_ADMIN_BOT_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "u"}, ""},
		"an address without a scheme":              {map[string]string{"CHAT_URL": "chat.example.com"}, "CHAT_URL"},
		"an address without encryption is refused": {map[string]string{"ENVIRONMENT": "production", "CHAT_URL": "http://chat.example.com"}, "CHAT_URL"},
	} {
		_, err := config.Load(config.Source{Rooms: chat.Room().Settings, Flags: one.settings})
		if found := err != nil && strings.Contains(err.Error(), one.problem); found != (one.problem != "") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

func TestChatNeedsAddressAndToken(t *testing.T) {
	t.Parallel()
	const address, token = "CHAT_URL", "CHAT_ADMIN_BOT_TOKEN"
	for _, c := range []struct {
		settings   map[string]string
		configured bool
	}{
		{nil, false},
		{map[string]string{address: "https://chat.example.com"}, false},
		{map[string]string{token: "t"}, false},
		{map[string]string{address: "https://chat.example.com", token: "t"}, true},
	} {
		loaded, err := config.Load(config.Source{Rooms: chat.Room().Settings, Flags: c.settings})
		if err != nil || chat.IsConfigured(loaded) != c.configured {
			t.Errorf("%v: %v", c.settings, err)
		}
	}
}

func TestTokenOfHooksDiffersFromThoseOfTheChat(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"CHAT_ADMIN_BOT_TOKEN", "SERVICE_GATEWAY_TOKEN"} {
		_, err := config.Load(config.Source{Rooms: chat.Room().Settings, Flags: map[string]string{name: "t", "HOOKS_TOKEN": " t"}})
		if err == nil || !strings.Contains(err.Error(), "HOOKS_TOKEN has the value of "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
