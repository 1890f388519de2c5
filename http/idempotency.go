package http

import (
	"crypto/sha256"
	"encoding/hex"
)

// idempotencyKey is the caller's key behind their id, so that two people's keys never
// meet; empty when there is none.
func (c *Call) idempotencyKey() string {
	key := c.header("Idempotency-Key")
	if key == "" || !c.operation.takes("Idempotency-Key") {
		return ""
	}
	return c.By() + " " + key
}

// fingerprint is of everything that makes two requests the same one: SHA-256 in hex
// over method, path, query, and the body or the files in it, as a form separates them
// by another random line each time.
func (c *Call) fingerprint() string {
	hash := sha256.New()
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
		sum := sha256.Sum256(file.Content)
		write(file.Name + " " + hex.EncodeToString(sum[:]))
	}
	if len(c.Files) == 0 {
		_, _ = hash.Write(c.Body)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
