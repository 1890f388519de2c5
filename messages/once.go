package messages

import "time"

// Once makes a change outside the journals idempotent. The zero Once does not.
type Once struct {
	// Key is the caller's idempotency key, prefixed with the caller. It is empty without a key.
	Key string
	// Fingerprint distinguishes requests with the same key.
	Fingerprint string
	At          time.Time
}
