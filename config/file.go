package config

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

// readFile reads a file of settings. An empty path is an empty file.
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

// parseFile reads lines NAME=value, as systemd's EnvironmentFile and container
// engines have them: empty lines and lines that start with # are skipped, space
// around name and value is dropped, and so is one pair of quotes around a
// value. Nothing is expanded. A name that is no setting or comes twice is an
// error, because the line would otherwise be ignored in silence.
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
			return nil, fmt.Errorf("%s line %d: %s is not the name of a setting; 'equity config' lists them all", name, number, key)
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
