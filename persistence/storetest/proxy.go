package storetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
)

// Proxy forwards connections between a client and a service, and can interrupt them.
type Proxy struct {
	listener net.Listener
	target   string

	mu       sync.Mutex
	open     []net.Conn
	refusing bool
	mute     bool
	commit   string           // the command with an answer to drop once; "" if unset
	frozen   [2]chan struct{} // by direction; closed when forwarding resumes, nil if not frozen
	attempts int
	received []*bytes.Buffer // what the service sent by connection; nil if it is not kept
}

// The directions of a proxy.
const (
	toService = iota
	toClient
)

// NewProxy returns a Proxy on a free port to the service at target (host:port).
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: listener, target: target}
	go p.accept()
	Cleanup(t, func() {
		_ = listener.Close()
		p.Freeze(false)
		p.Cut()
	})
	return p
}

// Address returns the listening address, host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Attempts returns the number of connection attempts.
func (p *Proxy) Attempts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attempts
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.open = nil
}

// Refuse closes all connections and sets whether new ones are refused.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	p.refusing = refuse
	p.mu.Unlock()
	if refuse {
		p.Cut()
	}
}

// Freeze sets whether the proxy stops forwarding in both directions. Connections stay open and new ones are accepted, as with a
// stopped server or a network that drops all packets. After Freeze(false) the buffered data is forwarded.
func (p *Proxy) Freeze(freeze bool) {
	p.FreezeRequests(freeze)
	p.FreezeAnswers(freeze)
}

// FreezeRequests is Freeze for the direction to the service. Answers are forwarded.
func (p *Proxy) FreezeRequests(freeze bool) { p.freeze(toService, freeze) }

// FreezeAnswers is Freeze for the direction to the clients. Requests are forwarded.
func (p *Proxy) FreezeAnswers(freeze bool) { p.freeze(toClient, freeze) }

func (p *Proxy) freeze(direction int, freeze bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch frozen := p.frozen[direction]; {
	case freeze && frozen == nil:
		p.frozen[direction] = make(chan struct{})
	case !freeze && frozen != nil:
		close(frozen)
		p.frozen[direction] = nil
	}
}

// pass blocks while the direction is frozen.
func (p *Proxy) pass(direction int) {
	p.mu.Lock()
	frozen := p.frozen[direction]
	p.mu.Unlock()
	if frozen != nil {
		<-frozen
	}
}

// CutAtCommit forwards the next commit of a PostgreSQL client and closes the connection instead of forwarding the reply, once. The
// command is COMMIT, INSERT, UPDATE or DELETE for a statement in a transaction of its own, or BATCH for changes that are sent together with
// their commit.
func (p *Proxy) CutAtCommit(command string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commit = command
}

// HasCut reports whether the reply to CutAtCommit was dropped.
func (p *Proxy) HasCut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.commit == ""
}

// reportsCommit reports whether PostgreSQL's messages confirm that the command was executed and committed: a
// CommandComplete with its name, and readiness outside a transaction. A batch has that of a change, or of several
// queries that contain changes
// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
func reportsCommit(data []byte, command string) bool {
	const header, ready = 5, "Z\x00\x00\x00\x05I"
	if !bytes.Contains(data, []byte(ready)) {
		return false
	}
	if command != "BATCH" {
		return bytes.Contains(data, []byte(command))
	}
	completed := map[string]int{}
	for rest := data; len(rest) >= header; {
		message := rest[:min(len(rest), 1+int(binary.BigEndian.Uint32(rest[1:header])))]
		if message[0] == 'C' {
			name, _, _ := bytes.Cut(message[header:], []byte(" "))
			completed[string(name)]++
		}
		rest = rest[len(message):]
	}
	return completed["SELECT"]+completed["INSERT"]+completed["UPDATE"]+completed["DELETE"] > 1
}

// CutAtAnswer forwards requests and closes the connection instead of forwarding the next reply,
// once.
func (p *Proxy) CutAtAnswer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = true
}

// Record keeps what the service sends on new connections. The returned function returns it by connection, since its last call.
func (p *Proxy) Record() (received func() []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.received = []*bytes.Buffer{}
	return func() (all []string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, buffer := range p.received {
			all = append(all, buffer.String())
			buffer.Reset()
		}
		return all
	}
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
		var kept *bytes.Buffer
		if p.received != nil {
			kept = &bytes.Buffer{}
			p.received = append(p.received, kept)
		}
		p.mu.Unlock()
		go func() {
			_, _ = io.Copy(gate{server, p}, client)
			_ = server.Close()
		}()
		go p.answer(client, server, kept)
	}
}

// answer forwards the server's data, and keeps it if kept is not nil.
func (p *Proxy) answer(client, server net.Conn, kept *bytes.Buffer) {
	defer func() { _ = client.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		number, err := server.Read(buffer)
		p.mu.Lock()
		if kept != nil {
			kept.Write(buffer[:number])
		}
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
		p.pass(toClient)
		if _, failed := client.Write(buffer[:number]); err != nil || failed != nil {
			return
		}
	}
}

// gate writes to the service unless this direction is frozen.
type gate struct {
	net.Conn
	proxy *Proxy
}

// Write blocks while the direction is frozen.
func (g gate) Write(data []byte) (int, error) {
	g.proxy.pass(toService)
	return g.Conn.Write(data)
}
