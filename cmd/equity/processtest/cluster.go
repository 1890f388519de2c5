package processtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"equity/actors/cluster"
	"equity/captable"
	"equity/http/relay"
	"equity/messages"
	"equity/organization"
	"equity/persistence/storetest"
)

// Cluster is a group of servers as processes over one database, each on its own address of the loopback range. They are built without the
// race detector, because it makes them too slow for the times of a cluster.
type Cluster struct {
	t        *testing.T
	settings Settings
	folder   string

	mu    sync.RWMutex
	nodes []*Server
}

// StartCluster starts a cluster. Change may change the settings of each node, and may be nil.
func StartCluster(t *testing.T, settings Settings, number int, change func(node int, settings Settings) Settings) *Cluster {
	t.Helper()
	c := &Cluster{t: t, settings: settings, folder: t.TempDir()}
	var network [2]byte // of the loopback addresses, of this cluster alone
	_, _ = rand.Read(network[:])
	for i := range number {
		command := exec.CommandContext(t.Context(), PlainProgram(t), "cluster", "certificate", c.folder, "--name", c.name(i))
		command.Env = settings.environment()
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("certificate: %v\n%s", err, out)
		}
		node := settings.With("CLUSTER_ADDRESS", storetest.FreeAddress(t, [4]byte{127, network[0], network[1], byte(i + 2)})).
			With("CLUSTER_CA", filepath.Join(c.folder, "ca.pem")).
			With("CLUSTER_CERT", filepath.Join(c.folder, c.name(i)+".pem")).With("CLUSTER_KEY", filepath.Join(c.folder, c.name(i)+".key"))
		if change != nil {
			node = change(i, node)
		}
		c.nodes = append(c.nodes, start(t, node, PlainProgram(t)))
	}
	return c
}

func (*Cluster) name(node int) string { return "node" + strconv.Itoa(node+1) }

// Node returns a node.
func (c *Cluster) Node(i int) *Server {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.nodes[i]
}

// Link returns a client with the certificate of the node, and the node as its receiver.
func (c *Cluster) Link(t *testing.T, i int) (*relay.Client, messages.Node) {
	t.Helper()
	settings := c.Node(i).settings
	credentials, err := relay.LoadCredentials(settings["CLUSTER_CA"], settings["CLUSTER_CERT"], settings["CLUSTER_KEY"])
	if err != nil {
		t.Fatal(err)
	}
	link := relay.NewClient(credentials)
	t.Cleanup(link.Close)
	return link, messages.Node{Address: settings["CLUSTER_ADDRESS"]}
}

// Restart starts a node again after its process has ended.
func (c *Cluster) Restart(t *testing.T, i int) {
	t.Helper()
	again := start(t, c.Node(i).settings, PlainProgram(t))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nodes[i] = again
}

// Size returns the number of nodes.
func (c *Cluster) Size() int { return len(c.nodes) }

// FirstOf returns the number of the node that is asked first for the company among the given nodes; all without any.
func (c *Cluster) FirstOf(t *testing.T, company Company, among ...int) int {
	t.Helper()
	id, err := captable.ParseID[organization.Organization](company.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(among) == 0 {
		among = c.all()
	}
	addresses := make([]string, len(among))
	for i, node := range among {
		addresses[i] = c.Node(node).settings["CLUSTER_ADDRESS"]
	}
	first := cluster.First(addresses, id)
	for i, address := range addresses {
		if address == first {
			return among[i]
		}
	}
	t.Fatal("no node is first for the company")
	return 0
}

// Balanced returns the client behind a load balancer: it sends each request to the next of the given nodes that accepts a connection; of
// all without any.
func (c *Cluster) Balanced(client *Client, among ...int) *Client {
	if len(among) == 0 {
		among = c.all()
	}
	balanced := &balancer{cluster: c, among: among, next: client.http.Transport}
	return &Client{http: &http.Client{Jar: client.http.Jar, Timeout: client.http.Timeout, Transport: balanced}, URL: client.URL}
}

// all returns the numbers of all nodes.
func (c *Cluster) all() (nodes []int) {
	for i := range c.nodes {
		nodes = append(nodes, i)
	}
	return nodes
}

type balancer struct {
	cluster *Cluster
	among   []int
	next    http.RoundTripper
	count   atomic.Uint64
}

// RoundTrip sends the request to a node.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var failed error
	for range 40 * len(b.among) {
		node := b.cluster.Node(b.among[b.count.Add(1)%uint64(len(b.among))])
		request := r.Clone(r.Context())
		request.URL.Host = node.URL[len("http://"):]
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			request.Body = body
		}
		response, err := b.next.RoundTrip(request)
		if err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			return response, err
		}
		failed = err
		time.Sleep(10 * time.Millisecond)
	}
	return nil, fmt.Errorf("no node accepts a connection: %w", failed)
}

