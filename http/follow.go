package http

import (
	"encoding/binary"
	"sync"
	"time"

	"equity/organization"
)

// following counts the reads of organizations that other nodes own. A node follows an organization that is read often: it answers the reads
// itself, from a copy that is compared with the journal for each of them.
//
// Organizations share a fixed number of places. An organization that loses its place to another one is counted anew, which costs some
// forwarded requests.
type following struct {
	least  int // reads in followWindow from which an organization is followed; no organization is followed if it is 0
	mutex  sync.Mutex
	places []followed
}

type followed struct {
	id            organization.ID
	begin         time.Time // of the present window
	reads, former int       // in the present window and in the one before
}

const (
	followWindow = 10 * time.Second
	followPlaces = 4096
)

func newFollowing(least int) *following {
	f := &following{least: least}
	if least > 0 {
		f.places = make([]followed, followPlaces)
	}
	return f
}

// read counts a read, and reports whether the organization is followed.
func (f *following) read(id organization.ID, now time.Time) bool {
	if f.least == 0 {
		return false
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	place := &f.places[binary.BigEndian.Uint64(id[8:])%followPlaces]
	switch age := now.Sub(place.begin).Abs(); {
	case place.id != id, age >= 2*followWindow:
		*place = followed{id: id, begin: now}
	case age >= followWindow:
		place.begin, place.former, place.reads = now, place.reads, 0
	}
	place.reads++
	return max(place.reads, place.former) >= f.least
}
