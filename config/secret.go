package config

import "log/slog"

const hidden = "********"

// Secret is a text that must not be printed. It prints and logs as stars, so a
// Config can be logged safely.
type Secret string

// Reveal returns the text.
func (s Secret) Reveal() string { return string(s) }

// String returns stars, or "" for an empty secret.
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
