package processtest_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// clusterLoad is the load of a cluster with one company: writers and readers that send each request to the next node.
type clusterLoad struct {
	cluster *processtest.Cluster
	// direct sends requests to a chosen node, and client to the next one.
	direct   *processtest.Client
	client   *processtest.Client
	company  processtest.Company
	ledger   *processtest.Ledger
	readings *processtest.Readings
	stream   *processtest.Stream
	stop     context.CancelFunc
	work     sync.WaitGroup
	// following is the work of the stream, which ends after the rest.
	following sync.WaitGroup
	unfollow  context.CancelFunc
}

// The numbers of writers of a load. Each sends its next write after the answer to the previous one, so that as many are in flight.
const (
	fewWriters  = 6
	manyWriters = 64
)

// user signs in for the load.
const user = "ada@example.com"

// loadOf starts the load. With strict, each request must be answered with success.
func loadOf(t *testing.T, cluster *processtest.Cluster, settings processtest.Settings, writers int, strict bool) *clusterLoad {
	t.Helper()
	return loadWith(t, cluster, settings, writers, strict, processtest.NewLedger())
}

func loadWith(
	t *testing.T, cluster *processtest.Cluster, settings processtest.Settings, writers int, strict bool, ledger *processtest.Ledger,
) *clusterLoad {
	t.Helper()
	direct := processtest.SignIn(t, cluster.Node(0), settings, user)
	l := &clusterLoad{cluster: cluster, ledger: ledger, stream: &processtest.Stream{}, direct: direct, client: cluster.Balanced(direct)}
	l.begin(t, writers, strict)
	return l
}

// begin creates the company and starts the load.
func (l *clusterLoad) begin(t *testing.T, writers int, strict bool) {
	t.Helper()
	l.company = l.client.NewCompany(t, "10000000")
	l.readings = processtest.NewReadings(l.ledger)
	ctx, stop := context.WithCancel(t.Context())
	l.stop = stop
	following, unfollow := context.WithCancel(t.Context())
	l.unfollow = unfollow
	storetest.Cleanup(t, func() {
		stop()
		unfollow()
		l.work.Wait()
		l.following.Wait()
	})
	first := l.client.JournalLength(t, l.company)
	l.following.Go(func() { l.stream.Follow(following, t, l.client, l.company, first) })
	l.work.Go(func() { l.ledger.WriteThrough(ctx, t, l.client, l.company, "write", writers, strict) })
	l.work.Go(func() { l.readings.Read(ctx, t, l.client, l.company, 3, strict) })
}

// strictly runs the function while further writers and readers send requests to the given nodes only. Each must be answered with success.
func (l *clusterLoad) strictly(t *testing.T, name string, nodes []int, do func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	client := l.cluster.Balanced(l.direct, nodes...)
	var work sync.WaitGroup
	work.Go(func() { l.ledger.WriteThrough(ctx, t, client, l.company, name, fewWriters, true) })
	work.Go(func() { l.readings.Read(ctx, t, client, l.company, 3, true) })
	do()
	stop()
	work.Wait()
}

// end stops the load and checks the store.
func (l *clusterLoad) end(t *testing.T, settings processtest.Settings) {
	t.Helper()
	l.stop()
	l.work.Wait()
	l.ledger.Check(t, l.client, l.company)
	l.ledger.CheckHistory(t, l.client, l.company)
	l.ledger.Retry(t, l.client, l.company)
	l.ledger.Check(t, l.client, l.company)
	l.stream.WaitFor(t, l.client.JournalLength(t, l.company))
	l.unfollow()
	l.following.Wait()
	processtest.VerifyWith(t, settings, processtest.PlainProgram(t))
	t.Logf("%d writes acknowledged, %d reads, %d reads without an answer, %d connections of a stream of events",
		len(l.ledger.Of(processtest.Acknowledged)), l.readings.Count(), l.readings.Failed(), l.stream.Connects())
}

// answeredAfter returns the time until a write is acknowledged through each of the nodes.
func (l *clusterLoad) answeredAfter(t *testing.T, nodes ...int) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	var longest time.Duration
	for _, node := range nodes {
		took, err := l.ledger.AnsweredAfter(ctx, l.direct.At(l.cluster.Node(node)), l.company)
		if err != nil {
			t.Fatalf("no write was acknowledged: %v", err)
		}
		longest = max(longest, took)
	}
	return longest
}

func others(l *clusterLoad, node int) (rest []int) {
	for i := range l.cluster.Size() {
		if i != node {
			rest = append(rest, i)
		}
	}
	return rest
}

