package http

import (
	"cmp"
	"context"
	"io"
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

// lendingBody is a body that is passed on as it arrives. The request has no place until the end of the body, so that a slow sender holds none.
type lendingBody struct {
	io.Reader
	ctx  context.Context //nolint:containedctx // of the request
	lent *admission.Ticket
}

// lend returns the body, during which the place is lent.
func (p *place) lend(ctx context.Context, body io.Reader) io.Reader {
	p.ticket.Release()
	return &lendingBody{body, ctx, p.ticket}
}

// Read reads from the body. At its end it takes a place again.
func (b *lendingBody) Read(into []byte) (int, error) {
	n, err := b.Reader.Read(into)
	if err != nil && b.lent != nil {
		ticket := b.lent
		b.lent = nil
		if failed := ticket.Resume(b.ctx); failed != nil {
			return n, failed //nolint:wrapcheck // the caller compares it
		}
	}
	return n, err //nolint:wrapcheck // as io.Reader requires
}

// waiting returns the number of requests in the room.
func (r *room) waiting() float64 { return float64(r.places.Stats().Running) }

// refusals returns the number of refused requests since the start.
func (r *room) refusals() float64 { return float64(r.places.Stats().Refused + r.refused.Load()) }
