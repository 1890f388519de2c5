package processtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// middle returns the median, the least and the greatest of the values, which it sorts.
func middle[T int | float64 | time.Duration](values []T) (median, least, greatest T) {
	slices.Sort(values)
	return values[len(values)/2], values[0], values[len(values)-1]
}

const (
	// failuresMeasured is the number of failures of each kind in a long run.
	failuresMeasured = 30
	medianTarget     = 200 * time.Millisecond
	longestTarget    = 600 * time.Millisecond
)

// TestTimeFromKillToWrite measures the time from the kill of the server that is asked first to the next write that another node acknowledges.
func TestTimeFromKillToWrite(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	kill := func(c *processtest.Cluster, node int) { c.Node(node).Kill() }
	restart := func(c *processtest.Cluster, node int) { c.Restart(t, node) }
	if !processtest.Torture() {
		t.Parallel()
		timeFromFailure(t, "kill", fewWriters, kill, restart)
		return
	}
	timeFromFailure(t, "kill", fewWriters, kill, restart)
	timeFromFailure(t, "kill", manyWriters, kill, restart)
}

// TestTimeFromPauseToWrite measures the same time from a pause of that server.
func TestTimeFromPauseToWrite(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	if !processtest.Torture() {
		t.Parallel()
	}
	timeFromFailure(t, "pause", fewWriters,
		func(c *processtest.Cluster, node int) { c.Node(node).Pause(t) }, func(c *processtest.Cluster, node int) { c.Node(node).Continue(t) })
}

// timeFromFailure lets the server that is asked first fail and return again and again, and compares the times with their targets.
func timeFromFailure(t *testing.T, failure string, writers int, fail, heal func(c *processtest.Cluster, node int)) {
	t.Helper()
	failures := 2
	if processtest.Torture() {
		failures = failuresMeasured
	}
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, writers, false)
	var took []time.Duration
	for range failures {
		l.answeredAfter(t, 0, 1, 2)
		first := cluster.FirstOf(t, l.company)
		fail(cluster, first)
		took = append(took, l.answeredAfter(t, others(l, first)[0]))
		heal(cluster, first)
	}
	median, least, greatest := middle(took)
	t.Logf("| %s until the next acknowledged write, %d writers | median %.2f s (%.2f to %.2f s, %d times) | ≤ %.1f s; each ≤ %.1f s |",
		failure, writers, median.Seconds(), least.Seconds(), greatest.Seconds(), failures, medianTarget.Seconds(), longestTarget.Seconds())
	if processtest.Torture() && (median > medianTarget || greatest > longestTarget) || greatest > 5*time.Second {
		t.Errorf("the median is %s and the greatest time %s; the targets are %s and %s", median, greatest, medianTarget, longestTarget)
	}
	l.end(t, settings)
}

// costs are the costs of requests of two readers or writers; those of the second as a difference to those of the first, or as a multiple.
type costs struct {
	latency   []time.Duration // difference
	processor []float64       // multiple of the processor time of the servers
	first     []float64       // processor time of the first one's servers, in µs
	database  []float64       // processor time of the database for the second one, in µs
}

// loop sends requests of a company, and knows the processor time of the servers that answer.
type loop struct {
	*processtest.Client
	company processtest.Company
	ticks   func() int
	count   *atomic.Int64
}

func (l loop) read(t *testing.T) {
	t.Helper()
	answer, err := l.Do(t.Context(), "GET", fmt.Sprintf("/v1/organization/%s/captable", l.company.ID), nil)
	if err != nil || answer.Status != http.StatusOK {
		t.Errorf("read: %v %d", err, answer.Status)
	}
}

