// Package relay connects the nodes of a cluster over their private addresses: it forwards whole requests, and carries small questions of one
// node to another. All connections use TLS, and both sides need a certificate of the cluster's authority.
package relay

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"equity/messages"
)

// ServerName is the name in the certificates of all nodes.
const ServerName = "equity-cluster"

// pathAlive is the path of health checks. Other paths but pathCompare are forwarded requests.
const pathAlive = "/cluster/alive"

// Limits of connections between nodes.
const (
	dialWithin     = time.Second
	questionWithin = 3 * time.Second
	pingEvery      = 2 * time.Second
	pingWithin     = 2 * time.Second
	idleAtMost     = 2 * time.Minute
	parallel       = 2000 // requests of a connection
	idleStreams    = 4
)

var errNoAuthority = errors.New("the file contains no certificate")

// Credentials are the certificates of a node.
type Credentials struct {
	own       tls.Certificate
	authority *x509.CertPool
}

// LoadCredentials reads the files of the authority, the certificate and the key, in PEM form.
func LoadCredentials(authority, certificate, key string) (Credentials, error) {
	text, err := os.ReadFile(authority) //nolint:gosec // a setting of the operator
	if err != nil {
		return Credentials{}, fmt.Errorf("CLUSTER_CA: %w", err)
	}
	c := Credentials{authority: x509.NewCertPool()}
	if block, _ := pem.Decode(text); block == nil || !c.authority.AppendCertsFromPEM(text) {
		return Credentials{}, fmt.Errorf("CLUSTER_CA: %s: %w", authority, errNoAuthority)
	}
	if c.own, err = tls.LoadX509KeyPair(certificate, key); err != nil {
		return Credentials{}, fmt.Errorf("CLUSTER_CERT, CLUSTER_KEY: %w", err)
	}
	return c, nil
}

// Check returns the end of the certificate's validity, or the reason for which other nodes refuse it.
func (c Credentials) Check(now time.Time) (expires time.Time, err error) {
	chain := x509.NewCertPool()
	for _, certificate := range c.own.Certificate[1:] {
		if parsed, err := x509.ParseCertificate(certificate); err == nil {
			chain.AddCert(parsed)
		}
	}
	for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		if _, err := c.own.Leaf.Verify(x509.VerifyOptions{
			DNSName: ServerName, Roots: c.authority, Intermediates: chain, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{usage},
		}); err != nil {
			return time.Time{}, fmt.Errorf("CLUSTER_CERT: %w", err)
		}
	}
	return c.own.Leaf.NotAfter, nil
}

// server returns the settings of the private listener, which accepts nodes only.
func (c Credentials) server() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{c.own}, ClientCAs: c.authority, ClientAuth: tls.RequireAndVerifyClientCert,
		MinVersion: tls.VersionTLS13,
	}
}

func (c Credentials) client() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c.own}, RootCAs: c.authority, ServerName: ServerName, MinVersion: tls.VersionTLS13}
}

// Client sends requests to other nodes. It is safe for concurrent use.
type Client struct {
	requests, streams *http.Transport
}

// NewClient returns a client with the certificate of this node.
func NewClient(c Credentials) *Client {
	dialer := &net.Dialer{Timeout: dialWithin}
	requests := &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: c.client(), TLSHandshakeTimeout: dialWithin, IdleConnTimeout: idleAtMost,
		DisableCompression: true, Protocols: protocols(false, true),
		HTTP2: &http.HTTP2Config{SendPingTimeout: pingEvery, PingTimeout: pingWithin},
	}
	streams := &http.Transport{ // a stream takes over the connection of its request, which HTTP/2 cannot do
		DialContext: dialer.DialContext, TLSClientConfig: c.client(), TLSHandshakeTimeout: dialWithin, IdleConnTimeout: idleAtMost,
		DisableCompression: true, Protocols: protocols(true, false), MaxIdleConnsPerHost: idleStreams,
	}
	return &Client{requests, streams}
}

func protocols(one, two bool) *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(one)
	p.SetHTTP2(two)
	return &p
}

// Close closes idle connections.
func (c *Client) Close() {
	c.requests.CloseIdleConnections()
	c.streams.CloseIdleConnections()
}

// Send sends a request to the node. The answer of a stream ends with its connection.
func (c *Client) Send(to messages.Node, r *http.Request, stream bool) (*http.Response, error) {
	r.URL.Scheme, r.URL.Host = "https", to.Address
	if stream {
		return c.streams.RoundTrip(r) //nolint:wrapcheck // the caller decides about the error
	}
	return c.requests.RoundTrip(r) //nolint:wrapcheck // the caller decides about the error
}

var errRefused = errors.New("the node refused the question")

// Alive returns nil if the node answers a health check before the context ends.
func (c *Client) Alive(ctx context.Context, node messages.Node) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+node.Address+pathAlive, http.NoBody)
	if err != nil {
		return fmt.Errorf("ask node: %w", err)
	}
	response, err := c.requests.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("ask node: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("%w: status %d", errRefused, response.StatusCode)
	}
	return nil
}

// Node answers the questions of other nodes.
type Node struct {
	// Alive reports whether the node can serve requests.
	Alive func() bool
	// Fingerprints are those of the settings that all nodes must share, by name.
	Fingerprints map[string]string
	// Forwarded answers the requests that other nodes forward.
	Forwarded http.Handler
}

// NewServer returns the server of the private listener; see [http.Server.ServeTLS].
func NewServer(c Credentials, node Node, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: node.handler(), TLSConfig: c.server(), ReadHeaderTimeout: questionWithin, IdleTimeout: 2 * idleAtMost,
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: parallel},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

func (n Node) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+pathAlive, func(w http.ResponseWriter, _ *http.Request) {
		if !n.Alive() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST "+pathCompare, n.compare)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path { // the mux would clean the paths of forwarded requests
		case pathAlive, pathCompare:
			mux.ServeHTTP(w, r)
		default:
			n.Forwarded.ServeHTTP(w, r)
		}
	})
}
