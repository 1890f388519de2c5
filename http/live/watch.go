package live

import (
	"context"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// pingSteps is the number of steps of the interval between pings. Streams that were opened at different times are written to at
// different times.
const pingSteps = 15

// keepOpen sends pings until the hub ends.
func (h *Hub) keepOpen() {
	every(h.run, max(h.settings.Ping/pingSteps, time.Millisecond), func() {
		now := time.Now()
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, t := range h.topics {
			for s := range t.streams {
				if s.pingAt.After(now) {
					continue
				}
				s.pingAt = now.Add(h.settings.Ping)
				s.pinged = true
				s.start()
			}
		}
	})
}

const (
	// followEvery is the interval at which the organizations with streams are compared with their journals.
	followEvery = 25 * time.Millisecond
	followTime  = time.Second
)

// follow publishes the events that other servers append to organizations with streams, until the hub ends.
func (h *Hub) follow() {
	every(h.run, followEvery, func() {
		if h.count.Load() == 0 {
			return
		}
		h.mu.Lock()
		known := make(map[organization.ID]uint64, len(h.topics))
		for id, t := range h.topics {
			known[id] = t.head
		}
		h.mu.Unlock()
		ctx, cancel := context.WithTimeout(h.run, followTime)
		defer cancel()
		reached := h.services.Follow(ctx, known)
		h.mu.Lock()
		defer h.mu.Unlock()
		for id, sequence := range reached {
			if t := h.topics[id]; t != nil {
				t.head = max(t.head, sequence)
			}
		}
	})
}

// checkSessions ends the streams of ended sessions until the hub ends. An open stream does not extend its session.
func (h *Hub) checkSessions() {
	every(h.run, h.settings.Check, func() {
		h.mu.Lock()
		users := make(map[organization.UserID][]*stream, len(h.users))
		for _, s := range h.all() {
			users[s.user] = append(users[s.user], s)
		}
		h.mu.Unlock()
		for user, streams := range users {
			h.checkUser(user, streams)
		}
	})
}

func (h *Hub) checkUser(user organization.UserID, streams []*stream) {
	ctx, cancel := context.WithTimeout(h.run, h.settings.Check)
	defer cancel()
	valid, err := h.services.Sessions.List(ctx, user)
	if err != nil {
		if !h.patient(user) && h.run.Err() == nil {
			h.services.Log.Warn("event streams ended: sessions cannot be checked", "cause", err)
			endAll(streams)
		}
		return
	}
	h.mu.Lock()
	if own := h.users[user]; own != nil {
		own.failing = time.Time{}
	}
	h.mu.Unlock()
	endAll(slices.DeleteFunc(streams, func(s *stream) bool {
		return slices.ContainsFunc(valid, func(one messages.ListedSession) bool { return one.Handle == s.session })
	}))
}

// patient reports whether streams of the user may continue without a check of their sessions.
func (h *Hub) patient(user organization.UserID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	own, now := h.users[user], time.Now()
	if own == nil {
		return true
	}
	if own.failing.IsZero() {
		own.failing = now
	}
	return now.Sub(own.failing) < h.settings.Grace
}

func endAll(streams []*stream) {
	for _, s := range streams {
		s.end()
	}
}

// every calls do at each interval until the context ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			do()
		case <-ctx.Done():
			return
		}
	}
}
