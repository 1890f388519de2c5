package config

import (
	"log/slog"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

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

// Secrets returns the values of all secret settings, and the passwords in addresses.
func (c Config) Secrets() []string {
	var found []string
	add := func(s Secret) {
		if u, err := url.Parse(s.Reveal()); err == nil && u.Scheme != "" && u.Host != "" {
			found = append(found, passwords(u)...)
		} else if s != "" && !strings.HasPrefix(s.Reveal(), sqliteScheme) {
			found = append(found, s.Reveal())
		}
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch value := v.Interface().(type) {
		case Secret:
			add(value)
		case []Secret:
			for _, one := range value {
				add(one)
			}
		default:
			for i := 0; v.Kind() == reflect.Struct && v.Type().PkgPath() == reflect.TypeFor[Config]().PkgPath() && i < v.NumField(); i++ {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(c))
	for _, secret := range c.roomSecrets {
		add(secret.value)
	}
	return found
}

// passwords returns the passwords in an address, decoded and encoded.
func passwords(u *url.URL) []string {
	texts := []string{u.Query().Get("password")}
	if password, has := u.User.Password(); has {
		_, encoded, _ := strings.Cut(u.User.String(), ":")
		texts = append(texts, password, encoded)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// GoString keeps %#v from revealing the text.
func (s Secret) GoString() string { return s.String() }

// MarshalText keeps encoders from revealing the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue keeps log handlers from revealing the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
