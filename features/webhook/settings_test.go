package webhook_test

import (
	"strings"
	"testing"

	"equity/config"
	"equity/features/webhook"
)

func TestPrivateAddressesAreRefusedInProduction(t *testing.T) {
	t.Parallel()
	for allowed, refused := range map[string]bool{"true": true, "false": false} {
		_, err := config.Load(config.Source{Rooms: webhook.Room().Settings, Flags: map[string]string{
			"ENVIRONMENT": "production", "PUBLIC_URL": "https://e.example", "SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
			"WEBHOOK_ALLOW_PRIVATE": allowed,
		}})
		if is := err != nil && strings.Contains(err.Error(), "WEBHOOK_ALLOW_PRIVATE is true"); is != refused || !refused && err != nil {
			t.Errorf("%s: %v", allowed, err)
		}
	}
}
