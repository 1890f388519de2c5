package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Sizes of the load at a constant rate. The client shares the processors with the server, so that it must cost as
// little as possible: it writes the requests that are due from one goroutine, over a fixed number of connections.
const (
	arrivalConnections = 4096
	arrivalTick        = time.Millisecond
	// crowdConnections is the number of requests in flight in the measurement of the memory.
	crowdConnections = 14_000
	// arrivalSettle is the time that answers have after the last arrival.
	arrivalSettle = 10 * time.Second
	// openWithin is the time in which all connections open, a few at once.
	openWithin = time.Minute
	openAtOnce = 16
)

// arrivals are the outcomes of requests that arrived at a constant rate.
type arrivals struct {
	accepted []time.Duration // from the scheduled arrival to the end of the answer
	refused  int             // answered with another status
	left     int             // given up after they were sent
	unsent   int             // given up before a connection was idle
	elapsed  time.Duration
	used     time.Duration // processor time of the client
}

func (a *arrivals) rate() float64 { return float64(len(a.accepted)) / a.elapsed.Seconds() }

// percentile returns the latency that so many per cent of the accepted requests do not exceed.
func (a *arrivals) percentile(percent int) time.Duration {
	if len(a.accepted) == 0 {
		return 0
	}
	slices.Sort(a.accepted)
	return a.accepted[min(len(a.accepted)*percent/100, len(a.accepted)-1)] //nolint:mnd // per cent
}

func (a *arrivals) add(other arrivals) {
	a.accepted = append(a.accepted, other.accepted...)
	a.refused, a.left, a.unsent = a.refused+other.refused, a.left+other.left, a.unsent+other.unsent
	a.elapsed, a.used = a.elapsed+other.elapsed, a.used+other.used
}

func (a *arrivals) describe() string {
	return fmt.Sprintf("%d accepted, %d refused, %d given up, %d unsent; client %.2f processors",
		len(a.accepted), a.refused, a.left, a.unsent, a.used.Seconds()/a.elapsed.Seconds())
}

// senders are the connections of one load at a constant rate.
type senders struct {
	address  string
	requests []request
	patience time.Duration // 0 waits for every answer
	group    sync.WaitGroup

	mutex   sync.Mutex
	idle    []*sender // last in, first out: the warm ones are used first
	all     []*sender
	outcome arrivals
	failure error
}

// sender is one connection.
type sender struct {
	*connection
	at   time.Time // the scheduled arrival of the request under way; zero when idle
	left bool      // its caller gave up
}

// arrive sends requests at a constant rate. A request that finds no idle connection waits for one; its latency counts
// from its scheduled arrival. With a patience, callers leave after that time and close their connection.
// The use of the process is measured after the connections were opened.
func (p pair) arrive(ctx context.Context, requests []request, rate float64, patience time.Duration, process int) (arrivals, cost, error) {
	s := &senders{address: p.addresses.Server, requests: requests, patience: patience}
	return p.measure(
		ctx, s, arrivalConnections, process, func(ctx context.Context, begin time.Time) { s.dispatch(ctx, begin, p.duration, rate) },
	)
}

// crowd keeps one request in flight on each of many connections. A caller sends its next request as soon as it has an answer.
func (p pair) crowd(ctx context.Context, requests []request, process int) (arrivals, cost, error) {
	s := &senders{address: p.addresses.Server, requests: requests}
	return p.measure(ctx, s, crowdConnections, process, func(ctx context.Context, begin time.Time) {
		for ctx.Err() == nil && time.Since(begin) < p.duration {
			for i := 0; i < crowdConnections && s.send(time.Now(), requests[i%len(requests)]); i++ {
			}
			time.Sleep(arrivalTick)
		}
	})
}

// measure opens the connections, and measures the requests that the work sends over them.
func (p pair) measure(
	ctx context.Context, s *senders, connections, process int, work func(context.Context, time.Time),
) (arrivals, cost, error) {
	ctx, cancel := context.WithTimeout(ctx, openWithin+p.duration+2*arrivalSettle)
	defer cancel()
	var opening errgroup.Group
	opening.SetLimit(openAtOnce)
	for range connections {
		opening.Go(func() error { return s.open(ctx) })
	}
	if err := opening.Wait(); err != nil {
		s.close()
		return arrivals{}, cost{}, fmt.Errorf("%d connections: %w", connections, err)
	}
	if p.profiles != "" {
		if err := p.child.profile(p.profiles, fmt.Sprintf("overload %d %s", connections, s.patience)); err != nil {
			return arrivals{}, cost{}, err
		}
	}
	_, spent, err := sampled(process, func() (struct{}, error) { s.run(ctx, work); return struct{}{}, nil })
	s.close() // its cost is not one of the requests
	if p.profiles != "" {
		err = errors.Join(err, p.child.endProfile())
	}
	p.share.used += s.outcome.used
	p.share.elapsed += s.outcome.elapsed
	return s.outcome, spent, errors.Join(err, s.failure)
}

