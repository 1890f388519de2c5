package processtest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

const (
	// partitionTime is the duration of a partition. It is longer than the time after which a silent node is not asked and shorter than the time after which a request fails.
	partitionTime = 2200 * time.Millisecond
	// healedWithin bounds the time after a partition until a write is acknowledged through each node.
	healedWithin = 10 * time.Second
)

// healed checks after a partition that no node has ended, and that writes through each node are acknowledged.
func (l *clusterLoad) healed(t *testing.T, partition string) {
	t.Helper()
	nodes := others(l, -1)
	begin := time.Now()
	l.answeredAfter(t, nodes...)
	took := time.Since(begin)
	t.Logf("time from the end of the partition of %s to writes through all nodes: %s", partition, took)
	if took > healedWithin {
		t.Errorf("after the partition of %s, writes were acknowledged after %s", partition, took)
	}
	for _, node := range nodes {
		if l.cluster.Node(node).HasEnded() {
			t.Fatalf("node %d has ended after the partition of %s", node, partition)
		}
	}
}

// links are the proxies of each node: for connections of others to it, and for its own to Redis and to the object store.
type links struct{ peers, redis, objects []*storetest.Proxy }

// through makes all links of a node pass through proxies.
func (l *links) through(t *testing.T, node processtest.Settings) processtest.Settings {
	t.Helper()
	peer := storetest.NewProxy(t, node["CLUSTER_ADDRESS"])
	l.peers = append(l.peers, peer)
	node = node.With("CLUSTER_LISTEN", node["CLUSTER_ADDRESS"]).With("CLUSTER_ADDRESS", peer.Address())
	for name, proxies := range map[string]*[]*storetest.Proxy{"REDIS_URL": &l.redis, "STORE_URL": &l.objects} {
		address, err := url.Parse(node[name])
		if err != nil {
			t.Fatal(err)
		}
		proxy := storetest.NewProxy(t, address.Host)
		*proxies = append(*proxies, proxy)
		address.Host = proxy.Address()
		node = node.With(name, address.String())
	}
	return node
}

