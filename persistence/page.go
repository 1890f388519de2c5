package persistence

import (
	"bytes"
	"math"

	"equity/messages"
)

// latestBefore returns the time and the id of a key for the condition of a list with the latest records first: (time, id) < (…, …). The zero key
// follows those of all records, so that the first page has the same condition.
func latestBefore(key messages.RecordKey) (at int64, id []byte) {
	if key.ID == ([16]byte{}) {
		return math.MaxInt64, bytes.Repeat([]byte{math.MaxUint8}, len(key.ID))
	}
	return Micros(key.At), key.ID[:]
}
