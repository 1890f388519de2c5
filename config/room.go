package config

import (
	"reflect"
	"time"
)

// Kind is the form of the values of a setting of a room.
type Kind[V any] kind[V]

// OneOf accepts the values.
func OneOf(values ...string) Kind[string] { return Kind[string](oneOf(values...)) }

// Parsed accepts the texts that parse accepts. Expected completes "must be".
func Parsed[V any](expected string, parse func(text string) (V, bool)) Kind[V] {
	return Kind[V]{expected: expected, parse: parse}
}

// Text accepts every text.
func Text() Kind[string] { return Kind[string](text()) }

// SecretText accepts a text that is never printed.
func SecretText() Kind[Secret] { return Kind[Secret](secretText()) }

// WebAddress accepts an address of a web service, without query.
func WebAddress() Kind[string] { return Kind[string](webAddress()) }

// HostName accepts the name or the address of a host.
func HostName() Kind[string] { return Kind[string](hostName()) }

// Duration accepts a time span between the bounds.
func Duration(least, most time.Duration) Kind[time.Duration] {
	return Kind[time.Duration](duration(least, most))
}

// namedSecret is a secret value of the setting with the name.
type namedSecret struct {
	name  string
	value Secret
}

// Define describes a setting that is stored in one field of S, the settings of a room; see [Of].
func Define[S, V any](group, name, value string, k Kind[V], field func(*S) *V, meaning string) Setting {
	setting := define(group, name, value, kind[V](k), func(c *Config) *V { return field(roomOf[S](c)) }, meaning)
	if !k.secret {
		return setting
	}
	set := setting.set
	setting.set = func(c *Config, text string) bool {
		c.roomSecrets = append(c.roomSecrets, namedSecret{name, Secret(text)})
		return set(c, text)
	}
	return setting
}

// Of returns the settings of a room by their type.
func Of[S any](c Config) S {
	if stored, ok := c.rooms[reflect.TypeFor[S]()].(*S); ok {
		return *stored
	}
	var none S
	return none
}

// roomOf returns the settings of a room for a change.
func roomOf[S any](c *Config) *S {
	if c.rooms == nil {
		c.rooms = map[reflect.Type]any{}
	}
	if stored, ok := c.rooms[reflect.TypeFor[S]()].(*S); ok {
		return stored
	}
	made := new(S)
	c.rooms[reflect.TypeFor[S]()] = made
	return made
}

// Unless returns the setting of a room with a check against all settings. The check returns what is wrong, as the end of a sentence that
// starts with the name of the setting, or an empty text.
func (s Setting) Unless(wrong func(c Config) string) Setting {
	s.wrong = wrong
	return s
}

// roomProblems returns the problems of settings of rooms that are valid alone but not together.
func (c Config) roomProblems(values []Value) (problems SettingsError) {
	for _, v := range values {
		if v.Setting.wrong == nil {
			continue
		}
		if reason := v.Setting.wrong(c); reason != "" {
			problems = append(problems, Problem{v.Setting.Name, reason})
		}
	}
	return problems
}
