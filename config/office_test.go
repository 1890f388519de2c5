package config_test

import (
	"maps"
	"strings"
	"testing"
)

func TestOfficeSuiteSettings(t *testing.T) {
	t.Parallel()
	with := func(changes ...variables) variables {
		settings := variables{
			"OFFICE_SUITE_TENANT_ID": "t", "OFFICE_SUITE_CLIENT_ID": "i", "OFFICE_SUITE_CLIENT_SECRET": "s", "OFFICE_SUITE_DRIVE_ID": "d",
		}
		for _, change := range changes {
			maps.Copy(settings, change)
		}
		return settings
	}
	production := variables{"ENVIRONMENT": "production", "SECRET_KEY": key, "PUBLIC_URL": "https://e.example"}
	for claim, one := range map[string]struct {
		settings variables
		problem  string // empty if absent
	}{
		"complete settings are accepted":               {with(production), ""},
		"an id of the application is required":         {with(variables{"OFFICE_SUITE_CLIENT_ID": ""}), "OFFICE_SUITE_CLIENT_ID"},
		"a secret is required":                         {with(variables{"OFFICE_SUITE_CLIENT_SECRET": ""}), "OFFICE_SUITE_CLIENT_SECRET"},
		"a drive is required":                          {with(variables{"OFFICE_SUITE_DRIVE_ID": ""}), "OFFICE_SUITE_DRIVE_ID"},
		"a drive without a tenant is refused":          {variables{"OFFICE_SUITE_DRIVE_ID": "d"}, "OFFICE_SUITE_TENANT_ID"},
		"an unencrypted API is refused in production":  {with(production, variables{"OFFICE_SUITE_URL": "http://g.example"}), "OFFICE_SUITE_URL"},
		"unencrypted tokens are refused in production": {with(production, variables{"OFFICE_SUITE_LOGIN_URL": "http://g.example"}), "OFFICE_SUITE_LOGIN_URL"},
		"tests use an unencrypted API":                 {with(variables{"OFFICE_SUITE_URL": "http://127.0.0.1:1"}), ""},
	} {
		_, err := load(one.settings)
		if one.problem == "" && err != nil || one.problem != "" && (err == nil || !strings.Contains(err.Error(), one.problem)) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
