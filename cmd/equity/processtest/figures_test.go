package processtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// middle returns the median, the least and the greatest of the values, which it sorts.
func middle[T int | float64 | time.Duration](values []T) (median, least, greatest T) {
	slices.Sort(values)
	return values[len(values)/2], values[0], values[len(values)-1]
}

// TestTimeFromKillToWrite measures the time from the kill of the server that is asked first to the next write that another node acknowledges.
func TestTimeFromKillToWrite(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	if !processtest.Torture() {
		t.Parallel()
		timeFromKill(t, fewWriters, 2)
		return
	}
	const kills = 30
	timeFromKill(t, fewWriters, kills)
	timeFromKill(t, manyWriters, kills)
}

// timeFromKill kills servers and compares the times with their targets.
func timeFromKill(t *testing.T, writers, kills int) {
	t.Helper()
	const target, longest = 200 * time.Millisecond, 600 * time.Millisecond
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, writers, false)
	var took []time.Duration
	for range kills {
		l.answeredAfter(t, 0, 1, 2)
		first := cluster.FirstOf(t, l.company)
		cluster.Node(first).Kill()
		took = append(took, l.answeredAfter(t, others(l, first)[0]))
		cluster.Restart(t, first)
	}
	median, least, greatest := middle(took)
	t.Logf("| kill until the next acknowledged write, %d writers | median %.2f s (%.2f to %.2f s, %d kills) | ≤ %.1f s; each ≤ %.1f s |",
		writers, median.Seconds(), least.Seconds(), greatest.Seconds(), kills, target.Seconds(), longest.Seconds())
	if processtest.Torture() && (median > target || greatest > longest) || greatest > 5*time.Second {
		t.Errorf("the median is %s and the greatest time %s; the targets are %s and %s", median, greatest, target, longest)
	}
	l.end(t, settings)
}

// readCosts are the costs of a read at a cluster and at a server of its own.
type readCosts struct {
	latency   []time.Duration // at the cluster, above that at a server of its own
	processor []float64       // at the cluster, as a multiple of that at a server of its own
	local     []float64       // processor time at the server of its own, in µs
}

// TestReadsOfAClusterCost compares a read at a node of a cluster, which compares its view with the journal, with one at a server of its own, with
// one caller and with several. Without torture, the bounds only detect that a cost has grown.
func TestReadsOfAClusterCost(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	rounds := 1
	if processtest.Torture() {
		rounds = 9
	} else {
		t.Parallel()
	}
	const mostLatency = 300 * time.Microsecond
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 2, nil)
	alone := processtest.Services(t)
	sole := processtest.StartPlain(t, alone)
	var readers [2]reader
	for i, node := range []*processtest.Server{sole, cluster.Node(0)} {
		client := processtest.SignIn(t, node, []processtest.Settings{alone, settings}[i], user)
		readers[i] = reader{client, client.NewCompany(t, "1000000"), func() int { return node.ProcessorTime(t) }}
	}
	readers[1].ticks = func() int { return cluster.ProcessorTime(t) }
	measureReads(t, readers, 1, 1) // warms up
	for _, c := range []struct {
		callers int
		most    float64
	}{{1, 3}, {16, 1.5}, {64, 1.2}} {
		costs := measureReads(t, readers, c.callers, rounds)
		latency, quick, slow := middle(costs.latency)
		processor, least, greatest := middle(costs.processor)
		local, _, _ := middle(costs.local)
		t.Logf("| a read of a cluster, %d callers, above one of a server of its own of %.0f µs of processor time | median %.2f ms more (%.2f to %.2f ms), %.2f times the processor time (%.2f to %.2f) | ≤ 0.3 ms; ≤ %.1f times |",
			c.callers, local, milliseconds(latency), milliseconds(quick), milliseconds(slow), processor, least, greatest, c.most)
		if processtest.Torture() && latency > mostLatency {
			t.Errorf("a read takes %s more", latency)
		}
		if processtest.Torture() && processor > c.most || processor > 5 {
			t.Errorf("a read with %d callers costs %.2f times the processor time; the bound is %.1f", c.callers, processor, c.most)
		}
	}
}

// reader reads a company, and knows the processor time of its servers.
type reader struct {
	*processtest.Client
	company processtest.Company
	ticks   func() int
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measureReads reads the cap table at both in turn.
func measureReads(t *testing.T, readers [2]reader, callers, rounds int) (costs readCosts) {
	t.Helper()
	reads := 300 // which shows that all are answered
	if processtest.Torture() {
		reads = 3000
	}
	for range rounds {
		var latency [2]time.Duration
		var ticks [2]int
		for i, r := range readers {
			before, begin := r.ticks(), time.Now()
			var group sync.WaitGroup
			for range callers {
				group.Go(func() {
					for range reads / callers {
						answer, err := r.Do(t.Context(), "GET", fmt.Sprintf("/v1/organization/%s/captable", r.company.ID), nil)
						if err != nil || answer.Status != http.StatusOK {
							t.Errorf("read: %v %d", err, answer.Status)
						}
					}
				})
			}
			group.Wait()
			latency[i], ticks[i] = time.Since(begin)*time.Duration(callers)/time.Duration(reads), r.ticks()-before
		}
		costs.latency = append(costs.latency, latency[1]-latency[0])
		costs.processor = append(costs.processor, float64(ticks[1])/float64(max(ticks[0], 1)))
		costs.local = append(costs.local, float64(ticks[0])*10_000/float64(reads))
	}
	return costs
}
