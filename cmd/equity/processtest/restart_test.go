package processtest_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/cmd/equity/proxytest"
	"equity/persistence/storetest"
)

// TestRollingRestartBehindProxiesIsInvisible restarts each of three servers behind the sites of deploy/proxy, with the DRAIN_DELAY of the unit of
// systemd, while callers write, read and follow a stream through the proxy.
func TestRollingRestartBehindProxiesIsInvisible(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*proxytest.Proxy, *testing.T, ...string){
		"nginx": (*proxytest.Proxy).Nginx, "Caddy": (*proxytest.Proxy).Caddy,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := processtest.ClusterServices(t).With("DRAIN_DELAY", "5s").With("TRUSTED_PROXIES", "127.0.0.1")
			var servers []string
			cluster := processtest.StartCluster(t, settings, 3, func(_ int, node processtest.Settings) processtest.Settings {
				servers = append(servers, storetest.FreeAddress(t, [4]byte{127, 0, 0, 1}))
				return node.With("LISTEN", servers[len(servers)-1])
			})
			proxy := proxytest.New(t)
			start(proxy, t, servers...)
			connections := &processtest.Connections{}
			transport := connections.Watch(&http.Transport{MaxIdleConnsPerHost: 64, TLSClientConfig: proxy.TLS()})
			awaitProxy(t, transport, proxy.URL())
			client := processtest.SignInAt(t, proxy.URL(), transport, settings, user)
			l := &clusterLoad{cluster: cluster, client: client, ledger: processtest.NewLedger(), stream: &processtest.Stream{}}
			l.begin(t, fewWriters, true)
			var ends []time.Duration
			for end := time.Now().Add(fireTime(t)); len(ends) == 0 || time.Now().Before(end); {
				for node := range cluster.Size() {
					ends = append(ends, stopTime(t, cluster.Node(node)))
					cluster.Restart(t, node)
				}
			}
			closed := connections.Closed()
			l.end(t, settings)
			t.Logf("%d connections of callers, %d closed, ends within %v", connections.Opened(), closed, ends)
			if closed != 0 {
				t.Errorf("the proxy closed %d connections of callers", closed)
			}
		})
	}
}

// awaitProxy waits until the proxy answers.
func awaitProxy(t *testing.T, transport *http.Transport, url string) {
	t.Helper()
	client := &http.Client{Transport: transport}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/readyz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the proxy does not answer: %v", err)
		}
	}
}

// stopTime stops the server and returns the time that it took.
func stopTime(t *testing.T, server *processtest.Server) time.Duration {
	t.Helper()
	begin := time.Now()
	if err := server.Stop(t, 40*time.Second); err != nil {
		t.Errorf("stop: %v", err)
	}
	return time.Since(begin).Round(time.Millisecond)
}

// TestStoppingServerClosesNoConnection stops a server without a proxy and without DRAIN_DELAY, while callers send requests on kept connections and on new
// ones. Each connection that is not refused carries its requests to their answers.
func TestStoppingServerClosesNoConnection(t *testing.T) {
	t.Parallel()
	settings := processtest.Embedded(t)
	server := processtest.StartPlain(t, settings)
	client := processtest.SignIn(t, server, settings, user)
	company := client.NewCompany(t, "10000000")
	ledger, connections := processtest.NewLedger(), &processtest.Connections{}
	var requests atomic.Int64
	var ends []time.Duration
	for round := range 5 {
		before := requests.Load()
		var callers sync.WaitGroup
		for caller := range 16 {
			transport := connections.Watch(&http.Transport{MaxConnsPerHost: 1, DisableKeepAlives: caller%4 == 3})
			alone := client.At(server).Over(t, transport)
			callers.Go(func() {
				err := ledger.WriteAndReadUntilRefused(t.Context(), alone, company, fmt.Sprintf("round%d-%d", round, caller), &requests)
				if !errors.Is(err, syscall.ECONNREFUSED) {
					t.Errorf("caller %d: %v", caller, err)
				}
			})
		}
		for requests.Load() < before+200 && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond) // polls the callers
		}
		ends = append(ends, stopTime(t, server))
		callers.Wait()
		server = processtest.StartPlain(t, settings)
	}
	ledger.Check(t, client.At(server), company)
	idle := stopTime(t, server)
	t.Logf("%d requests on %d connections, %d closed, ends within %v, without callers %v",
		requests.Load(), connections.Opened(), connections.Closed(), ends, idle)
	if n := connections.Closed(); n != 0 {
		t.Errorf("the server closed %d connections", n)
	}
}