// TestKilledServerIsReplaced kills the server that is asked first again and again under 64 writers. Clients of the other nodes see slow answers, and no
// error.
func TestKilledServerIsReplaced(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, manyWriters, false)
	var took []time.Duration
	for end := time.Now().Add(fireTime(t)); len(took) < 3 || time.Now().Before(end); {
		l.answeredAfter(t, 0, 1, 2)
		first := cluster.FirstOf(t, l.company)
		survivors := others(l, first)
		l.strictly(t, "survivor"+strconv.Itoa(len(took)), survivors, func() {
			l.answeredAfter(t, survivors...)
			cluster.Node(first).Kill()
			took = append(took, l.answeredAfter(t, survivors[0]))
			l.answeredAfter(t, survivors...)
		})
		cluster.Restart(t, first)
	}
	slices.Sort(took)
	t.Logf("time from the kill of the first server to the next acknowledged write, under %d writers: %v", manyWriters, took)
	if slowest := took[len(took)-1]; slowest > 10*time.Second {
		t.Errorf("a failover took %s", slowest)
	}
	l.end(t, settings)
}

// TestPausedServerIsNotAwaited pauses the server that is asked first. Afterwards it serves again.
func TestPausedServerIsNotAwaited(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, fewWriters, false)
	l.answeredAfter(t, 0, 1, 2)
	first := cluster.FirstOf(t, l.company)
	var took []time.Duration
	for end := time.Now().Add(fireTime(t)); len(took) < 2 || time.Now().Before(end); {
		paused := cluster.Node(first)
		paused.Pause(t)
		took = append(took, l.answeredAfter(t, others(l, first)...))
		time.Sleep(2 * time.Second) // the others do not ask it any more
		paused.Continue(t)
		l.answeredAfter(t, 0, 1, 2)
		if paused.HasEnded() {
			t.Fatal("a paused server has ended")
		}
	}
	slices.Sort(took)
	t.Logf("time from the pause of the first server to acknowledged writes: %v", took)
	if slowest := took[len(took)-1]; slowest > 5*time.Second {
		t.Errorf("a paused server delayed a write by %s", slowest)
	}
	l.end(t, settings)
}

// TestServerWithoutItsDatabaseReturns cuts the server that is asked first off from the database. Afterwards it serves again.
func TestServerWithoutItsDatabaseReturns(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	address, err := url.Parse(settings["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	var proxies []*storetest.Proxy
	cluster := processtest.StartCluster(t, settings, 3, func(_ int, node processtest.Settings) processtest.Settings {
		proxy := storetest.NewProxy(t, address.Host)
		proxies = append(proxies, proxy)
		through := *address
		through.Host = proxy.Address()
		return node.With("DATABASE_URL", through.String())
	})
	l := loadOf(t, cluster, settings, fewWriters, false)
	l.answeredAfter(t, 0, 1, 2)
	first := cluster.FirstOf(t, l.company)
	proxies[first].Freeze(true)
	took := l.answeredAfter(t, others(l, first)...)
	proxies[first].Freeze(false)
	t.Logf("time from the cut to acknowledged writes: %v", took)
	l.answeredAfter(t, 0, 1, 2)
	if cluster.Node(first).HasEnded() {
		t.Error("a server that was cut off has ended")
	}
	l.end(t, settings)
}

// TestServerThatIsNotReachedCausesNoError cuts the connections of the other nodes to the one that is asked first. Each node serves meanwhile.
func TestServerThatIsNotReachedCausesNoError(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	var proxies []*storetest.Proxy
	cluster := processtest.StartCluster(t, settings, 2, func(_ int, node processtest.Settings) processtest.Settings {
		proxy := storetest.NewProxy(t, node["CLUSTER_ADDRESS"])
		proxies = append(proxies, proxy)
		return node.With("CLUSTER_LISTEN", node["CLUSTER_ADDRESS"]).With("CLUSTER_ADDRESS", proxy.Address())
	})
	l := loadOf(t, cluster, settings, fewWriters, true)
	l.answeredAfter(t, 0, 1)
	first := cluster.FirstOf(t, l.company)
	for range 3 {
		proxies[first].Refuse(true)
		other := l.direct.At(cluster.Node(1 - first))
		l.answeredAfter(t, 0, 1)
		for range 4 {
			other.Must(t, http.StatusOK, "GET", "/v1/organization/"+l.company.ID+"/captable", nil)
		}
		proxies[first].Refuse(false)
		l.answeredAfter(t, 0, 1)
	}
	l.end(t, settings)
}
