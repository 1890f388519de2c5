package hooks

import (
	"sync"
	"time"
)

// The limit of failed tokens of a client, and of remembered clients.
const (
	failedTokens  = 20
	failureWindow = time.Minute
	mostClients   = 10_000
)

// limiter counts the failed tokens of clients. It is safe for concurrent use.
type limiter struct {
	mu      sync.Mutex
	clients map[string]failures
}

type failures struct {
	count int
	since time.Time
}

func newLimiter() *limiter { return &limiter{clients: map[string]failures{}} }

// fail counts a failed token. Beyond the limit, it returns the time until the end of the window.
func (l *limiter) fail(client string, now time.Time) (wait time.Duration, limited bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.clients[client]
	if !known || now.Sub(f.since) >= failureWindow || now.Before(f.since) {
		if !known && len(l.clients) >= mostClients {
			l.forget(now)
		}
		f = failures{since: now}
	}
	if f.count < failedTokens {
		f.count++
		l.clients[client] = f
		return 0, false
	}
	return max(f.since.Add(failureWindow).Sub(now), time.Second), true
}

// forget removes the ended windows, and all if none has ended.
func (l *limiter) forget(now time.Time) {
	for client, f := range l.clients {
		if now.Sub(f.since) >= failureWindow {
			delete(l.clients, client)
		}
	}
	if len(l.clients) >= mostClients {
		clear(l.clients)
	}
}

// succeed forgets the failures of a client.
func (l *limiter) succeed(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.clients, client)
}
