package messages

import (
	"time"

	"equity/fault"
)

// ErrKeyBusy refuses a repetition of a request that is still carried out.
var ErrKeyBusy = fault.Refuse(fault.Conflict, "A request with this Idempotency-Key is still running. Try again later.")

// Once makes a change outside the journals idempotent. The zero Once does not.
type Once struct {
	// Key is the caller's idempotency key, prefixed with the caller. It is empty without a key.
	Key string
	// Fingerprint distinguishes requests with the same key.
	Fingerprint string
	At          time.Time
}
