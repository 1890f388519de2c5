package chat

import (
	"equity/app"
	"equity/config"
)

// NewFeatureIn returns the feature with cookies of the domain, of which the chat server of the tests has no address.
func NewFeatureIn(core app.Core, domain string) (app.Feature, error) {
	s := config.Of[settings](core.Config)
	s.cookieDomain = domain
	return featureOf(core, s)
}

// IsConfigured reports whether the settings are those of a chat server.
func IsConfigured(c config.Config) bool { return config.Of[settings](c).complete() }
