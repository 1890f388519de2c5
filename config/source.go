package config

import (
	"os"
	"strings"
)

// Source is where the values of settings come from.
type Source struct {
	// Environment looks an environment variable up, as os.LookupEnv does; nil
	// for an empty environment. A variable set to nothing counts as not set,
	// which is what compose files and CI systems mean by it.
	Environment func(name string) (string, bool)
	// File is the path of a file of settings, or "" for none.
	File string
	// Flags are values given on the command line, by setting's name. Empty
	// ones count as not given.
	Flags map[string]string
}

// Origin says where a value came from.
type Origin string

// The origins there are, the strongest first.
const (
	FromFlag        Origin = "from the command line"
	FromEnvironment Origin = "from the environment"
	FromFile        Origin = "from the file"
	FromDefault     Origin = "the default"
)

// Value is what one setting is set to, not yet checked.
type Value struct {
	Setting Setting
	Text    string // "" when the setting has neither a value nor a default
	Origin  Origin
}

// Shown is the text as people and logs may see it: secrets are hidden, and
// passwords inside addresses.
func (v Value) Shown() string {
	return v.Setting.show(v.Text)
}

// Values finds every setting's value, in the order of Settings. It fails when
// the file cannot be read or holds a line that is no setting.
func (s Source) Values() ([]Value, error) {
	settings := Settings()
	file, err := readFile(s.File, settings)
	if err != nil {
		return nil, err
	}
	values := make([]Value, len(settings))
	texts := make(map[string]string, len(settings))
	for i, setting := range settings {
		values[i] = s.find(setting, file)
		texts[setting.Name] = values[i].Text
	}
	expandDefaults(values, texts)
	return values, nil
}

// find looks for a setting where it is nearest: a flag, the environment, the file, its default. An
// empty value is none, as services pass on variables that nobody set.
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

// expandDefaults puts other settings' values into defaults that name them.
// What a person wrote is never expanded: a $ in a password is a $.
func expandDefaults(values []Value, texts map[string]string) {
	for i, v := range values {
		if v.Origin == FromDefault && strings.Contains(v.Text, "${") {
			values[i].Text = os.Expand(v.Text, func(name string) string { return texts[name] })
		}
	}
}
