// Package proxytest runs nginx and Caddy with the sites of deploy/ in front of servers of a test.
package proxytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// Proxy is a proxy for the name localhost with a certificate of its own.
type Proxy struct {
	// Port has TLS. Plain is the port without TLS, which only nginx uses.
	Port, Plain string
	// Certificate and Key are the paths of the certificate.
	Certificate, Key string
	// Trusted are the authorities of the certificate.
	Trusted *x509.CertPool
	folder  string
}

// New returns a proxy that is not started. It chooses the ports and writes the certificate.
func New(t *testing.T) *Proxy {
	t.Helper()
	p := &Proxy{Port: storetest.FreePort(t), Plain: storetest.FreePort(t), folder: t.TempDir()}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour),
		IsCA:     true, BasicConstraintsValid: true,
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	p.Certificate, p.Key = filepath.Join(p.folder, "fullchain.pem"), filepath.Join(p.folder, "privkey.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	p.write(t, p.Certificate, text)
	p.write(t, p.Key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: sealed}))
	p.Trusted = x509.NewCertPool()
	p.Trusted.AppendCertsFromPEM(text)
	return p
}

// URL returns the address of the proxy.
func (p *Proxy) URL() string { return "https://localhost:" + p.Port }

// TLS returns the configuration of its clients.
func (p *Proxy) TLS() *tls.Config {
	return &tls.Config{RootCAs: p.Trusted, ServerName: "localhost", MinVersion: tls.VersionTLS12}
}

func (*Proxy) write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Nginx starts nginx with the site of deploy/proxy before the servers.
func (p *Proxy) Nginx(t *testing.T, servers ...string) {
	t.Helper()
	site := Replaced(t, Deployed(t, "proxy/nginx.conf"), "listen 80;", "listen 127.0.0.1:"+p.Plain+";", "listen 443 ssl", "listen 127.0.0.1:"+p.Port+" ssl",
		"equity.example.com", "localhost", "/etc/ssl/equity/fullchain.pem", p.Certificate, "/etc/ssl/equity/privkey.pem", p.Key, "$host;",
		"$http_host;")
	const first = "    server 127.0.0.1:8080"
	before, after, _ := strings.Cut(site, first)
	options, after, found := strings.Cut(after, "\n")
	if !found {
		t.Fatalf("%q is missing in\n%s", first, site)
	}
	var upstream strings.Builder
	for _, server := range servers {
		fmt.Fprintf(&upstream, "    server %s%s\n", server, options)
	}
	StartNginx(t, p.folder, "events {}\nhttp {\naccess_log off;\n"+NginxFolders(p.folder)+before+upstream.String()+after+"}\n")
}

// NginxFolders returns the directives of the temporary folders, which users other than root cannot create at their defaults.
func NginxFolders(folder string) string {
	var directives strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&directives, "%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	return directives.String()
}

// StartNginx checks the configuration and starts nginx in the folder.
func StartNginx(t *testing.T, folder, configuration string) {
	t.Helper()
	path := filepath.Join(folder, "nginx.conf")
	text := "daemon off; master_process off; pid " + folder + "/pid; error_log stderr;\n" + configuration
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, "nginx", "-t", "-q", "-c", path)
	start(t, exec.CommandContext(t.Context(), "nginx", "-c", path))
}

// Caddy starts Caddy with the site of deploy/proxy before the servers.
func (p *Proxy) Caddy(t *testing.T, servers ...string) {
	t.Helper()
	site := "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_sni localhost\n}\n" + Replaced(t, Deployed(t, "proxy/Caddyfile"),
		"equity.example.com {", p.URL()+" {\n\tbind 127.0.0.1\n\ttls "+p.Certificate+" "+p.Key,
		"127.0.0.1:8080", strings.Join(servers, " "))
	path := filepath.Join(p.folder, "Caddyfile")
	p.write(t, path, []byte(site))
	check(t, "caddy", "validate", "--adapter", "caddyfile", "--config", filepath.Join(deployFolder(t), "proxy", "Caddyfile"))
	command := exec.CommandContext(t.Context(), "caddy", "run", "--adapter", "caddyfile", "--config", path)
	command.Env = append(os.Environ(), "XDG_DATA_HOME="+p.folder, "XDG_CONFIG_HOME="+p.folder, "HOME="+p.folder)
	start(t, command)
}

// check runs a program that .ci/with-services installs.
func check(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v; run the tests with .ci/with-services\n%s", name, strings.Join(arguments, " "), err, out)
	}
}

// start starts the command. It is ended after the test, and its output is logged if the test has failed.
func start(t *testing.T, command *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer // complete after Wait
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%.20000s", log.String())
		}
	})
}

// Deployed returns the text of a file of deploy/.
func Deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deployFolder(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// deployFolder returns the path of deploy/, which is beside go.mod.
func deployFolder(t *testing.T) string {
	t.Helper()
	for folder := "."; len(folder) < 100; folder = filepath.Join("..", folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, "deploy")
		}
	}
	t.Fatal("go.mod is not above the folder of the test")
	return ""
}

// Replaced replaces each text, which must be present.
func Replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is missing in\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}
