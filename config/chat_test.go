package config_test

import (
	"strings"
	"testing"

	"equity/config"
)

func TestChatSettingsThatContradict(t *testing.T) {
	t.Parallel()
	with := func(name, value string) variables {
		settings := variables{"CHAT_URL": "https://chat.example.com", "PUBLIC_URL": "https://equity.example.com", "CHAT_COOKIE_DOMAIN": "example.com"}
		settings[name] = value
		return settings
	}
	for claim, one := range map[string]struct {
		settings variables
		problem  string // empty if absent
	}{
		"a common parent domain is accepted":       {with("LOG_LEVEL", "info"), ""},
		"a domain beside that of this server":      {with("PUBLIC_URL", "https://equity.example.org"), "CHAT_COOKIE_DOMAIN"},
		"a domain beside that of the chat server":  {with("CHAT_URL", "https://chat.notexample.com"), "CHAT_COOKIE_DOMAIN"},
		"a top-level domain":                       {with("CHAT_COOKIE_DOMAIN", "com"), "CHAT_COOKIE_DOMAIN"},
		"the same token for gateway and chat":      {variables{"CHAT_ADMIN_BOT_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "t"}, "SERVICE_GATEWAY_TOKEN"},
		"different tokens":                         {variables{"CHAT_ADMIN_BOT_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "u"}, ""},
		"an address without a scheme":              {variables{"CHAT_URL": "chat.example.com"}, "CHAT_URL"},
		"an address without encryption is refused": {variables{"ENVIRONMENT": "production", "CHAT_URL": "http://chat.example.com"}, "CHAT_URL"},
	} {
		_, err := load(one.settings)
		if found := err != nil && strings.Contains(err.Error(), one.problem); found != (one.problem != "") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

func TestChatNeedsAddressAndToken(t *testing.T) {
	t.Parallel()
	for _, c := range []config.Config{{}, {ChatURL: "https://chat.example.com"}, {ChatAdminBotToken: "t"}} {
		if c.HasChat() {
			t.Errorf("%+v", c)
		}
	}
	if !(config.Config{ChatURL: "https://chat.example.com", ChatAdminBotToken: "t"}).HasChat() {
		t.Error("chat is off")
	}
}
