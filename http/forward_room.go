package http

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"equity/http/admission"
)

// RoomSettings bound the requests that wait for the owners of their organizations.
type RoomSettings struct {
	// Requests is the number of requests; 4096 when 0. Bytes bounds their bodies in memory; 64 MB when 0.
	Requests int
	Bytes    int64
}

const (
	roomRequests = 4096
	roomBytes    = 64 << 20
)

// room is the waiting room of requests that another node answers. A request stays until the answer of the owner arrives. An organization
// has at most three quarters of the places, and a caller at most half.
type room struct {
	places  *admission.Queue
	most    int64 // bytes
	bytes   atomic.Int64
	refused atomic.Uint64 // because of bytes
}

func newRoom(settings RoomSettings) *room {
	return &room{
		places: admission.New(admission.Settings{Parallel: cmp.Or(settings.Requests, roomRequests)}), // a request without a place is refused
		most:   cmp.Or(settings.Bytes, roomBytes),
	}
}

// place is the place of a request. It is not safe for concurrent use.
type place struct {
	room   *room
	ticket *admission.Ticket
	bytes  int64
	left   bool
}

// enter takes a place for a request with a body in memory. It returns an *[admission.RefusalError] if the room is full.
func (r *room) enter(ctx context.Context, flow admission.Flow, body int) (*place, error) {
	p := &place{room: r, bytes: int64(body)}
	if r.bytes.Add(p.bytes) > r.most {
		r.bytes.Add(-p.bytes)
		r.refused.Add(1)
		return nil, &admission.RefusalError{RetryAfter: time.Second}
	}
	ticket, err := r.places.Enter(ctx, flow)
	if err != nil {
		r.bytes.Add(-p.bytes)
		return nil, err //nolint:wrapcheck // the caller compares it
	}
	p.ticket = ticket
	return p, nil
}

// leave gives up the place. Further calls have no effect.
func (p *place) leave() {
	if p == nil || p.left {
		return
	}
	p.left = true
	p.ticket.Leave()
	p.room.bytes.Add(-p.bytes)
}

// waiting returns the number of requests in the room.
func (r *room) waiting() float64 { return float64(r.places.Stats().Running) }

// refusals returns the number of refused requests since the start.
func (r *room) refusals() float64 { return float64(r.places.Stats().Refused + r.refused.Load()) }
