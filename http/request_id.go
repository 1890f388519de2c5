package http

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// requestIDs names requests: 32 hex digits, of which the first half is drawn at the
// start and the second counts. They need to be different, not secret.
type requestIDs struct {
	start [8]byte
	count atomic.Uint64
}

func newRequestIDs(random io.Reader) (*requestIDs, error) {
	ids := &requestIDs{}
	if _, err := io.ReadFull(random, ids.start[:]); err != nil {
		return nil, fmt.Errorf("draw request ids: %w", err)
	}
	return ids, nil
}

// of takes the caller's own name for the request where it is a sane one.
func (ids *requestIDs) of(r *http.Request) string {
	if own := r.Header.Get("X-Request-Id"); own != "" && sane(own) {
		return own
	}
	var id [requestIDLength]byte
	ids.next(&id)
	return string(id[:])
}

// requestIDLength is the number of hex digits of a request ID.
const requestIDLength = 32

// next writes the next request ID.
func (ids *requestIDs) next(id *[requestIDLength]byte) {
	var bytes [requestIDLength / 2]byte
	copy(bytes[:], ids.start[:])
	binary.BigEndian.PutUint64(bytes[8:], ids.count.Add(1))
	hex.Encode(id[:], bytes[:])
}

// sane names can stand in a log without harm.
func sane(id string) bool {
	const longest = 128
	if len(id) > longest {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}
