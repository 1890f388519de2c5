package config_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"equity/config"
)

func TestSecretIsHiddenInEveryFormat(t *testing.T) {
	t.Parallel()
	const text = "hunter2"
	secret := config.Secret(text)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "direct", secret, "within", config.Config{SMTPPassword: secret})
	encoded, err := json.Marshal(config.Config{SMTPPassword: secret})
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%s %v %+v %#v %q %s %s", secret, config.Config{SMTPPassword: secret}, secret, secret, secret, encoded, log.String())
	if strings.Contains(all, text) {
		t.Errorf("the secret is visible in %s", all)
	}
	if secret.Reveal() != text || config.Secret("").String() != "" {
		t.Error("Reveal must return the text, and String of an empty secret must be empty")
	}
}

func TestSecretKey(t *testing.T) {
	t.Parallel()
	t.Run("the secret key is the configured key", func(t *testing.T) {
		t.Parallel()
		got, err := config.Config{SecretKey: key, DataDirectory: t.TempDir()}.OpenSecretKey(nil)
		if err != nil || !bytes.Equal(got, make([]byte, config.SecretKeyBytes)) {
			t.Errorf("got %x, %v", got, err)
		}
	})
	t.Run("the secret key is created once and is readable by its owner only", func(t *testing.T) {
		t.Parallel()
		c := config.Config{DataDirectory: filepath.Join(t.TempDir(), "new", "folder")}
		first, err := c.OpenSecretKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.OpenSecretKey(rand.Reader)
		if err != nil || !bytes.Equal(first, second) || len(first) != config.SecretKeyBytes {
			t.Errorf("got %x and then %x, %v", first, second, err)
		}
		info, err := os.Stat(filepath.Join(c.DataDirectory, "secret.key"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file has mode %v, %v", info.Mode(), err)
		}
		if left, _ := filepath.Glob(filepath.Join(c.DataDirectory, "*")); len(left) != 1 {
			t.Errorf("files left behind: %v", left)
		}
	})
	t.Run("the secret key is the same for servers that start at the same time", func(t *testing.T) {
		t.Parallel()
		c := config.Config{DataDirectory: t.TempDir()}
		var (
			keys    [8][]byte
			waiting sync.WaitGroup
		)
		for i := range keys {
			waiting.Go(func() {
				var err error
				if keys[i], err = c.OpenSecretKey(rand.Reader); err != nil {
					t.Error(err)
				}
			})
		}
		waiting.Wait()
		for _, k := range keys {
			if !bytes.Equal(k, keys[0]) {
				t.Fatalf("two keys were made: %x and %x", k, keys[0])
			}
		}
	})
	t.Run("the secret key is refused if its file is damaged", func(t *testing.T) {
		t.Parallel()
		c := config.Config{DataDirectory: t.TempDir()}
		path := filepath.Join(c.DataDirectory, "secret.key")
		if err := os.WriteFile(path, []byte("c2hvcnQ=\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := c.OpenSecretKey(rand.Reader); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("error is %v, want one that names the file", err)
		}
	})
	t.Run("the secret key is not created without randomness", func(t *testing.T) {
		t.Parallel()
		c := config.Config{DataDirectory: t.TempDir()}
		if _, err := c.OpenSecretKey(iotest.ErrReader(errors.New("no entropy"))); err == nil {
			t.Error("a key was made")
		}
		if left, _ := filepath.Glob(filepath.Join(c.DataDirectory, "*")); len(left) != 0 {
			t.Errorf("files left behind: %v", left)
		}
	})
}
