package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// timesCapacity is the load of the overload measurement as a multiple of the measured capacity.
const timesCapacity = 4

// mostConnections bounds the connections of the overload measurement.
const mostConnections = 16384

// overload measures the server at its capacity, with callers that wait for responses, and above it,
// with requests at a constant rate that is independent of earlier responses.
func (p pair) overload(ctx context.Context, a *api, process int) ([]row, error) {
	const organizations, callers = 64, 256
	requests := make([]request, organizations)
	for i := range requests {
		c, err := a.newCompany(ctx, 1)
		if err != nil {
			return nil, err
		}
		requests[i] = newRequest("POST", "/v1/organization/"+c.id+"/shareholding", p.addresses.Server, p.cookie(i), c.issueBody(0, 1))
	}
	var capacity, accepted, slowest, calm, strained []float64
	for range p.rounds {
		got, memory, err := sampled(process, func() (result, error) {
			return load(ctx, p.addresses.Server, callers, p.duration, 201, func(caller int) request { return requests[caller%organizations] })
		})
		if err != nil {
			return nil, fmt.Errorf("load at capacity: %w", err)
		}
		capacity, calm = append(capacity, got.rate()), append(calm, memory)
		flooded, memory, err := sampled(process, func() (arrivals, error) {
			return p.arrive(ctx, requests, timesCapacity*got.rate())
		})
		if err != nil {
			return nil, fmt.Errorf("load beyond capacity: %w", err)
		}
		accepted, strained = append(accepted, flooded.rate()), append(strained, memory)
		slowest = append(slowest, float64(flooded.percentile(99).Milliseconds())) //nolint:mnd // per cent
	}
	what := fmt.Sprintf("shares issued, arriving at %d times the capacity", timesCapacity)
	rows := []row{
		ratio(what+", accepted against capacity", "requests/s", "≥ 0.9×", accepted, capacity),
		{what: what + ", p99 of the accepted", ours: median(slowest), unit: "ms", reach: "≤ 2000"},
	}
	if median(calm) > 0 {
		rows = append(rows, ratio(what+", memory against capacity", "MB", "≤ 1.5×", strained, calm))
	}
	return rows, nil
}

// arrivals are the outcomes of requests sent at a constant rate.
type arrivals struct {
	accepted []time.Duration // from the scheduled time to the end of the response
	refused  int64
	elapsed  time.Duration
}

func (a arrivals) rate() float64 { return float64(len(a.accepted)) / a.elapsed.Seconds() }

// percentile returns a percentile of the latencies of accepted requests.
func (a arrivals) percentile(percent int) time.Duration {
	if len(a.accepted) == 0 {
		return 0
	}
	slices.Sort(a.accepted)
	return a.accepted[min(len(a.accepted)*percent/100, len(a.accepted)-1)] //nolint:mnd // per cent
}

// arrive sends requests at a constant rate over as many connections as required.
func (p pair) arrive(ctx context.Context, requests []request, rate float64) (arrivals, error) {
	ctx, cancel := context.WithTimeout(ctx, p.duration+time.Minute)
	defer cancel()
	s := &senders{address: p.addresses.Server, due: make(chan arrival), outcome: arrivals{}}
	begin := time.Now()
	interval := time.Duration(float64(time.Second) / rate)
	for i := 0; ; i++ {
		at := begin.Add(time.Duration(i) * interval)
		if at.Sub(begin) > p.duration || s.failure.Load() != nil {
			break
		}
		time.Sleep(time.Until(at))
		s.send(ctx, arrival{requests[i%len(requests)], at})
	}
	close(s.due)
	s.group.Wait()
	if failure := s.failure.Load(); failure != nil {
		return arrivals{}, *failure
	}
	s.outcome.elapsed = time.Since(begin)
	return s.outcome, nil
}

// arrival is a request and its scheduled time.
type arrival struct {
	request request
	at      time.Time
}

// senders are connections that send requests at their scheduled times.
type senders struct {
	address string
	due     chan arrival
	count   int
	group   sync.WaitGroup
	failure atomic.Pointer[error]

	mutex   sync.Mutex
	outcome arrivals
}

// send passes the request to an idle connection or to a new one.
func (s *senders) send(ctx context.Context, a arrival) {
	select {
	case s.due <- a:
		return
	default:
	}
	if s.count == mostConnections {
		s.fail(errors.New("the requests need more connections than the measurement may open"))
		return
	}
	s.count++
	s.group.Go(func() {
		c, err := dial(ctx, s.address)
		if err != nil {
			s.fail(err)
			return
		}
		defer c.close()
		for more := true; more && err == nil; a, more = <-s.due {
			err = s.exchange(c, a)
		}
		s.fail(err)
	})
}

func (s *senders) exchange(c *connection, a arrival) error {
	err := c.exchange(a.request, 201)
	if err != nil && !errors.Is(err, errStatus) {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err != nil {
		s.outcome.refused++
	} else {
		s.outcome.accepted = append(s.outcome.accepted, time.Since(a.at))
	}
	return nil
}

func (s *senders) fail(err error) {
	if err != nil {
		s.failure.CompareAndSwap(nil, &err)
	}
}

// sampled runs work and returns the maximum resident memory of the process meanwhile, in MB; 0 if the system
// does not report it.
func sampled[R any](process int, work func() (R, error)) (made R, memory float64, err error) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			memory = max(memory, residentMegabytes(process))
			select {
			case <-ticker.C:
			case <-stop:
				return
			}
		}
	}()
	made, err = work()
	close(stop)
	<-stopped
	return made, memory, err
}

func residentMegabytes(process int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if value, found := bytes.CutPrefix(line, []byte("VmRSS:")); found {
			kilobytes, _ := strconv.Atoi(string(bytes.Fields(value)[0]))
			return float64(kilobytes) / 1024 //nolint:mnd // kilobytes of a megabyte
		}
	}
	return 0
}
