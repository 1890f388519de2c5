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
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// ServerName is the name in the certificates of all nodes.
const ServerName = "equity-cluster"

// Paths of the questions between nodes. Other paths are forwarded requests.
const (
	pathHurry   = "/cluster/hurry"
	pathWake    = "/cluster/wake"
	pathCatchUp = "/cluster/catch-up"
	pathFollow  = "/cluster/follow"
	pathRevoke  = "/cluster/revoke"
)

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
		Certificates: []tls.Certificate{c.own}, ClientCAs: c.authority, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS13,
	}
}

func (c Credentials) client() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{c.own}, RootCAs: c.authority, ServerName: ServerName, MinVersion: tls.VersionTLS13}
}

// Client sends requests to other nodes. It is safe for concurrent use.
type Client struct {
	requests, streams *http.Transport
	log               *slog.Logger
}

// NewClient returns a client with the certificate of this node.
func NewClient(c Credentials, log *slog.Logger) *Client {
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
	return &Client{requests, streams, log}
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

// Hurry asks a node to renew its lease at once. It does not wait.
func (c *Client) Hurry(to messages.Node) {
	go c.tell(to, pathHurry, nil)
}

// Wake wakes a consumer at a node. It does not wait.
func (c *Client) Wake(to messages.Node, id organization.ID, consumer string) {
	go c.tell(to, pathWake, url.Values{"organization": {id.String()}, "consumer": {consumer}})
}

// CatchUp returns when the node, as the owner, serves the organization as of the sequence.
func (c *Client) CatchUp(ctx context.Context, to messages.Node, id organization.ID, sequence uint64) error {
	_, err := c.ask(ctx, to, pathCatchUp, url.Values{"organization": {id.String()}, "sequence": {strconv.FormatUint(sequence, 10)}})
	return err
}

// The headers of a read lease.
const (
	sequenceHeader = "Equity-Sequence"
	lengthHeader   = "Equity-Lease"
)

// Follow requests a read lease of the node, as the owner, for the holder.
func (c *Client) Follow(ctx context.Context, to messages.Node, holder string, id organization.ID) (sequence uint64, length time.Duration, err error) {
	answer, err := c.ask(ctx, to, pathFollow, url.Values{"organization": {id.String()}, "holder": {holder}})
	if err != nil {
		return 0, 0, err
	}
	if sequence, err = strconv.ParseUint(answer.Get(sequenceHeader), 10, 64); err != nil {
		return 0, 0, fmt.Errorf("ask node: %w", err)
	}
	if length, err = time.ParseDuration(answer.Get(lengthHeader)); err != nil {
		return 0, 0, fmt.Errorf("ask node: %w", err)
	}
	return sequence, length, nil
}

// Revoke returns when the node has ended its read lease.
func (c *Client) Revoke(ctx context.Context, to messages.Node, id organization.ID) error {
	_, err := c.ask(ctx, to, pathRevoke, url.Values{"organization": {id.String()}})
	return err
}

func (c *Client) tell(to messages.Node, path string, query url.Values) {
	if _, err := c.ask(context.Background(), to, path, query); err != nil {
		c.log.Debug("node not reached", "node", to.Address, "question", path, "cause", err)
	}
}

var errRefused = errors.New("the node refused the question")

// ask sends a question, and returns the header of the answer.
func (c *Client) ask(ctx context.Context, to messages.Node, path string, query url.Values) (http.Header, error) {
	ctx, cancel := context.WithTimeout(ctx, questionWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+to.Address+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("ask node: %w", err)
	}
	response, err := c.requests.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("ask node: %w", err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		return nil, fmt.Errorf("%w: status %d", errRefused, response.StatusCode)
	}
	return response.Header, nil
}

// Node answers the questions of other nodes.
type Node struct {
	// Hurry renews the lease at once.
	Hurry func()
	// Wake wakes a consumer of an organization.
	Wake func(id organization.ID, consumer string)
	// CatchUp returns when this node, as the owner, serves the organization as of the sequence.
	CatchUp func(ctx context.Context, id organization.ID, sequence uint64) error
	// Grant grants a read lease of an organization of this node.
	Grant func(ctx context.Context, id organization.ID, holder string) (sequence uint64, length time.Duration, err error)
	// Revoke ends the read lease of this node.
	Revoke func(id organization.ID)
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
	mux.HandleFunc("POST "+pathHurry, func(w http.ResponseWriter, _ *http.Request) {
		n.Hurry()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST "+pathWake, func(w http.ResponseWriter, r *http.Request) {
		id, err := captable.ParseID[organization.Organization](r.URL.Query().Get("organization"))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		n.Wake(id, r.URL.Query().Get("consumer"))
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST "+pathCatchUp, func(w http.ResponseWriter, r *http.Request) {
		id, err := captable.ParseID[organization.Organization](r.URL.Query().Get("organization"))
		sequence, wrong := strconv.ParseUint(r.URL.Query().Get("sequence"), 10, 64)
		switch {
		case err != nil || wrong != nil:
			w.WriteHeader(http.StatusBadRequest)
		case n.CatchUp(r.Context(), id, sequence) != nil:
			w.WriteHeader(http.StatusMisdirectedRequest)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	mux.HandleFunc("POST "+pathFollow, n.follow)
	mux.HandleFunc("POST "+pathRevoke, func(w http.ResponseWriter, r *http.Request) {
		id, err := captable.ParseID[organization.Organization](r.URL.Query().Get("organization"))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		n.Revoke(id)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST "+pathCompare, n.compare)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path { // the mux would clean the paths of forwarded requests
		case pathHurry, pathWake, pathCatchUp, pathFollow, pathRevoke, pathCompare:
			mux.ServeHTTP(w, r)
		default:
			n.Forwarded.ServeHTTP(w, r)
		}
	})
}

// follow answers the request of another node for a read lease.
func (n Node) follow(w http.ResponseWriter, r *http.Request) {
	id, err := captable.ParseID[organization.Organization](r.URL.Query().Get("organization"))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	sequence, length, err := n.Grant(r.Context(), id, r.URL.Query().Get("holder"))
	if err != nil {
		w.WriteHeader(http.StatusMisdirectedRequest)
		return
	}
	w.Header().Set(sequenceHeader, strconv.FormatUint(sequence, 10))
	w.Header().Set(lengthHeader, length.String())
	w.WriteHeader(http.StatusNoContent)
}
