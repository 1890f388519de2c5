package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// ownership decides when a node may answer from memory. An append needs no permission, because the journal refuses a used sequence, but its
// acknowledgement does.
type ownership interface {
	// run opens the node once it may serve, and returns when its life is over: with the context, or when others may serve.
	run(ctx context.Context)
	// owns reports whether the node may answer now.
	owns() bool
	// end is called after the end of the organizations.
	end()
}

// everybody lets each node serve at any time, like two servers that were started on one database by mistake.
type everybody struct{ *node }

func (e everybody) run(ctx context.Context) {
	e.open()
	e.tick(ctx)
	<-ctx.Done()
}

func (everybody) owns() bool { return true }

func (everybody) end() {}

// The times of a lease. The store counts it longer than its holder, by the time that the holder's answer may take.
const (
	leaseTime   = 3 * time.Second
	leaseMargin = time.Second
	renewEvery  = time.Second
)

// lease is the stored right to serve.
type lease struct {
	holder int // the number of the node's life
	until  time.Time
}

// leased lets the holder of a lease in the store serve. A node whose lease is over ends its life, so that the next one starts without
// an old view.
type leased struct {
	*node
	until atomic.Int64 // in nanoseconds since 1970
}

func (l *leased) owns() bool {
	return time.Now().UnixNano() < l.until.Load() || l.world.store.planted == servesWithoutLease
}

func (*leased) end() {}

func (l *leased) run(ctx context.Context) {
	opened := false
	for ctx.Err() == nil {
		began := time.Now()
		err := l.renew(ctx, opened)
		switch {
		case err == nil:
			l.until.Store(began.Add(leaseTime).UnixNano())
			if !opened {
				opened = true
				l.open()
				l.tick(ctx)
			}
		case opened && !l.owns() || errors.Is(err, errOther) && opened:
			return
		}
		tick := time.NewTimer(renewEvery)
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		tick.Stop()
	}
}

var errOther = errors.New("another node holds the lease")

// renew extends the lease. Before the node serves, it acquires the lease after the end of that of another node.
func (l *leased) renew(ctx context.Context, held bool) error {
	limited, cancel := context.WithTimeout(ctx, renewEvery)
	defer cancel()
	return l.wait(limited, repeating, fmt.Sprintf("renew lease %d", l.number), func() error {
		s, now := l.world.store, time.Now()
		if s.lease.holder != l.number && (held || now.Before(s.lease.until)) {
			return errOther
		}
		s.lease = lease{l.number, now.Add(leaseTime + leaseMargin)}
		return nil
	})
}