func (l loop) write(t *testing.T) {
	t.Helper()
	answer, err := l.Issue(t.Context(), l.company, l.company.Holder, "1", fmt.Sprintf("%s-%d", l.company.ID, l.count.Add(1)))
	if err != nil || answer.Status != http.StatusCreated {
		t.Errorf("write: %v %d", err, answer.Status)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure sends requests of both in turn. Without torture it sends few, which shows that all are answered.
func measure(t *testing.T, both [2]loop, callers, requests int, request func(loop, *testing.T)) (c costs) {
	t.Helper()
	rounds := 9
	if !processtest.Torture() {
		rounds, requests = 1, 300
	}
	for range rounds {
		var latency [2]time.Duration
		var ticks [2]int
		var database int
		for i, l := range both {
			before, stored, begin := l.ticks(), processtest.DatabaseTime(t), time.Now()
			var group sync.WaitGroup
			for range callers {
				group.Go(func() {
					for range requests / callers {
						request(l, t)
					}
				})
			}
			group.Wait()
			latency[i] = time.Since(begin) * time.Duration(callers) / time.Duration(requests)
			ticks[i], database = l.ticks()-before, processtest.DatabaseTime(t)-stored
		}
		const tick = 10_000 // µs
		c.latency = append(c.latency, latency[1]-latency[0])
		c.processor = append(c.processor, float64(ticks[1])/float64(max(ticks[0], 1)))
		c.first = append(c.first, float64(ticks[0])*tick/float64(requests))
		c.database = append(c.database, float64(database)*tick/float64(requests))
	}
	return c
}

// TestReadsOfAClusterCost compares a read at a node of a cluster, which compares its view with the journal, with one at a server of its own. The bounds
// count in a long run only, while no other test runs.
func TestReadsOfAClusterCost(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	if !processtest.Torture() {
		t.Parallel()
	}
	const mostLatency = 300 * time.Microsecond
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	alone := processtest.Services(t)
	sole := processtest.StartPlain(t, alone)
	at := processtest.SignIn(t, sole, alone, user)
	first := loop{Client: at, company: at.NewCompany(t, "1000000"), ticks: func() int { return sole.ProcessorTime(t) }}
	in := processtest.SignIn(t, cluster.Node(0), settings, user)
	second := loop{Client: in, company: in.NewCompany(t, "1000000"), ticks: func() int { return cluster.ProcessorTime(t) }}
	measure(t, [2]loop{first, second}, 1, 300, loop.read) // warms up
	for _, c := range []struct {
		callers, requests int
		most, database    float64
	}{{1, 3000, 3, 200}, {16, 16_000, 1.5, 7}, {64, 32_000, 1.2, 3}} {
		costs := measure(t, [2]loop{first, second}, c.callers, c.requests, loop.read)
		latency, quick, slow := middle(costs.latency)
		processor, least, greatest := middle(costs.processor)
		local, _, _ := middle(costs.first)
		database, low, high := middle(costs.database)
		t.Logf("| a read of a cluster, %d callers, above one of a server of its own of %.0f µs of processor time | median %.2f ms more (%.2f to %.2f ms), "+
			"%.2f times the processor time (%.2f to %.2f), %.2f times the load of one on three machines | ≤ 0.3 ms; ≤ %.1f times |",
			c.callers, local, milliseconds(latency), milliseconds(quick), milliseconds(slow), processor, least, greatest, 3/processor, c.most)
		t.Logf(
			"| processor time of the database for a read, %d callers | median %.1f µs (%.1f to %.1f) | ≤ %.0f µs |", c.callers, database,
			low, high, c.database,
		)
		if !processtest.Torture() {
			continue
		}
		if latency > mostLatency {
			t.Errorf("a read with %d callers takes %s more", c.callers, latency)
		}
		if processor > c.most {
			t.Errorf("a read with %d callers costs %.2f times the processor time; the bound is %.1f", c.callers, processor, c.most)
		}
		if database > c.database {
			t.Errorf("a read with %d callers costs %.1f µs in the database; the bound is %.0f", c.callers, database, c.database)
		}
	}
}

// TestWritesThroughAnotherNodeCost compares a write through a node that forwards it with one through the node that is asked first.
func TestWritesThroughAnotherNodeCost(t *testing.T) { //nolint:paralleltest // figures need the machine for themselves
	if !processtest.Torture() {
		t.Parallel()
	}
	const most = 1.6
	settings := processtest.ClusterServices(t)
	cluster := processtest.StartCluster(t, settings, 3, nil)
	client := processtest.SignIn(t, cluster.Node(0), settings, user)
	company := client.NewCompany(t, "10000000")
	first := cluster.FirstOf(t, company)
	ticks := func() int { return cluster.ProcessorTime(t) }
	var both [2]loop
	var count atomic.Int64
	for i, node := range []int{first, (first + 1) % cluster.Size()} {
		both[i] = loop{client.At(cluster.Node(node)), company, ticks, &count}
	}
	measure(t, both, 1, 300, loop.write) // warms up
	for _, callers := range []int{1, 16, 64} {
		costs := measure(t, both, callers, 1500*min(callers, 4), loop.write)
		latency, quick, slow := middle(costs.latency)
		processor, least, greatest := middle(costs.processor)
		local, _, _ := middle(costs.first)
		t.Logf("| a write through another node, %d callers, above one through the first of %.0f µs of processor time | median %.2f ms more (%.2f to %.2f ms), "+
			"%.2f times the processor time (%.2f to %.2f) | ≤ %.1f times |",
			callers, local, milliseconds(latency), milliseconds(quick), milliseconds(slow), processor, least, greatest, most)
		if processtest.Torture() && processor > most {
			t.Errorf("a write with %d callers costs %.2f times the processor time; the bound is %.1f", callers, processor, most)
		}
	}
}
