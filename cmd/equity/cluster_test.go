package main

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"

	"equity/http/relay"
	"equity/messages"
	"equity/persistence/storetest"
)

// credentials creates the certificate of a server in the folder and loads it.
func credentials(t *testing.T, s *shell, folder, name string) relay.Credentials {
	t.Helper()
	mustContain(t, s.run(t, "cluster", "certificate", folder, "--name", name), "CLUSTER_CA="+filepath.Join(folder, "ca.pem"))
	loaded, err := relay.LoadCredentials(filepath.Join(folder, "ca.pem"), filepath.Join(folder, name+".pem"), filepath.Join(folder, name+".key"))
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestPrivateAddressAcceptsNodesOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	folder, foreign := filepath.Join(s.directory, "certificates"), filepath.Join(s.directory, "foreign")
	first, second, stranger := credentials(t, s, folder, "first"), credentials(t, s, folder, "second"), credentials(t, s, foreign, "second")
	var forwarded atomic.Int64
	log := slog.New(slog.DiscardHandler)
	server := relay.NewServer(first, relay.Node{
		Alive: func() bool { return true },
		Forwarded: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			forwarded.Add(1)
			w.WriteHeader(http.StatusTeapot)
		}),
	}, log)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	storetest.Cleanup(t, func() { _ = server.Close() })
	node := messages.Node{Address: listener.Addr().String()}
	for _, one := range []struct {
		name     string
		with     relay.Credentials
		accepted bool
	}{{"a node", second, true}, {"a certificate of another authority", stranger, false}} {
		client := relay.NewClient(one.with)
		storetest.Cleanup(t, client.Close)
		if err := client.Alive(t.Context(), node); (err == nil) != one.accepted {
			t.Errorf("%s: %v", one.name, err)
		}
		for _, stream := range []bool{false, true} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://node/v1/user/current", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Send(node, request, stream)
			if err == nil {
				_ = response.Body.Close()
			}
			if (err == nil) != one.accepted {
				t.Errorf("%s, stream %t: %v", one.name, stream, err)
			}
		}
	}
	none := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	storetest.Cleanup(t, none.CloseIdleConnections)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+node.Address+"/v1/user/current", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := none.Do(request); err == nil {
		_ = response.Body.Close()
		t.Error("a client without a certificate is accepted")
	}
	if forwarded.Load() != 2 {
		t.Errorf("%d forwarded requests", forwarded.Load())
	}
}

func TestCertificatesAreNotReplaced(t *testing.T) {
	t.Parallel()
	s := setup(t)
	folder := filepath.Join(s.directory, "certificates")
	s.run(t, "cluster", "certificate", folder)
	mustContain(t, s.refused(t, statusFailed, "cluster", "certificate", folder), "create certificate: ")
}
