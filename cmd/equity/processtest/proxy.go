package processtest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Proxy forwards connections to a service, and can interrupt them.
type Proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	cut      bool
	open     map[net.Conn]bool
}

// NewProxy starts a proxy to the address.
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: listener, target: target, open: map[net.Conn]bool{}}
	go p.accept()
	t.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
	})
	return p
}

// Address returns the listening address of the proxy.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut closes all connections and refuses new ones until [Proxy.Mend].
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for c := range p.open {
		_ = c.Close()
	}
}

// Mend accepts connections again.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

func (p *Proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.target)
		if err != nil || !p.admit(from, to) {
			_ = from.Close()
			continue
		}
		go p.pipe(from, to)
		go p.pipe(to, from)
	}
}

func (p *Proxy) admit(connections ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range connections {
		if p.cut {
			_ = c.Close()
		} else {
			p.open[c] = true
		}
	}
	return !p.cut
}

func (p *Proxy) pipe(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	_ = from.Close()
	_ = to.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, from)
}
