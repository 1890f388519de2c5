package bench_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"equity/cmd/equity/bench"
	"equity/persistence/storetest"
)

func TestConnectionsStayOpenUntilTheirFirstArrival(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = w.Write([]byte("answer"))
	}))
	// The time of a connection until its first request is shorter than the pause.
	server.Config.ReadHeaderTimeout, server.Config.IdleTimeout = 100*time.Millisecond, time.Minute
	server.Start()
	storetest.Cleanup(t, server.Close)
	accepted, err := bench.ArriveAfter(t.Context(), server.Listener.Addr().String(), 500*time.Millisecond)
	if err != nil || accepted != 1 {
		t.Errorf("%d requests were accepted, want 1: %v", accepted, err)
	}
}
