package config

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// SecretKeyBytes is the length of the secret key.
const SecretKeyBytes = 32

const secretKeyFile = "secret.key"

func secretKey() kind[Secret] {
	return kind[Secret]{
		expected: "32 bytes in base64, as 'openssl rand -base64 32' makes them", secret: true,
		parse: func(text string) (Secret, bool) {
			_, err := DecodeSecretKey(text)
			return Secret(text), err == nil
		},
	}
}

// DecodeSecretKey decodes a key in the form of SECRET_KEY: SecretKeyBytes bytes in base64.
// Its error does not contain the text.
func DecodeSecretKey(text string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("decode secret key: %w", err)
	}
	if len(key) != SecretKeyBytes {
		return nil, fmt.Errorf("decode secret key: %d bytes instead of %d", len(key), SecretKeyBytes)
	}
	return key, nil
}

// OpenSecretKey returns the key of SecretKeyBytes bytes that encrypts the keys of
// stored secrets: SECRET_KEY or, if that is not set, the file secret.key in the
// data directory. A missing file is created with mode 0600, or reported without
// random numbers. In production SECRET_KEY is always set, because New requires it.
func (c Config) OpenSecretKey(random io.Reader) ([]byte, error) {
	if c.SecretKey != "" {
		return DecodeSecretKey(c.SecretKey.Reveal())
	}
	path := c.SecretKeyPath()
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the folder
	if os.IsNotExist(err) && random != nil {
		return makeSecretKey(path, random)
	}
	if err != nil {
		return nil, fmt.Errorf("read secret key: %w", err)
	}
	key, err := DecodeSecretKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// SecretKeyPath returns the path of the key file, which is used if SECRET_KEY is not set.
func (c Config) SecretKeyPath() string { return filepath.Join(c.DataDirectory, secretKeyFile) }

// makeSecretKey writes a new key. Two servers may start in an empty folder at
// the same time: the file is linked to its name atomically, and the server that
// loses the race reads the key of the other.
func makeSecretKey(path string, random io.Reader) ([]byte, error) {
	key := make([]byte, SecretKeyBytes)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("make secret key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make secret key: %w", err)
	}
	draft, err := os.CreateTemp(filepath.Dir(path), secretKeyFile+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("make secret key: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err == nil {
		err = draft.Sync()
	}
	if closing := draft.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fmt.Errorf("make secret key: %w", err)
	}
	if err := os.Link(draft.Name(), path); os.IsExist(err) {
		return Config{DataDirectory: filepath.Dir(path)}.OpenSecretKey(random)
	} else if err != nil {
		return nil, fmt.Errorf("make secret key: %w", err)
	}
	return key, nil
}
