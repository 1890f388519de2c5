package api

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"equity/messages"
)

// Staleness collects the time since which the views of a request may be outdated.
type Staleness struct{ oldest atomic.Int64 } // Unix microseconds; 0 if all views are current

type stalenessKey struct{}

// WithStaleness returns a context in which reads of views are noted.
func WithStaleness(ctx context.Context) (context.Context, *Staleness) {
	if found, ok := ctx.Value(stalenessKey{}).(*Staleness); ok { // a nested operation
		return ctx, found
	}
	made := &Staleness{}
	return context.WithValue(ctx, stalenessKey{}, made), made
}

// noteStaleness notes a view that a request reads.
func noteStaleness(ctx context.Context, view *messages.View) {
	noted, ok := ctx.Value(stalenessKey{}).(*Staleness)
	if view == nil || view.StaleSince.IsZero() || !ok {
		return
	}
	since := view.StaleSince.UnixMicro()
	for {
		oldest := noted.oldest.Load()
		if oldest != 0 && oldest <= since || noted.oldest.CompareAndSwap(oldest, since) {
			return
		}
	}
}

// Header sets Age: the seconds since the answer was last known to be current (RFC 9111). A current answer has no Age header.
func (n *Staleness) Header(w http.ResponseWriter, now time.Time) {
	if since := n.oldest.Load(); since != 0 {
		age := max(now.Sub(time.UnixMicro(since)), 0)
		w.Header().Set("Age", strconv.FormatInt(int64(age/time.Second), 10))
	}
}
