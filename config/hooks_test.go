package config_test

import (
	"strings"
	"testing"
)

// withMail returns settings with the token of hooks, and the password t of the mail server.
func withMail(token string) variables {
	return variables{"HOOKS_TOKEN": token, "SMTP_HOST": "mail.example", "SMTP_USERNAME": "u", "SMTP_PASSWORD": "t"}
}

func TestHookSettings(t *testing.T) {
	t.Parallel()
	for claim, one := range map[string]struct {
		settings variables
		problem  string // empty if absent
	}{
		"hooks are off without settings":             {variables{}, ""},
		"a token is required":                        {variables{"HOOKS_ENABLED": "true"}, "hooks.enabled requires hooks.token"},
		"a blank token is no token":                  {variables{"HOOKS_ENABLED": "true", "HOOKS_TOKEN": " \t"}, "hooks.enabled requires hooks.token"},
		"the file may contain the token":             {variables{"HOOKS_ENABLED": "true", "HOOKS_FILE": "h.json"}, ""},
		"the root is refused":                        {variables{"HOOKS_PATH": "//"}, "hooks.path may not be '/'"},
		"a path with slashes at its end is accepted": {variables{"HOOKS_PATH": "hooks///"}, ""},
		"another secret is refused":                  {withMail("t"), "SMTP_PASSWORD"},
		"another secret with space is refused":       {withMail(" t"), "SMTP_PASSWORD"},
		"another token is accepted":                  {withMail("u"), ""},
		"an organization is a UUID":                  {variables{"HOOKS_ORGANIZATION": "acme"}, "HOOKS_ORGANIZATION"},
		"the id of an organization is accepted":      {variables{"HOOKS_ORGANIZATION": "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}, ""},
		"an unknown profile is refused":              {variables{"HOOKS_PROFILE": "loose"}, "HOOKS_PROFILE"},
	} {
		_, err := load(one.settings)
		if found := err != nil && strings.Contains(err.Error(), one.problem); found != (one.problem != "") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
