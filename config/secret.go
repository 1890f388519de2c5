package config

import "log/slog"

const hidden = "********"

// Secret is a text that must not be seen. It prints and logs as stars, so that
// a Config can be logged whole without harm.
type Secret string

// Reveal is the text itself.
func (s Secret) Reveal() string { return string(s) }

// String is stars, or nothing when nothing is set.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString keeps %#v from revealing the text.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps encoders from revealing the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue keeps log handlers from revealing the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
