package processtest_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
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

// loadOf starts the load. With strict, each request must be answered with success.
func loadOf(t *testing.T, cluster *processtest.Cluster, settings processtest.Settings, strict bool) *clusterLoad {
	t.Helper()
	l := &clusterLoad{cluster: cluster, ledger: processtest.NewLedger(), stream: &processtest.Stream{}}
	l.direct = processtest.SignIn(t, cluster.Node(0), settings, "ada@example.com")
	l.client = cluster.Balanced(l.direct)
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
	l.work.Go(func() { l.ledger.WriteThrough(ctx, t, l.client, l.company, "write", 6, strict) })
	l.work.Go(func() { l.readings.Read(ctx, t, l.client, l.company, 3, strict) })
	return l
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

func TestRollingRestartOfAClusterIsInvisible(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, true)
	for end := time.Now().Add(fireTime(t)); ; {
		for node := range cluster.Size() {
			if err := cluster.Node(node).Stop(t, 40*time.Second); err != nil {
				t.Errorf("stop of node %d: %v", node, err)
			}
			cluster.Restart(t, node)
		}
		if time.Now().After(end) {
			break
		}
	}
	l.end(t, settings)
}

func TestKilledOwnerIsReplaced(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, false)
	var took []time.Duration
	for end := time.Now().Add(fireTime(t)); len(took) < 3 || time.Now().Before(end); {
		l.answeredAfter(t, 0, 1, 2)
		owner := cluster.OwnerOf(t, l.company)
		cluster.Node(owner).Kill()
		took = append(took, l.answeredAfter(t, others(l, owner)[0]))
		l.answeredAfter(t, others(l, owner)...)
		cluster.Restart(t, owner)
	}
	slices.Sort(took)
	t.Logf("time from the kill of the owner to the next acknowledged write: %v", took)
	if slowest := took[len(took)-1]; slowest > 10*time.Second {
		t.Errorf("a failover took %s", slowest)
	}
	l.end(t, settings)
}

func TestPausedOwnerIsReplacedAndEnds(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, false)
	l.answeredAfter(t, 0, 1, 2)
	owner := cluster.OwnerOf(t, l.company)
	paused := cluster.Node(owner)
	paused.Pause(t)
	took := l.answeredAfter(t, others(l, owner)...)
	paused.Continue(t)
	if err := paused.Ended(t, 30*time.Second); err == nil {
		t.Error("a replaced node ended without an error")
	}
	t.Logf("time from the pause of the owner to acknowledged writes: %v", took)
	cluster.Restart(t, owner)
	l.answeredAfter(t, 0, 1, 2)
	l.end(t, settings)
}

func TestOwnerWithoutItsDatabaseIsReplacedAndEnds(t *testing.T) {
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
	l := loadOf(t, cluster, settings, false)
	l.answeredAfter(t, 0, 1, 2)
	owner := cluster.OwnerOf(t, l.company)
	proxies[owner].Freeze(true)
	took := l.answeredAfter(t, others(l, owner)...)
	proxies[owner].Freeze(false)
	if err := cluster.Node(owner).Ended(t, 60*time.Second); err == nil {
		t.Error("a replaced node ended without an error")
	}
	t.Logf("time from the cut to acknowledged writes: %v", took)
	cluster.Restart(t, owner)
	l.answeredAfter(t, 0, 1, 2)
	l.end(t, settings)
}

// TestOwnerThatIsNotReachedReturns cuts the connections of the other nodes to the owner. Reads are answered from the journal meanwhile, and
// writes wait.
func TestOwnerThatIsNotReachedReturns(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	var proxies []*storetest.Proxy
	cluster := processtest.StartCluster(t, settings, 2, func(_ int, node processtest.Settings) processtest.Settings {
		proxy := storetest.NewProxy(t, node["CLUSTER_ADDRESS"])
		proxies = append(proxies, proxy)
		return node.With("CLUSTER_LISTEN", node["CLUSTER_ADDRESS"]).With("CLUSTER_ADDRESS", proxy.Address())
	})
	l := loadOf(t, cluster, settings, true)
	l.answeredAfter(t, 0, 1)
	owner := cluster.OwnerOf(t, l.company)
	for range 3 {
		proxies[owner].Refuse(true)
		other := l.direct.At(cluster.Node(1 - owner))
		for range 4 { // each waits for a lease
			other.Must(t, http.StatusOK, "GET", "/v1/organization/"+l.company.ID+"/captable", nil)
		}
		proxies[owner].Refuse(false)
		l.answeredAfter(t, 0, 1)
	}
	l.end(t, settings)
}

// TestReadsOfOtherNodesCost logs the cost of a read at the owner and at another node, which forwards it or follows the organization, with one
// caller and with several.
func TestReadsOfOtherNodesCost(t *testing.T) {
	t.Parallel()
	for name, follow := range map[string]string{"forwarded": "0", "followed": "20"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := processtest.ClusterServices(t)
			cluster := processtest.StartCluster(t, settings, 2, func(_ int, node processtest.Settings) processtest.Settings {
				return node.With("CLUSTER_FOLLOW", follow)
			})
			client := processtest.SignIn(t, cluster.Node(0), settings, "ada@example.com")
			company := client.NewCompany(t, "1000000")
			owner := cluster.OwnerOf(t, company)
			const reads = 3000
			for _, callers := range []int{1, 1, 16} { // the first round warms up
				for _, node := range []int{owner, 1 - owner} {
					at := client.At(cluster.Node(node))
					before, begin := cluster.ProcessorTime(t), time.Now()
					var group sync.WaitGroup
					for range callers {
						group.Go(func() {
							for range reads / callers {
								answer, err := at.Do(t.Context(), "GET", "/v1/organization/"+company.ID+"/captable", nil)
								if err != nil || answer.Status != http.StatusOK {
									t.Errorf("read at node %d: %v %d", node, err, answer.Status)
								}
							}
						})
					}
					group.Wait()
					t.Logf("%d callers, at the owner %t: %s for each read, %d µs of processor time of both nodes", callers, node == owner,
						time.Since(begin)*time.Duration(callers)/reads, (cluster.ProcessorTime(t)-before)*10_000/reads)
				}
			}
		})
	}
}
