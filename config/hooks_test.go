package config_test

import (
	"strings"
	"testing"
)

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
		"the token of the gateway is refused":        {variables{"HOOKS_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "t"}, "SERVICE_GATEWAY_TOKEN"},
		"the token of the gateway with space is too": {variables{"HOOKS_TOKEN": " t", "SERVICE_GATEWAY_TOKEN": "t"}, "SERVICE_GATEWAY_TOKEN"},
		"another token is accepted":                  {variables{"HOOKS_TOKEN": "t", "SERVICE_GATEWAY_TOKEN": "u"}, ""},
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
