package chattest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// Proxy stands in front of a chat server. It is safe for concurrent use.
type Proxy struct {
	URL     string
	forward http.Handler
	fault   atomic.Pointer[http.HandlerFunc]
	before  atomic.Pointer[func(*http.Request)]
	calls   atomic.Int64
}

// NewProxy returns a proxy of the server without a fault.
func (s *Server) NewProxy(tb testing.TB) *Proxy {
	tb.Helper()
	to, err := url.Parse(s.URL)
	if err != nil {
		tb.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(to)
	forward.ErrorLog = log.New(io.Discard, "", 0) // clients may close their connections
	p := &Proxy{forward: forward}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.calls.Add(1)
		if fault := p.fault.Load(); fault != nil {
			(*fault)(w, r)
			return
		}
		if before := p.before.Load(); before != nil {
			(*before)(r)
		}
		forward.ServeHTTP(w, r)
	}))
	tb.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	p.URL = server.URL
	return p
}

// Break makes the proxy answer each request with the fault; nil ends it.
func (p *Proxy) Break(fault http.HandlerFunc) {
	if fault == nil {
		p.fault.Store(nil)
		return
	}
	p.fault.Store(&fault)
}

// Ignore returns a fault that confirms requests to the path without forwarding them, and forwards others.
func (p *Proxy) Ignore(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			_, _ = io.WriteString(w, `{"status":"OK"}`)
			return
		}
		p.forward.ServeHTTP(w, r)
	}
}

// Before makes the proxy call do before it forwards a request.
func (p *Proxy) Before(do func(*http.Request)) { p.before.Store(&do) }

// Calls returns the number of requests.
func (p *Proxy) Calls() int64 { return p.calls.Load() }

// Down breaks each connection.
func Down(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Hang sends no answer.
func Hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Status answers each request with the status.
func Status(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}
