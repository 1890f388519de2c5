package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"equity/messages"
)

// IdempotencyHeader is the header with the caller's key.
const IdempotencyHeader = "Idempotency-Key"

// CommandHeader is the header with the id that the first node of a cluster gives a change, so that it can be sent again.
const CommandHeader = "Equity-Command"

// IdempotencyKey returns the caller's key prefixed with their id, so that keys of different users
// never collide; empty without a key. The id of a forwarded change replaces a missing key.
func (c *Call) IdempotencyKey() string {
	if !c.Operation.Takes(IdempotencyHeader) {
		return ""
	}
	if key := c.header(IdempotencyHeader); key != "" {
		return c.By() + " " + key
	}
	if id := c.header(CommandHeader); id != "" {
		return c.By() + " command " + id
	}
	return ""
}

// fingerprint identifies a request by a keyed hash of its method, path, query and body. The hash is
// keyed because journal proofs contain it and must not allow guesses of a body. A multipart body is
// replaced by its files, because the boundary is random.
func (c *Call) fingerprint() string {
	hash := hmac.New(sha256.New, c.tagKey)
	write := func(text string) {
		_, _ = hash.Write([]byte(text))
		_, _ = hash.Write([]byte{0})
	}
	write(c.Operation.Method)
	write(c.Operation.Path)
	for _, value := range c.inPath() {
		write(value)
	}
	write(c.rawQuery)
	for _, file := range c.Files {
		write(file.Name + " " + file.SHA256)
	}
	if len(c.Files) == 0 {
		_, _ = hash.Write(c.Body)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Once returns the idempotency data of a change outside the journals.
func (c *Call) Once() messages.Once {
	key := c.IdempotencyKey()
	if key == "" {
		return messages.Once{At: c.At}
	}
	return messages.Once{Key: key, Fingerprint: c.fingerprint(), At: c.At}
}

// Secret returns a secret of the purpose for the record with the id. The same request with an idempotency key has the same secret, so that
// its answer can be repeated although only a hash of the secret is stored. Without a key, it returns the random bytes.
func (c *Call) Secret(purpose string, id [16]byte, random []byte) []byte {
	key := c.IdempotencyKey()
	if key == "" {
		return random
	}
	hash := hmac.New(sha256.New, c.tagKey)
	for _, part := range []string{purpose, string(id[:]), key, c.fingerprint()} {
		_, _ = hash.Write([]byte(part))
		_, _ = hash.Write([]byte{0})
	}
	return hash.Sum(nil)
}
