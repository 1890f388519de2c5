package processtest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// The load of the memory test: requests a second, one of which in each so many is a write.
const (
	requestsPerSecond = 50
	writeInEach       = 5
)

// memorySample is the state of a server at a time. Goal is the size of the heap at which the next collection ends: with the GOGC of the
// server, three times the memory that is in use after a collection.
type memorySample struct {
	after                          time.Duration
	resident, heap, goal, routines float64
	live                           int
}

// TestMemoryIsFlatWhileReceiversAreDead reads and writes random organizations of a server that has many more of them than may be in memory.
// A tenth of them have a webhook whose address refuses connections.
func TestMemoryIsFlatWhileReceiversAreDead(t *testing.T) { //nolint:paralleltest // a long run measures the memory of the server alone
	organizations, limit, interval := 40, 10, time.Second
	if processtest.Torture() {
		organizations, limit, interval = 600, 60, 10*time.Second
	} else {
		t.Parallel()
	}
	settings := processtest.Services(t).With("WEBHOOK_ALLOW_PRIVATE", "true").With("LIVE_ORGANIZATIONS", strconv.Itoa(limit))
	server := processtest.StartPlain(t, settings)
	client := processtest.SignIn(t, server, settings, user)
	dead := deadAddress(t)
	companies := make([]processtest.Company, organizations)
	for i := range companies {
		companies[i] = client.NewCompany(t, "1000000")
		if i%10 == 0 {
			client.Must(t, http.StatusCreated, "POST", "/v1/organization/"+companies[i].ID+"/webhook",
				map[string]any{"url": dead, "events": []string{"shareholding.created"}})
		}
	}
	if processtest.Torture() {
		fillAnswers(t, client, companies)
	}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	var requests atomic.Int64
	work.Go(func() { visit(ctx, t, client, companies, &requests) })
	var samples []memorySample
	for begin, end := time.Now(), time.Now().Add(fireTime(t)); time.Now().Before(end); {
		time.Sleep(interval)
		s := memorySample{
			after: time.Since(begin), resident: server.Metric(t, "process_resident_memory_bytes", "") / (1 << 20),
			heap: server.Metric(t, "go_memstats_heap_inuse_bytes", "") / (1 << 20),
			goal: server.Metric(t, "go_memstats_next_gc_bytes", "") / (1 << 20), routines: server.Metric(t, "go_goroutines", ""),
			live: int(server.Metric(t, "equity_organizations_live", "")),
		}
		if samples = append(samples, s); len(samples)%6 == 0 {
			t.Logf("after %s: %.0f MB resident, %.0f MB of heap in use with a goal of %.0f MB, %d organizations in memory, %.0f goroutines",
				s.after.Round(time.Second), s.resident, s.heap, s.goal, s.live, s.routines)
		}
	}
	stop()
	work.Wait()
	checkMemory(t, samples, limit)
	t.Logf("%d requests", requests.Load())
}

// deadAddress returns an address that refuses connections.
func deadAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	return "http://" + listener.Addr().String()
}

// fillAnswers reads each company on many days, so that the cache of answers reaches its limit of 64 MB. Its growth is no leak.
func fillAnswers(t *testing.T, client *processtest.Client, companies []processtest.Company) {
	t.Helper()
	const days, callers = 100, 4
	begin := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC)
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			for i := caller; i < len(companies); i += callers {
				for day := range days {
					path := "/v1/organization/" + companies[i].ID + "/captable?asOf=" + begin.AddDate(0, 0, day).Format(time.DateOnly)
					if answer, err := client.Do(t.Context(), "GET", path, nil); err != nil || answer.Status != http.StatusOK {
						t.Errorf("%s was answered %d %v %v", path, answer.Status, answer.Body, err)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

// visit sends requests to random companies until the context ends.
func visit(ctx context.Context, t *testing.T, client *processtest.Client, companies []processtest.Company, requests *atomic.Int64) {
	t.Helper()
	const callers = 5
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			for i := range time.Tick(callers * time.Second / requestsPerSecond) {
				if ctx.Err() != nil {
					return
				}
				company := companies[rand.IntN(len(companies))]
				var answer processtest.Answer
				var err error
				if rand.IntN(writeInEach) == 0 {
					answer, err = client.Issue(context.WithoutCancel(ctx), company, company.Holder, "1", fmt.Sprintf("%d-%d", caller, i.UnixNano()))
				} else {
					answer, err = client.Do(context.WithoutCancel(ctx), "GET", "/v1/organization/"+company.ID+"/captable", nil)
				}
				if err != nil || answer.Status >= http.StatusMultipleChoices {
					t.Errorf("a request was answered %d %v %v", answer.Status, answer.Body, err)
				}
				requests.Add(1)
			}
		})
	}
	group.Wait()
}

// checkMemory checks the number of organizations in memory, and in a long run the growth of the memory in its second half.
func checkMemory(t *testing.T, samples []memorySample, limit int) {
	t.Helper()
	most := 0
	for _, s := range samples {
		most = max(most, s.live)
	}
	if most > 2*limit {
		t.Errorf("%d organizations were in memory; the limit is %d", most, limit)
	}
	const mostGrowth = 0.1
	second := samples[len(samples)/2:]
	for name, value := range map[string]func(memorySample) float64{
		"resident memory": func(s memorySample) float64 { return s.resident },
		"heap in use":     func(s memorySample) float64 { return s.heap },
		"goal of heap":    func(s memorySample) float64 { return s.goal },
	} {
		mean, slope := trend(second, value)
		growth := slope * (second[len(second)-1].after - second[0].after).Hours() / mean
		t.Logf(
			"%s in the second half: %.0f MB on average, %+.1f MB an hour (%+.1f %%), at most %d organizations in memory", name, mean, slope,
			100*growth, most,
		)
		if processtest.Torture() && growth > mostGrowth {
			t.Errorf("the %s grew by %.0f %% in the second half", name, 100*growth)
		}
	}
}

// trend returns the mean of the values and the slope of the line through them by least squares, for each hour.
func trend(samples []memorySample, value func(memorySample) float64) (mean, slope float64) {
	var meanAfter float64
	for _, s := range samples {
		mean += value(s) / float64(len(samples))
		meanAfter += s.after.Hours() / float64(len(samples))
	}
	var both, square float64
	for _, s := range samples {
		distance := s.after.Hours() - meanAfter
		both += distance * (value(s) - mean)
		square += distance * distance
	}
	if square == 0 {
		return mean, 0
	}
	return mean, both / square
}
