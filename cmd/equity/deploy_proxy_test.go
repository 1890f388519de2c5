package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"equity/cmd/equity/proxytest"
	"equity/persistence/storetest"
)

func TestNginxRedirectsToItsOwnNameOnly(t *testing.T) {
	t.Parallel()
	proxy := proxytest.New(t)
	proxy.Nginx(t, "127.0.0.1:"+storetest.FreePort(t))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, host := range []string{"localhost", "evil.example", "evil.example:80", "localhost.evil.example"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+proxy.Plain+"/verify?token=x", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		status, to := 0, ""
		until(t, "the proxy", func() bool {
			answer, err := client.Do(request)
			if err != nil {
				return false
			}
			status, to = answer.StatusCode, answer.Header.Get("Location")
			return answer.Body.Close() == nil
		})
		if status != http.StatusMovedPermanently || to != "https://localhost/verify?token=x" {
			t.Errorf("%s: %d %s", host, status, to)
		}
	}
}

// TestProxiesPassStreamsUploadsAndAddresses runs the demo server behind each example.
func TestProxiesPassStreamsUploadsAndAddresses(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*proxytest.Proxy, *testing.T, ...string){
		"nginx": (*proxytest.Proxy).Nginx, "caddy": (*proxytest.Proxy).Caddy,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := proxytest.New(t)
			s := setup(t)
			s.variables["PUBLIC_URL"] = proxy.URL()
			backend := "127.0.0.1:" + storetest.FreePort(t)
			s.variables["LISTEN"] = backend
			s.serve(t, "--demo")
			start(proxy, t, backend)
			jar, _ := cookiejar.New(nil)
			client := &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: proxy.TLS()}}
			p := proxied{&browser{client, proxy.URL()}, proxy.Trusted}
			home := p.check(t)
			if name == "nginx" { // Caddy refuses the bytes beyond the limit, and not their announcement
				p.refusesAnnouncedBodies(t, home)
				p.compresses(t, home)
			}
		})
	}
}

// proxied is a browser behind a proxy.
type proxied struct {
	*browser
	trusted *x509.CertPool
}

func (p proxied) check(t *testing.T) (home string) {
	t.Helper()
	p.wait(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/v1/user/login", strings.NewReader(demoLogin))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", p.url)
	request.Header.Set("X-Forwarded-For", "198.51.100.7") // forged by the client
	response, err := p.client.Do(request)
	if err != nil || response.StatusCode != http.StatusOK || response.Header.Get("Strict-Transport-Security") == "" {
		t.Fatalf("sign-in: %v %v", err, response)
	}
	_ = response.Body.Close()
	if cookie := response.Cookies()[0]; cookie.Name != "connect.sid" || cookie.Path != "/" || cookie.Domain != "" || !cookie.Secure || !cookie.HttpOnly {
		t.Errorf("the cookie of the session: %v", cookie)
	}
	if status, _, _ := p.send(t, http.MethodGet, "/healthz", ""); status != http.StatusNotFound {
		t.Errorf("the health check is public: %d", status)
	}
	_, _, list := p.send(t, http.MethodGet, "/v1/organization", "")
	var found struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(list), &found); err != nil || len(found.Data) == 0 {
		t.Fatalf("%v %s", err, list)
	}
	home = "/v1/organization/" + found.Data[0].ID
	p.stream(t, home)
	if status := p.upload(t, home, 8<<20); status != http.StatusCreated {
		t.Errorf("an upload of 8 MB: %d", status)
	}
	if status := p.upload(t, home, 11<<20); status != http.StatusRequestEntityTooLarge {
		t.Errorf("an upload beyond the limit of the server: %d", status)
	}
	return home
}

// compresses changes a record with the weak ETag of its compressed answer.
func (p proxied) compresses(t *testing.T, home string) {
	t.Helper()
	_, _, list := p.send(t, http.MethodGet, home+"/security", "")
	var found struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(list), &found); err != nil || len(found.Data) == 0 {
		t.Fatalf("%v %s", err, list)
	}
	record := home + "/security/" + found.Data[0].ID
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+record, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	read, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Body.Close()
	tag := read.Header.Get("ETag")
	if !read.Uncompressed || !strings.HasPrefix(tag, "W/") {
		t.Fatalf("compressed: %t, ETag %s, length %d", read.Uncompressed, tag, read.ContentLength)
	}
	request, err = http.NewRequestWithContext(t.Context(), http.MethodDelete, p.url+record+"?dryRun=true", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", p.url)
	request.Header.Set("If-Match", tag)
	changed, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = changed.Body.Close()
	if changed.StatusCode != http.StatusConflict { // the class has shares; another version would be 412
		t.Errorf("a change with %s: %s", tag, changed.Status)
	}
}

// wait waits until the proxy answers for the server.
func (p proxied) wait(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/readyz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if response, err := p.client.Do(request); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("the proxy does not answer")
		}
		select { // polls another process
		case <-t.Context().Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stream reads an event that is recorded after the stream was opened. A proxy that buffers would keep it.
func (p proxied) stream(t *testing.T, home string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+home+"/event", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if status, _, body := p.send(t, http.MethodPatch, home, `{"website":"https://proxy.example.com"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if !scanned(bufio.NewScanner(response.Body), "event: organizationChanged") {
		t.Error("the event did not arrive")
	}
}

// upload stores a document and returns the status.
func (p proxied) upload(t *testing.T, home string, size int) int {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", fmt.Sprintf("%d.bin", size))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(bytes.Repeat([]byte("0123456789abcdef"), size/16)); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+home+"/document", &form)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", w.FormDataContentType())
	response, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// refusesAnnouncedBodies announces a body beyond the limit of the proxy.
func (p proxied) refusesAnnouncedBodies(t *testing.T, home string) {
	t.Helper()
	address := strings.TrimPrefix(p.url, "https://")
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: p.trusted, ServerName: "localhost", MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.Replace(address, "localhost", "127.0.0.1", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(
		conn, "POST %s/document HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n", home,
		address, 300<<20,
	)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || strings.HasPrefix(answer, "HTTP/1.1 2") {
		t.Errorf("%q %v", answer, err)
	}
}
