package storetest_test

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// pipe is a connection through a proxy, with both of its ends.
type pipe struct {
	proxy           *storetest.Proxy
	client, service net.Conn
}

func newPipe(t *testing.T) *pipe {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &pipe{proxy: storetest.NewProxy(t, listener.Addr().String())}
	if p.client, err = net.Dial("tcp", p.proxy.Address()); err != nil {
		t.Fatal(err)
	}
	if p.service, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() {
		_ = p.client.Close()
		_ = p.service.Close()
		_ = listener.Close()
	})
	return p
}

// send sends a text in both directions.
func (p *pipe) send(t *testing.T, text string) {
	t.Helper()
	for _, end := range []net.Conn{p.client, p.service} {
		if _, err := io.WriteString(end, text); err != nil {
			t.Fatal(err)
		}
	}
}

// expect checks that the end receives the text; "" for no data within a short time.
func expect(t *testing.T, name string, end net.Conn, text string) {
	t.Helper()
	limit := 20 * time.Second
	if text == "" {
		limit = 50 * time.Millisecond
	}
	if err := end.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	received := make([]byte, max(len(text), 1))
	n, err := io.ReadFull(end, received)
	if silent := errors.Is(err, os.ErrDeadlineExceeded); string(received[:n]) != text || err != nil && (text != "" || !silent) {
		t.Errorf("the %s received %q, %v; want %q", name, received[:n], err, text)
	}
}

func TestFrozenDirectionsAreHeldBackUntilTheThaw(t *testing.T) {
	t.Parallel()
	for name, direction := range map[string]struct {
		freeze              func(*storetest.Proxy, bool)
		toService, toClient bool // the directions that are frozen
	}{
		"both":     {(*storetest.Proxy).Freeze, true, true},
		"requests": {(*storetest.Proxy).FreezeRequests, true, false},
		"answers":  {(*storetest.Proxy).FreezeAnswers, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPipe(t)
			p.send(t, "before")
			expect(t, "service", p.service, "before")
			expect(t, "client", p.client, "before")
			direction.freeze(p.proxy, true)
			p.send(t, "during")
			for _, end := range []struct {
				name   string
				conn   net.Conn
				frozen bool
			}{{"service", p.service, direction.toService}, {"client", p.client, direction.toClient}} {
				if end.frozen {
					expect(t, end.name, end.conn, "")
					continue
				}
				expect(t, end.name, end.conn, "during")
			}
			direction.freeze(p.proxy, false)
			if direction.toService {
				expect(t, "service", p.service, "during")
			}
			if direction.toClient {
				expect(t, "client", p.client, "during")
			}
			p.send(t, "after")
			expect(t, "service", p.service, "after")
			expect(t, "client", p.client, "after")
		})
	}
}
