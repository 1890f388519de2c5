package http

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// idempotencyKey returns the caller's key prefixed with their id, so that keys of different users
// never collide; empty without a key.
func (c *Call) idempotencyKey() string {
	key := c.header("Idempotency-Key")
	if key == "" || !c.operation.takes("Idempotency-Key") {
		return ""
	}
	return c.By() + " " + key
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
	write(c.operation.method)
	write(c.operation.path)
	for _, value := range c.inPath() {
		write(value)
	}
	write(c.rawQuery)
	for _, file := range c.Files {
		sum := sha256.New()
		_, _ = io.Copy(sum, file.open()) // a file that cannot be read fails for its import too
		write(file.Name + " " + hex.EncodeToString(sum.Sum(nil)))
	}
	if len(c.Files) == 0 {
		_, _ = hash.Write(c.Body)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
