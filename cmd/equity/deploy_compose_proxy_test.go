package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"equity/cmd/equity/proxytest"
	"equity/persistence/storetest"
)

// TestProxyOfComposeSkipsMissingServers runs the proxy with addresses in place of the names of the containers. One of the three servers does not
// listen. Streams are not buffered.
func TestProxyOfComposeSkipsMissingServers(t *testing.T) {
	t.Parallel()
	finish := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			_, _ = io.WriteString(w, "first\n")
			_ = http.NewResponseController(w).Flush()
			<-finish
			return
		}
		_, _ = io.WriteString(w, r.Header.Get("X-Forwarded-For")+" "+r.Host)
	}))
	storetest.Cleanup(t, server.Close)
	storetest.Cleanup(t, func() { close(finish) })
	folder, port, backend := t.TempDir(), storetest.FreePort(t), strings.TrimPrefix(server.URL, "http://")
	proxytest.StartNginx(t, folder, proxytest.Replaced(t, proxytest.Deployed(t, "compose/nginx.conf"),
		"http {\n", "http {\naccess_log off;\n"+proxytest.NginxFolders(folder),
		"node1:8080", backend, "node2:8080", "127.0.0.1:"+storetest.FreePort(t), "node3:8080", strings.Replace(backend, "127.0.0.1", "localhost", 1),
		"listen 8080", "listen 127.0.0.1:"+port))
	get := func(path string) (*http.Response, error) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Forwarded-For", "198.51.100.7")
		return http.DefaultClient.Do(request)
	}
	until(t, "the proxy", func() bool {
		response, err := get("/")
		if err == nil {
			_ = response.Body.Close()
		}
		return err == nil
	})
	for range 6 { // the proxy takes the servers in turn
		response, err := get("/")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if want := "198.51.100.7, 127.0.0.1 127.0.0.1:" + port; string(body) != want {
			t.Errorf("%d %q instead of %q", response.StatusCode, body, want)
		}
	}
	response, err := get("/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || line != "first\n" {
		t.Errorf("%q %v", line, err)
	}
}
