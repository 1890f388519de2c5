package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// proxyCertificate writes a certificate for localhost, and returns the paths and the pool that trusts it.
func proxyCertificate(t *testing.T, folder string) (certificate, key string, trusted *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(folder, "fullchain.pem"), filepath.Join(folder, "privkey.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	for path, content := range map[string][]byte{certificate: text, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: sealed})} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted = x509.NewCertPool()
	trusted.AppendCertsFromPEM(text)
	return certificate, key, trusted
}

// replaced replaces each text, which must be present.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is missing in\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// nginxFolders returns the directives of the temporary folders, which users other than root cannot create at their defaults.
func nginxFolders(folder string) string {
	var directives strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&directives, "%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	return directives.String()
}

// nginxCommand checks the site of nginx and returns the command that runs it.
func nginxCommand(t *testing.T, folder, port, backend, certificate, key string) *exec.Cmd {
	t.Helper()
	return nginxWithPlainPort(t, folder, storetest.FreePort(t), port, backend, certificate, key)
}

func nginxWithPlainPort(t *testing.T, folder, plain, port, backend, certificate, key string) *exec.Cmd {
	t.Helper()
	site := replaced(t, readDeployed(t, "proxy/nginx.conf"), "listen 80;", "listen 127.0.0.1:"+plain+";", "listen 443 ssl", "listen 127.0.0.1:"+port+" ssl",
		"127.0.0.1:8080", backend, "equity.example.com", "localhost", "/etc/ssl/equity/fullchain.pem", certificate, "/etc/ssl/equity/privkey.pem", key,
		"$host;", "$http_host;")
	path := filepath.Join(folder, "nginx.conf")
	text := fmt.Sprintf("daemon off; master_process off; pid %s/pid; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", folder, nginxFolders(folder), site)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	deployTool(t, "", "nginx", "-t", "-q", "-c", path)
	return exec.CommandContext(t.Context(), "nginx", "-c", path)
}

func TestNginxRedirectsToItsOwnNameOnly(t *testing.T) {
	t.Parallel()
	folder, plain, port := t.TempDir(), storetest.FreePort(t), storetest.FreePort(t)
	certificate, key, _ := proxyCertificate(t, folder)
	command := nginxWithPlainPort(t, folder, plain, port, "127.0.0.1:"+storetest.FreePort(t), certificate, key)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = command.Process.Kill(); _ = command.Wait() })
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, host := range []string{"localhost", "evil.example", "evil.example:80", "localhost.evil.example"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+plain+"/verify?token=x", http.NoBody)
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

// caddyCommand checks the site of Caddy and returns the command that runs it.
func caddyCommand(t *testing.T, folder, port, backend, certificate, key string) *exec.Cmd {
	t.Helper()
	site := "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni localhost\n}\n" + replaced(t, readDeployed(t, "proxy/Caddyfile"),
		"equity.example.com {", "https://localhost:"+port+" {\n\tbind 127.0.0.1\n\ttls "+certificate+" "+key, "127.0.0.1:8080", backend)
	path := filepath.Join(folder, "Caddyfile")
	if err := os.WriteFile(path, []byte(site), 0o600); err != nil {
		t.Fatal(err)
	}
	deployTool(t, "", "caddy", "validate", "--adapter", "caddyfile", "--config", deployed("proxy/Caddyfile"))
	command := exec.CommandContext(t.Context(), "caddy", "run", "--adapter", "caddyfile", "--config", path)
	command.Env = append(os.Environ(), "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder, "HOME="+folder)
	return command
}

// TestProxiesPassStreamsUploadsAndAddresses runs the demo server behind each example.
func TestProxiesPassStreamsUploadsAndAddresses(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, folder, port, backend, certificate, key string) *exec.Cmd{
		"nginx": nginxCommand, "caddy": caddyCommand,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, port := t.TempDir(), storetest.FreePort(t)
			certificate, key, trusted := proxyCertificate(t, folder)
			s := setup(t)
			s.variables["PUBLIC_URL"] = "https://localhost:" + port
			backend := storetest.FreePort(t)
			s.variables["LISTEN"] = "127.0.0.1:" + backend
			s.serve(t, "--demo")
			command := prepare(t, folder, port, "127.0.0.1:"+backend, certificate, key)
			var log safeBuffer
			command.Stdout, command.Stderr = &log, &log
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			storetest.Cleanup(t, func() {
				_ = command.Process.Kill()
				_ = command.Wait()
				if t.Failed() {
					t.Log(log.String())
				}
			})
			jar, _ := cookiejar.New(nil)
			client := &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
			p := proxied{&browser{client, "https://localhost:" + port}, trusted}
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
	_, err = fmt.Fprintf(conn, "POST %s/document HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n", home, address, 300<<20)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || strings.HasPrefix(answer, "HTTP/1.1 2") {
		t.Errorf("%q %v", answer, err)
	}
}
