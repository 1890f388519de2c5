package hook

import (
	"context"
	"sync"

	"equity/organization"
)

// The numbers of concurrent runs.
const (
	mostOfOrganization = 2
	mostOfServer       = 16
)

// pool bounds the concurrent runs of a server. Runs of one session follow each other. It is safe for concurrent use.
type pool struct {
	ctx    context.Context //nolint:containedctx // the lifetime of the runs, which no caller waits for
	cancel context.CancelFunc
	runs   sync.WaitGroup

	mu       sync.Mutex
	total    int
	active   map[organization.ID]int
	sessions map[sessionOf]bool
}

// sessionOf is a session of an organization.
type sessionOf struct {
	id  organization.ID
	key string
}

func newPool() *pool {
	ctx, cancel := context.WithCancel(context.Background())
	return &pool{ctx: ctx, cancel: cancel, active: map[organization.ID]int{}, sessions: map[sessionOf]bool{}}
}

// enter takes a place for a run of the session. It reports false if all places are taken.
func (p *pool) enter(id organization.ID, key string) (release func(), free bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	session := sessionOf{id, key}
	if p.ctx.Err() != nil || p.total >= mostOfServer || p.active[id] >= mostOfOrganization || p.sessions[session] {
		return nil, false
	}
	p.total++
	p.active[id]++
	p.sessions[session] = true
	p.runs.Add(1)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.total--
		if p.active[id]--; p.active[id] == 0 {
			delete(p.active, id)
		}
		delete(p.sessions, session)
		p.runs.Done()
	}, true
}

// full reports whether no run of the organization can start now.
func (p *pool) full(id organization.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total >= mostOfServer || p.active[id] >= mostOfOrganization
}

// start executes work in a goroutine. Its context ends with the pool.
func (p *pool) start(work func(ctx context.Context)) { go work(p.ctx) }

// stop ends the context of the runs and waits for them.
func (p *pool) stop() {
	p.mu.Lock()
	p.cancel()
	p.mu.Unlock()
	p.runs.Wait()
}
