package config

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// readFile reads a settings file. An empty path is an empty file.
func readFile(path string, settings []Setting) (map[string]string, error) {
	if path == "" {
		return map[string]string{}, nil
	}
	f, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	defer func() { _ = f.Close() }()
	return parseFile(f, path, settings)
}

// parseFile parses lines NAME=value in the format of systemd's EnvironmentFile
// and of container engines: empty lines and lines that start with # are skipped,
// space around name and value is removed, and so is one pair of quotes around a
// value. Nothing is expanded. An unknown or repeated name is an error, because
// ignoring the line would hide the mistake.
func parseFile(r io.Reader, name string, settings []Setting) (map[string]string, error) {
	known := make(map[string]bool, len(settings))
	for _, s := range settings {
		known[s.Name] = true
	}
	values := make(map[string]string)
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		_, twice := values[key]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s line %d must be NAME=value or start with #", name, number)
		case !known[key]:
			return nil, fmt.Errorf("%s line %d: %s is not the name of a setting; 'equity config' lists all names", name, number, key)
		case twice:
			return nil, fmt.Errorf("%s line %d: %s is set a second time", name, number, key)
		}
		values[key] = unquote(strings.TrimSpace(value))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read settings %s: %w", name, err)
	}
	return values, nil
}

func unquote(value string) string {
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}
