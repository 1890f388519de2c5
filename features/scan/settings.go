package scan

import (
	"net/url"
	"strings"

	"equity/config"
)

// settings are those of the operator.
type settings struct {
	// url is the address of the virus scanner; "" without one.
	url string
}

func describedSettings() []config.Setting {
	return []config.Setting{
		config.Define("Files", "SCAN_URL", "", config.Parsed("tcp://host:port or unix:///path", parsedAddress),
			func(s *settings) *string { return &s.url },
			"Address of a clamd server that examines uploaded files, such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl. Default: no scan."),
	}
}

// parsedAddress returns the address of a virus scanner, or false.
func parsedAddress(text string) (string, bool) {
	u, err := url.Parse(text)
	isHost := err == nil && u.Scheme == "tcp" && u.Port() != "" && u.Path == ""
	return text, isHost || err == nil && u.Scheme == "unix" && u.Host == "" && strings.HasPrefix(u.Path, "/")
}
