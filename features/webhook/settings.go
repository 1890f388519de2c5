package webhook

import "equity/config"

// settings are those of the operator.
type settings struct{ allowPrivate string }

func (s settings) allowsPrivate() bool { return s.allowPrivate == "true" }

func describedSettings() []config.Setting {
	return []config.Setting{
		config.Define("Webhooks", "WEBHOOK_ALLOW_PRIVATE", "false", config.OneOf("false", "true"),
			func(s *settings) *string { return &s.allowPrivate },
			"Whether webhooks may have addresses that are not public, such as loopback and private networks, for tests. It must be false in production.",
		).Unless(func(c config.Config) string {
			if c.Environment == config.Production && config.Of[settings](c).allowsPrivate() {
				return "is true, but must be false in production; otherwise users could reach the private network"
			}
			return ""
		}),
	}
}
