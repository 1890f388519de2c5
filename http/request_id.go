package http

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// requestIDs generates request ids of 32 hex digits: a random prefix per process and a counter. Ids
// must be unique, not secret.
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

// of returns the id in the request's header if it is safe, else a new one.
func (ids *requestIDs) of(r *http.Request) string {
	if own := r.Header.Get("X-Request-Id"); own != "" && safeID(own) {
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

// safeID reports whether the id is safe in a log.
func safeID(id string) bool {
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
