package storetest

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
)

// Proxy stands between a client and a service, so that a test can break what is between them.
type Proxy struct {
	listener net.Listener
	target   string

	mu       sync.Mutex
	open     []net.Conn
	refusing bool
	mute     bool
	attempts int
}

// NewProxy makes a Proxy to the service at target (host:port) on a free port of its own.
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: listener, target: target}
	go p.accept()
	t.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
	})
	return p
}

// Address is where the Proxy listens, host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Attempts counts how often somebody has tried to connect.
func (p *Proxy) Attempts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attempts
}

// Cut breaks every connection.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.open = nil
}

// Refuse breaks every connection and accepts none, or accepts them again.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	p.refusing = refuse
	p.mu.Unlock()
	if refuse {
		p.Cut()
	}
}

// CutAtAnswer lets what clients send pass, and breaks the connection instead of passing the next answer on. It is for
// one answer.
func (p *Proxy) CutAtAnswer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = true
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		refusing := p.refusing
		p.attempts++
		p.mu.Unlock()
		server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.target)
		if err != nil || refusing {
			_ = client.Close()
			if err == nil {
				_ = server.Close()
			}
			continue
		}
		p.mu.Lock()
		p.open = append(p.open, client, server)
		p.mu.Unlock()
		go func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		}()
		go p.answer(client, server)
	}
}

// answer passes on what the server says.
func (p *Proxy) answer(client, server net.Conn) {
	defer func() { _ = client.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		number, err := server.Read(buffer)
		p.mu.Lock()
		mute := p.mute && number > 0
		if mute {
			p.mute = false
		}
		p.mu.Unlock()
		if mute {
			return
		}
		if _, failed := client.Write(buffer[:number]); err != nil || failed != nil {
			return
		}
	}
}