// writesAt checks that writes through the node are acknowledged during a partition, or that none is.
func (l *clusterLoad) writesAt(t *testing.T, node int, acknowledged bool) {
	t.Helper()
	limit := 10 * time.Second
	if !acknowledged {
		limit = time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if took, err := l.ledger.AnsweredAfter(ctx, l.direct.At(l.cluster.Node(node)), l.company); (err == nil) != acknowledged {
		t.Errorf("during the partition, a write at node %d: %s, %v", node, took, err)
	}
}

// signsIn creates a session through the node, and checks whether it is possible.
func (l *clusterLoad) signsIn(t *testing.T, node int, possible bool) {
	t.Helper()
	limit := 20 * time.Second
	if !possible {
		limit = time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if status, err := l.direct.At(l.cluster.Node(node)).SignInAgain(ctx, user); (err == nil && status == http.StatusOK) != possible {
		t.Errorf("a sign-in through node %d was answered %d %v", node, status, err)
	}
}

// stores uploads a document through the node, and reports whether it was stored.
func (l *clusterLoad) stores(ctx context.Context, t *testing.T, node int, name string) bool {
	t.Helper()
	answer, err := l.direct.At(l.cluster.Node(node)).StoreDocument(ctx, l.company, name, []byte(name))
	if err == nil && answer.Status != http.StatusCreated && answer.Status != http.StatusServiceUnavailable {
		t.Errorf("an upload through node %d was answered %d %v", node, answer.Status, answer.Body)
	}
	return err == nil && answer.Status == http.StatusCreated
}

// connectsAll sends changes through all links between nodes: of a company for each node, which is asked first for it.
func (l *clusterLoad) connectsAll(t *testing.T) {
	t.Helper()
	connected := map[int]bool{}
	for len(connected) < l.cluster.Size() {
		company := l.client.NewCompany(t, "1000")
		first := l.cluster.FirstOf(t, company)
		if connected[first] {
			continue
		}
		connected[first] = true
		for _, node := range others(l, first) {
			answer, err := l.direct.At(l.cluster.Node(node)).Issue(t.Context(), company, company.Holder, "1", "through"+strconv.Itoa(node))
			if err != nil || answer.Status != http.StatusCreated {
				t.Fatalf("a change through node %d for node %d: %d %v", node, first, answer.Status, err)
			}
		}
	}
}

// TestPartitionsOfLinksHeal interrupts each link of a cluster in turn: between nodes, to Redis, and to the object store. Other tests
// interrupt the links to the database, and between its servers.
func TestPartitionsOfLinksHeal(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	var via links
	cluster := processtest.StartCluster(t, settings, 3, func(_ int, node processtest.Settings) processtest.Settings { return via.through(t, node) })
	l := loadOf(t, cluster, settings, fewWriters, false)
	l.answeredAfter(t, 0, 1, 2)
	l.connectsAll(t)
	first := cluster.FirstOf(t, l.company)
	rest := others(l, first)
	of := func(proxies []*storetest.Proxy, nodes []int) (chosen []*storetest.Proxy) {
		for _, node := range nodes {
			chosen = append(chosen, proxies[node])
		}
		return chosen
	}
	all := others(l, -1)
	both, requests, answers := (*storetest.Proxy).Freeze, (*storetest.Proxy).FreezeRequests, (*storetest.Proxy).FreezeAnswers
	atAll := func() {
		for _, node := range all {
			l.writesAt(t, node, true)
		}
	}
	for _, p := range []struct {
		link    string
		proxies []*storetest.Proxy
		freeze  func(*storetest.Proxy, bool)
		during  func()
		// lost reports that the connections do not survive the partition, with the data that was on the way.
		lost bool
	}{
		{"all nodes", via.peers, both, atAll, true},
		{"the first node", of(via.peers, []int{first}), both, atAll, false},
		{"the first node in the direction to it", of(via.peers, []int{first}), requests, atAll, false},
		{"the first node in the direction from it", of(via.peers, []int{first}), answers, atAll, true},
		{"the other nodes", of(via.peers, rest), both, atAll, false},
		{"the other nodes in the direction from them", of(via.peers, rest), answers, atAll, false},
		{"the first node and Redis", of(via.redis, []int{first}), both, func() {
			l.writesAt(t, rest[0], true)
			l.signsIn(t, first, false)
		}, false},
		{"all nodes and Redis", via.redis, both, func() { l.signsIn(t, rest[0], false) }, true},
		{"all nodes and the object store", via.objects, both, func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if l.stores(ctx, t, first, "during") {
				t.Error("a document was stored without the object store")
			}
			atAll()
		}, true},
	} {
		begin := time.Now()
		for _, proxy := range p.proxies {
			if proxy.Attempts() == 0 {
				t.Errorf("the link of %s does not pass through its proxy", p.link)
			}
			p.freeze(proxy, true)
		}
		p.during()
		time.Sleep(partitionTime - time.Since(begin))
		for _, proxy := range p.proxies {
			if p.lost {
				proxy.Cut()
			}
			p.freeze(proxy, false)
		}
		l.healed(t, p.link)
	}
	for _, node := range all {
		l.signsIn(t, node, true)
	}
	l.documentsHeal(t, all)
	l.end(t, settings)
}

// documentsHeal checks that a document is stored through each node and read through another one.
func (l *clusterLoad) documentsHeal(t *testing.T, nodes []int) {
	t.Helper()
	for _, node := range nodes {
		name := "node" + strconv.Itoa(node)
		deadline := time.Now().Add(healedWithin)
		for i := 0; !l.stores(t.Context(), t, node, fmt.Sprintf("%s-%d", name, i)); i++ {
			if time.Now().After(deadline) {
				t.Fatalf("after the partition, no document was stored through node %d", node)
			}
		}
	}
	reader := l.direct.At(l.cluster.Node(nodes[0]))
	for _, document := range reader.Documents(t, l.company) {
		if content := string(reader.Content(t, l.company, document.ID)); content != document.Name {
			t.Errorf("the document %s contains %q", document.Name, content)
		}
	}
}
