package http_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	equityhttp "equity/http"
)

// TestClosedListenerResetsNoConnection closes a listener while clients open new connections as fast as they can. A connection may be refused, but an
// established one must be answered.
func TestClosedListenerResetsNoConnection(t *testing.T) {
	t.Parallel()
	var answered atomic.Int64
	for range 3 {
		var plain net.ListenConfig
		plain.SetMultipathTCP(false)
		listener, err := plain.Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
		})}
		wrapped := equityhttp.StrictFraming(equityhttp.SmallBuffers(listener, 64<<10))
		go func() { _ = server.Serve(wrapped) }()
		before := answered.Load()
		var clients sync.WaitGroup
		for range 16 {
			clients.Go(func() {
				for {
					err := exchangeOnce(t.Context(), listener.Addr().String())
					if errors.Is(err, syscall.ECONNREFUSED) {
						return
					}
					if err != nil {
						t.Errorf("an established connection failed: %v", err)
						return
					}
					answered.Add(1)
				}
			})
		}
		for answered.Load() < before+100 {
			time.Sleep(time.Millisecond) // polls the clients
		}
		if err := equityhttp.CloseListener(wrapped); err != nil {
			t.Error(err)
		}
		clients.Wait()
		_ = server.Close()
	}
	t.Logf("%d connections were answered", answered.Load())
}

// exchangeOnce sends a request on a new connection.
func exchangeOnce(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
		return errors.New("write: " + err.Error())
	}
	answer, err := io.ReadAll(conn)
	if err == nil && !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
		err = errors.New("answer: " + string(answer))
	}
	if err != nil {
		return errors.New("read: " + err.Error())
	}
	return nil
}
