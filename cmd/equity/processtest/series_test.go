package processtest_test

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// failure is a kind of failure of one server.
type failure string

const (
	killed      failure = "killed"
	paused      failure = "paused"
	noDatabase  failure = "cut off from the database"
	unreachable failure = "cut off from the other servers"
)

// failures returns the failures of a run in random order, in a long run 200 kills, 60 pauses and 60 cuts, and the number of failures beside which
// the history of one company is recorded.
func failures() (series []failure, ofHistory int) {
	times, ofHistory := map[failure]int{killed: 2, paused: 1, noDatabase: 1, unreachable: 1}, 3
	if processtest.Torture() {
		times, ofHistory = map[failure]int{killed: 200, paused: 60, noDatabase: 30, unreachable: 30}, 20
	}
	for kind, n := range times {
		series = append(series, slices.Repeat([]failure{kind}, n)...)
	}
	rand.Shuffle(len(series), func(i, j int) { series[i], series[j] = series[j], series[i] })
	return series, ofHistory
}

// TestHistoriesAreLinearizableBesideFailures lets random servers of three fail one after the other, under writers and readers of all. Each company has its
// history checked, and the store is verified.
func TestHistoriesAreLinearizableBesideFailures(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	var via fallible
	cluster := processtest.StartCluster(t, settings, 3, func(_ int, node processtest.Settings) processtest.Settings { return via.through(t, node) })
	all := []int{0, 1, 2}
	direct := processtest.SignIn(t, cluster.Node(0), settings, user)
	var longest time.Duration
	series, ofHistory := failures()
	for beside := range slices.Chunk(series, ofHistory) {
		l := &clusterLoad{
			cluster: cluster, ledger: processtest.NewLedger(), stream: &processtest.Stream{}, direct: direct,
			client: cluster.Balanced(direct),
		}
		l.begin(t, fewWriters, false)
		l.answeredAfter(t, all...)
		for _, kind := range beside {
			node := rand.IntN(cluster.Size())
			via.fail(t, cluster, node, kind, true)
			longest = max(longest, l.answeredAfter(t, others(l, node)...))
			time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
			via.fail(t, cluster, node, kind, false)
			longest = max(longest, l.answeredAfter(t, all...))
			if cluster.Node(node).HasEnded() {
				t.Fatalf("a server that was %s has ended", kind)
			}
		}
		l.end(t, settings)
	}
	t.Logf("%d failures; the longest time until a write was acknowledged was %s", len(series), longest)
	if longest > healedWithin {
		t.Errorf("a write was acknowledged after %s", longest)
	}
}

// fallible are the proxies of each node: for connections of others to it, and for its own to the database.
type fallible struct{ peers, databases []*storetest.Proxy }

// through makes the links of a node pass through its proxies.
func (f *fallible) through(t *testing.T, node processtest.Settings) processtest.Settings {
	t.Helper()
	address, err := url.Parse(node["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	peer, database := storetest.NewProxy(t, node["CLUSTER_ADDRESS"]), storetest.NewProxy(t, address.Host)
	f.peers, f.databases = append(f.peers, peer), append(f.databases, database)
	address.Host = database.Address()
	return node.With("CLUSTER_LISTEN", node["CLUSTER_ADDRESS"]).With("CLUSTER_ADDRESS", peer.Address()).With("DATABASE_URL", address.String())
}

// fail begins or ends a failure of the node.
func (f *fallible) fail(t *testing.T, cluster *processtest.Cluster, node int, kind failure, begins bool) {
	t.Helper()
	switch {
	case kind == killed && begins:
		cluster.Node(node).Kill()
	case kind == killed:
		cluster.Restart(t, node)
	case kind == paused && begins:
		cluster.Node(node).Pause(t)
	case kind == paused:
		cluster.Node(node).Continue(t)
	case kind == noDatabase:
		f.databases[node].Freeze(begins)
	default:
		f.peers[node].Freeze(begins)
	}
}
