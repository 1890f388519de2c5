package messages

import "time"

// Once makes a change of what lies beside the journals happen once, however often its caller repeats it. The zero Once promises nothing.
type Once struct {
	// Key names the wish, with whose it is; empty when the caller gave none.
	Key string
	// Fingerprint tells one request from another under the same key.
	Fingerprint string
	At          time.Time
}
