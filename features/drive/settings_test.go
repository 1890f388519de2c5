package drive_test

import (
	"maps"
	"strings"
	"testing"

	"equity/config"
	"equity/features/drive"
)

// variables are settings by name.
type variables = map[string]string

func TestDriveSettings(t *testing.T) {
	t.Parallel()
	with := func(changes ...variables) variables {
		settings := variables{
			"DRIVE_ENABLED": "true", "DRIVE_CLIENT_ID": "i", "DRIVE_CLIENT_SECRET": "s", "DRIVE_REDIRECT_URI": "https://e.example/drive",
		}
		for _, change := range changes {
			maps.Copy(settings, change)
		}
		return settings
	}
	production := variables{"ENVIRONMENT": "production", "SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "PUBLIC_URL": "https://e.example"}
	for claim, one := range map[string]struct {
		settings variables
		problem  string // empty if absent
	}{
		"a complete client is accepted":               {with(production), ""},
		"a drive needs an id":                         {with(variables{"DRIVE_CLIENT_ID": ""}), "DRIVE_CLIENT_ID"},
		"a drive needs a secret":                      {with(variables{"DRIVE_CLIENT_SECRET": ""}), "DRIVE_CLIENT_SECRET"},
		"a drive needs an address for its redirects":  {with(variables{"DRIVE_REDIRECT_URI": ""}), "DRIVE_REDIRECT_URI"},
		"an unencrypted API is refused in production": {with(production, variables{"DRIVE_URL": "http://d.example"}), "DRIVE_URL"},
		"unencrypted tokens are refused":              {with(production, variables{"DRIVE_TOKEN_URL": "http://d.example"}), "DRIVE_TOKEN_URL"},
		"tests use an unencrypted API":                {with(variables{"DRIVE_URL": "http://127.0.0.1:1"}), ""},
		"the schedule has a minimum":                  {with(variables{"DRIVE_SYNC_EVERY": "1s"}), "DRIVE_SYNC_EVERY"},
	} {
		_, err := config.Load(config.Source{Rooms: drive.Room().Settings, Flags: one.settings})
		if one.problem == "" && err != nil || one.problem != "" && (err == nil || !strings.Contains(err.Error(), one.problem)) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