// run does the work, and waits for the answers to the requests that it sent.
func (s *senders) run(ctx context.Context, work func(context.Context, time.Time)) {
	used, begin := processorTime(), time.Now()
	work(ctx, begin)
	elapsed := time.Since(begin)
	for end := time.Now().Add(arrivalSettle); s.busy() && time.Now().Before(end); {
		time.Sleep(10 * arrivalTick)
		s.giveUp(time.Now())
	}
	s.outcome.elapsed, s.outcome.used = elapsed, processorTime()-used
}

// dispatch sends what is due at each tick.
func (s *senders) dispatch(ctx context.Context, begin time.Time, d time.Duration, rate float64) {
	interval := time.Duration(float64(time.Second) / rate)
	last := int(d / interval)
	for next := 0; next < last; time.Sleep(arrivalTick) {
		now := time.Now()
		if now.Sub(begin) > d {
			s.outcome.unsent += last - next
			return
		}
		due := min(int(now.Sub(begin)/interval), last)
		for ; next < due; next++ {
			at := begin.Add(time.Duration(next) * interval)
			if s.patience > 0 && now.Sub(at) > s.patience {
				s.outcome.unsent++
				continue
			}
			if !s.send(at, s.requests[next%len(s.requests)]) {
				break
			}
		}
		s.giveUp(now)
		if ctx.Err() != nil {
			return
		}
	}
}

// send reports whether a connection was idle.
func (s *senders) send(at time.Time, r request) bool {
	s.mutex.Lock()
	last := len(s.idle) - 1
	if last < 0 || s.failure != nil {
		s.mutex.Unlock()
		return false
	}
	c := s.idle[last]
	s.idle, c.at = s.idle[:last], at
	s.mutex.Unlock()
	_, _ = c.Write(r) // the reader meets the error
	return true
}

// open adds a connection whose first request was answered, because the server closes a connection without a request after ten seconds,
// and one between two requests only after two minutes.
func (s *senders) open(ctx context.Context) error {
	made, err := dialSized(ctx, s.address, 1<<10)
	if err != nil {
		return err
	}
	if err := made.exchange(newRequest("GET", "/v1/user/sign-in", s.address, "", nil), 200); err != nil && !errors.Is(err, errBusy) {
		made.close()
		return err
	}
	s.add(ctx, made)
	return nil
}

// replace adds a connection for the next request.
func (s *senders) replace(ctx context.Context) error {
	made, err := dialSized(ctx, s.address, 1<<10)
	if err == nil {
		s.add(ctx, made)
	}
	return err
}

// add keeps the connection, with a goroutine that reads its answers.
func (s *senders) add(ctx context.Context, made *connection) {
	c := &sender{connection: made}
	s.mutex.Lock()
	s.all, s.idle = append(s.all, c), append(s.idle, c)
	s.mutex.Unlock()
	s.group.Go(func() {
		for {
			err := c.receive(201)
			if !s.settle(c, err) {
				break
			}
		}
		c.close()
		if c.left && s.replace(ctx) != nil {
			s.fail(errors.New("a connection could not be replaced"))
		}
	})
}

// settle notes the outcome of a request, and reports whether the connection stays.
func (s *senders) settle(c *sender, err error) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case c.left, c.at.IsZero(): // closed by giveUp or at the end
		return false
	case err == nil:
		s.outcome.accepted = append(s.outcome.accepted, time.Since(c.at))
	case errors.Is(err, errBusy):
		s.outcome.refused++
	default:
		if s.failure == nil {
			s.failure = err
		}
		return false
	}
	c.at = time.Time{}
	s.idle = append(s.idle, c)
	return true
}

func (s *senders) fail(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failure == nil {
		s.failure = err
	}
}

// giveUp closes the connections of callers without an answer within the patience.
func (s *senders) giveUp(now time.Time) {
	if s.patience == 0 {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.all = slices.DeleteFunc(s.all, func(c *sender) bool {
		if c.at.IsZero() || now.Sub(c.at) <= s.patience {
			return false
		}
		c.left = true
		s.outcome.left++
		c.close()
		return true
	})
}

func (s *senders) busy() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.idle) < len(s.all) && s.failure == nil
}

func (s *senders) close() {
	s.mutex.Lock()
	for _, c := range s.all {
		if !c.at.IsZero() {
			s.outcome.left++
		}
		c.at = time.Time{}
		c.close()
	}
	s.mutex.Unlock()
	s.group.Wait()
}
