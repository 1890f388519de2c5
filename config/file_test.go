package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/config"
)

// file writes a settings file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "equity.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFileIsRead(t *testing.T) {
	t.Parallel()
	c, err := config.Load(config.Source{
		Environment: variables{"SMTP_PORT": "26"}.lookup,
		File: file(t, "# a comment\n\n  LISTEN = :8081 \r\nSMTP_HOST='mail.example'\nSMTP_PORT=25\n"+
			"DATABASE_URL=\"postgres://h/e?a=b\"\nLOG_LEVEL=\nSMTP_FROM=\"it's@example.com\"\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ claim, got, want string }{
		{"space is removed", c.Listen, ":8081"},
		{"quotes are removed", c.SMTPHost, "mail.example"},
		{"the first = ends the name", c.DatabaseURL.Reveal(), "postgres://h/e?a=b"},
		{"other quotes are kept", c.SMTPFrom, "it's@example.com"},
		{"an empty value is not set", c.LogLevel.String(), "INFO"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.claim, test.got, test.want)
		}
	}
	if c.SMTPPort != 26 {
		t.Errorf("the environment does not override the file: %d", c.SMTPPort)
	}
}

func TestInvalidFileIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ claim, text, want string }{
		{"an unknown name", "LISTEN=:1\nLISTENN=:2\n", "line 2: LISTENN is not the name of a setting"},
		{"a name in lower case", "listen=:1\n", "line 1: listen is not"},
		{"a repeated name", "LISTEN=:1\n\nLISTEN=:2\n", "line 3: LISTEN is set a second time"},
		{"a line without value", "LISTEN\n", "line 1 must be NAME=value"},
		{"a shell export", "export LISTEN=:1\n", "export LISTEN is not the name"},
		{"a line of excessive length", "LISTEN=" + strings.Repeat("x", 1<<17), "token too long"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			path := file(t, test.text)
			_, err := config.Load(config.Source{File: path})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error is %v, want one that contains %q and the path", err, test.want)
			}
		})
	}
	t.Run("a missing file", func(t *testing.T) {
		t.Parallel()
		if _, err := config.Load(config.Source{File: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error is %v", err)
		}
	})
}
