package http

import (
	"crypto/hmac"
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

// fingerprint identifies what a request asks for: a keyed hash, as proofs of the journal
// show it and nobody may guess a body from it. It is over method, path, query, and the body,
// or the files in it, as a form separates them by another random line each time.
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
		sum := sha256.Sum256(file.Content)
		write(file.Name + " " + hex.EncodeToString(sum[:]))
	}
	if len(c.Files) == 0 {
		_, _ = hash.Write(c.Body)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
