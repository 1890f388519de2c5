package hook_test

import (
	"strings"
	"testing"

	"equity/config"
	"equity/features/hook"
)

// withMail returns settings with the token of hooks, and the password t of the mail server.
func withMail(token string) map[string]string {
	return map[string]string{"HOOKS_TOKEN": token, "SMTP_HOST": "mail.example", "SMTP_USERNAME": "u", "SMTP_PASSWORD": "t"}
}

func TestHookSettings(t *testing.T) {
	t.Parallel()
	for claim, one := range map[string]struct {
		settings map[string]string
		problem  string // empty if absent
	}{
		"hooks are off without settings":             {map[string]string{}, ""},
		"a token is required":                        {map[string]string{"HOOKS_ENABLED": "true"}, "hooks.enabled requires hooks.token"},
		"a blank token is no token":                  {map[string]string{"HOOKS_ENABLED": "true", "HOOKS_TOKEN": " \t"}, "hooks.enabled requires hooks.token"},
		"the file may contain the token":             {map[string]string{"HOOKS_ENABLED": "true", "HOOKS_FILE": "h.json"}, ""},
		"the root is refused":                        {map[string]string{"HOOKS_PATH": "//"}, "hooks.path may not be '/'"},
		"a path with slashes at its end is accepted": {map[string]string{"HOOKS_PATH": "hooks///"}, ""},
		"another secret is refused":                  {withMail("t"), "SMTP_PASSWORD"},
		"another secret with space is refused":       {withMail(" t"), "SMTP_PASSWORD"},
		"another token is accepted":                  {withMail("u"), ""},
		"an organization is a UUID":                  {map[string]string{"HOOKS_ORGANIZATION": "acme"}, "HOOKS_ORGANIZATION"},
		"the id of an organization is accepted":      {map[string]string{"HOOKS_ORGANIZATION": "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}, ""},
		"an unknown profile is refused":              {map[string]string{"HOOKS_PROFILE": "loose"}, "HOOKS_PROFILE"},
	} {
		_, err := config.Load(config.Source{Rooms: hook.Room().Settings, Flags: one.settings})
		if found := err != nil && strings.Contains(err.Error(), one.problem); found != (one.problem != "") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
