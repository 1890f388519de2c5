package config

import (
	"net/url"
	"os"
	"slices"
	"strings"
)

// Source lists the sources of setting values.
type Source struct {
	// Environment looks up an environment variable, like os.LookupEnv. Nil means
	// an empty environment. An empty variable counts as not set, which is the
	// convention of compose files and CI systems.
	Environment func(name string) (string, bool)
	// File is the path of a settings file, or "".
	File string
	// Flags are values from the command line by setting name. Empty values count
	// as not set.
	Flags map[string]string
	// Rooms are the settings of the rooms of the program.
	Rooms []Setting
}

// Settings returns the settings of the core and of the rooms, in the order in which they are displayed.
func (s Source) Settings() []Setting { return slices.Concat(Settings(), s.Rooms) }

// Origin is the source of a value, as a phrase for messages.
type Origin string

// The origins in order of precedence, highest first.
const (
	FromFlag        Origin = "from the command line"
	FromEnvironment Origin = "from the environment"
	FromFile        Origin = "from the file"
	FromDefault     Origin = "the default"
)

// Value is the unchecked text of a setting and its origin.
type Value struct {
	Setting Setting
	Text    string // "" when the setting has neither a value nor a default
	Origin  Origin
}

// Shown returns the text as it may be printed and logged: without secrets and
// without passwords in addresses.
func (v Value) Shown() string {
	return v.Setting.show(v.Text)
}

// Hidden returns the texts of the value that must not be printed or logged: a secret and its parts, or the password of an address.
func (v Value) Hidden() []string {
	if v.Text == "" || !v.Setting.Secret && v.Shown() == v.Text {
		return nil
	}
	if v.Setting.Secret {
		texts := []string{v.Text}
		for part := range strings.SplitSeq(v.Text, ",") {
			texts = append(texts, strings.TrimSpace(part))
		}
		return texts
	}
	u, err := url.Parse(v.Text)
	if err != nil {
		return []string{v.Text}
	}
	return passwords(u)
}

// Values returns the values of all settings in the order of Settings, and then those
// of removed settings that are set. It fails if the file cannot be read or contains
// an invalid line.
func (s Source) Values() ([]Value, error) {
	settings, former := s.Settings(), removedSettings()
	file, err := readFile(s.File, slices.Concat(settings, former))
	if err != nil {
		return nil, err
	}
	values := make([]Value, 0, len(settings)+len(former))
	texts := make(map[string]string, len(settings))
	for _, setting := range settings {
		found := s.find(setting, file)
		values = append(values, found)
		texts[setting.Name] = found.Text
	}
	expandDefaults(values, texts)
	for _, setting := range former {
		if v := s.find(setting, file); v.Text != "" {
			values = append(values, v)
		}
	}
	return values, nil
}

// find returns the value of a setting from the source with the highest precedence. Empty values are skipped,
// because service managers pass on variables that are not set.
func (s Source) find(setting Setting, file map[string]string) Value {
	if text := s.Flags[setting.Name]; text != "" {
		return Value{setting, text, FromFlag}
	}
	if s.Environment != nil {
		if text, _ := s.Environment(setting.Name); text != "" {
			return Value{setting, text, FromEnvironment}
		}
	}
	if text := file[setting.Name]; text != "" {
		return Value{setting, text, FromFile}
	}
	return Value{setting, setting.Default, FromDefault}
}

// expandDefaults replaces references to other settings in defaults. Configured
// values are never expanded: a $ in a password is literal.
func expandDefaults(values []Value, texts map[string]string) {
	for i, v := range values {
		if v.Origin == FromDefault && strings.Contains(v.Text, "${") {
			values[i].Text = os.Expand(v.Text, func(name string) string { return texts[name] })
		}
	}
}
