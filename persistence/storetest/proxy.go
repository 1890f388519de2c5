package storetest

import (
	"bytes"
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
	commit   string        // the command whose answer is to be dropped once; "" for none
	frozen   chan struct{} // closed when the line forwards again; nil while it does
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
		p.Freeze(false)
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

// Freeze has the line forward nothing, in neither direction, while connections stay open and new ones are accepted: as a
// server that was stopped, or a network that drops every packet. It ends with Freeze(false), and nothing was lost.
func (p *Proxy) Freeze(freeze bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case freeze && p.frozen == nil:
		p.frozen = make(chan struct{})
	case !freeze && p.frozen != nil:
		close(p.frozen)
		p.frozen = nil
	}
}

// pass waits while the line is frozen.
func (p *Proxy) pass() {
	p.mu.Lock()
	frozen := p.frozen
	p.mu.Unlock()
	if frozen != nil {
		<-frozen
	}
}

// CutAtCommit lets a client of PostgreSQL commit, and breaks the connection instead of passing the answer on, once. The
// command is COMMIT, or INSERT, UPDATE or DELETE for a statement in a transaction of its own.
func (p *Proxy) CutAtCommit(command string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commit = command
}

// HasCut reports whether the answer of CutAtCommit was dropped.
func (p *Proxy) HasCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.commit == ""
}

// reportsCommit reports whether PostgreSQL's messages tell the client that the command was carried out and is committed: a
// CommandComplete with its name, and readiness outside of a transaction
// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
func reportsCommit(data []byte, command string) bool {
	return bytes.Contains(data, []byte("Z\x00\x00\x00\x05I")) && bytes.Contains(data, []byte(command))
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
			_, _ = io.Copy(gate{server, p}, client)
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
		committed := p.commit != "" && reportsCommit(buffer[:number], p.commit)
		if committed {
			p.commit = ""
		}
		p.mu.Unlock()
		if mute || committed {
			return
		}
		p.pass()
		if _, failed := client.Write(buffer[:number]); err != nil || failed != nil {
			return
		}
	}
}

// gate writes to a connection while the line is open.
type gate struct {
	net.Conn
	proxy *Proxy
}

// Write waits while the line is frozen.
func (g gate) Write(data []byte) (int, error) {
	g.proxy.pass()
	return g.Conn.Write(data)
}
