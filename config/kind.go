package config

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// kind describes the values of a group of settings: their format and how to
// parse them.
type kind[V any] struct {
	expected string // completes "must be"
	secret   bool
	parse    func(text string) (V, bool)
	show     func(text string) string // nil returns the text unchanged
}

// shown returns the text as it may be printed and logged.
func (k kind[V]) shown(text string) string {
	switch {
	case text == "":
		return ""
	case k.show != nil:
		return k.show(text)
	case k.secret:
		return hidden
	default:
		return text
	}
}

func text() kind[string] {
	return kind[string]{expected: "text", parse: func(text string) (string, bool) { return text, true }}
}

func secretText() kind[Secret] {
	return kind[Secret]{
		expected: "text", secret: true,
		parse: func(text string) (Secret, bool) { return Secret(text), true },
	}
}

// secretList is the kind of a list of secrets.
func secretList() kind[[]Secret] {
	return kind[[]Secret]{
		expected: "texts separated by commas", secret: true,
		parse: func(text string) ([]Secret, bool) {
			return list(text, func(part string) (Secret, bool) { return Secret(part), part != "" })
		},
	}
}

func path() kind[string] {
	return kind[string]{
		expected: "a path",
		parse:    func(text string) (string, bool) { return text, !strings.ContainsRune(text, 0) },
	}
}

// oneOf is the kind of a setting with a fixed list of values.
func oneOf[V ~string](values ...V) kind[V] {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return kind[V]{
		expected: "one of " + strings.Join(names, ", "),
		parse: func(text string) (V, bool) {
			for _, v := range values {
				if string(v) == text {
					return v, true
				}
			}
			return "", false
		},
	}
}

func number(least, most int) kind[int] {
	return kind[int]{
		expected: fmt.Sprintf("a whole number from %d to %d", least, most),
		parse: func(text string) (int, bool) {
			n, err := strconv.Atoi(text)
			return n, err == nil && n >= least && n <= most
		},
	}
}

func duration(least, most time.Duration) kind[time.Duration] {
	return kind[time.Duration]{
		expected: fmt.Sprintf("a time span from %s to %s, such as 90s, 15m or 1h30m", short(least), short(most)),
		parse: func(text string) (time.Duration, bool) {
			d, err := time.ParseDuration(text)
			return d, err == nil && d >= least && d <= most
		},
	}
}

// short formats a duration without zero parts: 1h0m0s becomes 1h.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func milliseconds(least, most time.Duration) kind[time.Duration] {
	return units("milliseconds", time.Millisecond, least, most)
}

func seconds(least, most time.Duration) kind[time.Duration] {
	return units("seconds", time.Second, least, most)
}

// units is the kind of a time span written as a bare number, for settings whose
// names and units are fixed by existing installations.
func units(name string, unit, least, most time.Duration) kind[time.Duration] {
	whole := number(int(least/unit), int(most/unit))
	return kind[time.Duration]{
		expected: whole.expected + " (" + name + ")",
		parse: func(text string) (time.Duration, bool) {
			n, ok := whole.parse(text)
			return time.Duration(n) * unit, ok
		},
	}
}

func logLevel() kind[slog.Level] {
	names := oneOf("debug", "info", "warn", "error")
	return kind[slog.Level]{
		expected: names.expected,
		parse: func(text string) (slog.Level, bool) {
			var level slog.Level
			_, ok := names.parse(text)
			return level, ok && level.UnmarshalText([]byte(text)) == nil
		},
	}
}

func prefixes() kind[[]netip.Prefix] {
	return kind[[]netip.Prefix]{
		expected: "networks or addresses separated by commas, for example 10.0.0.0/8,192.0.2.7; or none",
		parse: func(text string) ([]netip.Prefix, bool) {
			if text == "none" {
				return nil, true
			}
			return list(text, parsePrefix)
		},
	}
}

// parsePrefix also accepts a single address, the usual form for a proxy.
func parsePrefix(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(address, address.BitLen()), true
	}
	prefix, err := netip.ParsePrefix(text)
	return prefix.Masked(), err == nil
}

// list splits text at commas and parses each part without surrounding space.
func list[V any](text string, parse func(string) (V, bool)) ([]V, bool) {
	var values []V
	for part := range strings.SplitSeq(text, ",") {
		v, ok := parse(strings.TrimSpace(part))
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