// Readings checks reads of the outstanding shares of a company while writers issue single shares, each with a key of its own.
type Readings struct {
	ledger *Ledger
	// latest is the largest value of a finished read.
	latest atomic.Int64
	count  atomic.Int64
	failed atomic.Int64
}

// Read runs readers until the context ends. A value must contain each write that was acknowledged before the read began, and must not be
// smaller than that of a read that ended before. Only statuses 200 and 503 are permitted; with strict only 200.
func (r *Readings) Read(ctx context.Context, t *testing.T, c *Client, company Company, readers int, strict bool) {
	t.Helper()
	var group sync.WaitGroup
	for range readers {
		group.Go(func() {
			for r.ledger.next(ctx) {
				least := max(r.latest.Load(), int64(len(r.ledger.Of(Acknowledged))))
				begin := time.Now()
				answer, err := c.Do(context.WithoutCancel(ctx), "GET", company.path("/captable"), nil)
				if err != nil || answer.Status != http.StatusOK {
					r.failed.Add(1)
					if strict || err == nil && answer.Status != http.StatusServiceUnavailable {
						t.Errorf("read: %v %d %v", err, answer.Status, answer.Body)
						return
					}
					continue
				}
				totals, _ := answer.Body["totals"].(map[string]any)
				value, _ := strconv.ParseInt(text(totals, "outstanding"), 10, 64)
				if value < least {
					t.Errorf("a read shows %d shares after %d were acknowledged or read", value, least)
					return
				}
				for seen := r.latest.Load(); value > seen && !r.latest.CompareAndSwap(seen, value); seen = r.latest.Load() {
				}
				r.count.Add(1)
				r.ledger.history.read(value, begin)
			}
		})
	}
	group.Wait()
}

// NewReadings returns readings of the writes of the ledger.
func NewReadings(l *Ledger) *Readings { return &Readings{ledger: l} }

// Count returns the number of answered reads, and Failed that of others.
func (r *Readings) Count() int64 { return r.count.Load() }

// Failed returns the number of reads without an answer.
func (r *Readings) Failed() int64 { return r.failed.Load() }

// WriteThrough runs writers that continue after errors until the context ends. With strict, each write must be acknowledged.
func (l *Ledger) WriteThrough(ctx context.Context, t *testing.T, c *Client, company Company, name string, writers int, strict bool) {
	t.Helper()
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := 0; i == 0 || l.next(ctx); i++ {
				id := fmt.Sprintf("%s-%d-%d", name, w, i)
				l.note(id, Unknown)
				begin := time.Now()
				answer, err := c.Issue(context.WithoutCancel(ctx), company, company.Holder, "1", id)
				l.history.wrote(id, begin)
				outcome := Unknown
				known := true
				if err == nil {
					outcome, known = outcomeOf(answer)
				}
				if !known || strict && outcome != Acknowledged {
					t.Errorf("write %s: %v %d: %v", id, err, answer.Status, answer.Body)
				}
				l.note(id, outcome)
			}
		})
	}
	group.Wait()
}

// AnsweredAfter sends writes one after another, each without a retry of the client, and returns the time until one is acknowledged.
func (l *Ledger) AnsweredAfter(ctx context.Context, c *Client, company Company) (time.Duration, error) {
	begin := time.Now()
	for i := 0; ; i++ {
		id := "probe-" + rand.Text()
		l.note(id, Unknown)
		sent := time.Now()
		answer, err := c.Issue(ctx, company, company.Holder, "1", id)
		l.history.wrote(id, sent)
		if err == nil && answer.Status == http.StatusCreated {
			l.note(id, Acknowledged)
			return time.Since(begin), nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
}
