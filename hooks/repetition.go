package hooks

import (
	"crypto/sha256"
	"encoding/json"
)

// mostKey is the number of characters of an idempotency key. A longer key is ignored.
const mostKey = 256

// keyOf returns the idempotency key of the request, or an empty text.
func (in *request) keyOf() string {
	body, _ := field(in.body, "idempotencyKey").(string)
	for _, key := range []string{in.Header.Get("Idempotency-Key"), in.Header.Get("X-Service-Idempotency-Key"), body} {
		if key = trim(key); key != "" && units(key) <= mostKey {
			return key
		}
	}
	return ""
}

// repetition identifies repetitions of the request: those with the same token, path, key and resolved fields. It is zero without a
// key.
func (in *request) repetition(fields ...any) [sha256.Size]byte {
	key := in.keyOf()
	if key == "" {
		return [sha256.Size]byte{}
	}
	text, err := json.Marshal(append([]any{in.token, in.path, key}, fields...))
	if err != nil { // the fields are texts and numbers
		return [sha256.Size]byte{}
	}
	return sha256.Sum256(text)
}
