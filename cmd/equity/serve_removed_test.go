package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"equity/messages"
)

// TestRemovedServerEndsRunningRequestsAtOnce stops a server whose organizations have other owners, during a request.
func TestRemovedServerEndsRunningRequestsAtOnce(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	running := make(chan struct{})
	server := newHTTPServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(running)
		<-r.Context().Done()
	}), slog.New(slog.DiscardHandler))
	served, answered := make(chan error, 1), make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	go func() {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String(), nil)
		if err == nil {
			var response *http.Response
			if response, err = http.DefaultClient.Do(request); err == nil {
				err = response.Body.Close()
			}
		}
		answered <- err
	}()
	<-running
	ctx, lost := context.WithCancelCause(t.Context())
	lost(messages.ErrRemoved)
	begin := time.Now()
	err = stop(ctx, []*http.Server{server}, 30*time.Second)
	if took := time.Since(begin); err != nil || took > 10*time.Second {
		t.Errorf("the server stopped after %s: %v", took, err)
	}
	if err := <-answered; err == nil {
		t.Error("a removed server has answered")
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
