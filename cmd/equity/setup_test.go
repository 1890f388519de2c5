package main

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// shell runs commands of the program with its own store.
type shell struct {
	variables map[string]string
	directory string
}

// answered is the result of a command.
type answered struct {
	status      int
	out, errors string
}

// setup returns a shell with an empty folder.
func setup(t *testing.T) *shell {
	t.Helper()
	return newShell(t.TempDir())
}

func newShell(directory string) *shell {
	return &shell{directory: directory, variables: map[string]string{
		"DATA_DIRECTORY": filepath.Join(directory, "data"), "ENVIRONMENT": "test", "LOG_LEVEL": "warn",
		"LISTEN": "127.0.0.1:0", "METRICS_LISTEN": "127.0.0.1:0",
	}}
}

func (s *shell) program(in string, out, errors *safeBuffer) program {
	return program{
		in: strings.NewReader(in), out: out, errors: errors, now: time.Now, random: rand.Reader, schema: schema(),
		environment: func(name string) (string, bool) {
			text, ok := s.variables[name]
			return text, ok
		},
	}
}

// runWith runs one command with standard input.
func (s *shell) runWith(t *testing.T, in string, args ...string) answered {
	t.Helper()
	var out, errors safeBuffer
	status := s.program(in, &out, &errors).run(t.Context(), args)
	return answered{status, out.String(), errors.String()}
}

// run runs one command that must succeed, and returns its output.
func (s *shell) run(t *testing.T, args ...string) string {
	t.Helper()
	a := s.runWith(t, "", args...)
	if a.status != statusDone {
		t.Fatalf("equity %s: status %d\n%s%s", strings.Join(args, " "), a.status, a.out, a.errors)
	}
	return a.out
}

// refused runs one command that must fail with the status, and returns its
// error output.
func (s *shell) refused(t *testing.T, status int, args ...string) string {
	t.Helper()
	a := s.runWith(t, "", args...)
	if a.status != status {
		t.Fatalf("equity %s: status %d, want %d\n%s%s", strings.Join(args, " "), a.status, status, a.out, a.errors)
	}
	return a.out + a.errors
}

// file writes a file to the shell's folder and returns its path.
func (s *shell) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(s.directory, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// safeBuffer is written by a server while a test reads it concurrently.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func mustContain(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}
