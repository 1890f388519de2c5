package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"time"
)

// timesCapacity is the load of the overload measurement as a multiple of the measured capacity.
const timesCapacity = 4

// patience is the time after which callers give up in one of the measurements.
const patience = 2 * time.Second

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
	var capacity, accepted, useful, slowest, slowestUseful, calm, strained, crowded, each, refusal []float64
	var waited, impatient, together arrivals
	for range p.rounds {
		got, used, err := sampled(process, func() (result, error) {
			return load(
				ctx, p.addresses.Server, callers, p.duration, 201, func(caller int) request { return requests[caller%organizations] },
			)
		})
		if err != nil {
			return nil, fmt.Errorf("load at capacity: %w", err)
		}
		capacity, calm = append(capacity, got.rate()), append(calm, used.memory)
		each = append(each, float64(used.processors.Microseconds())/float64(got.done))
		flooded, used, err := p.arrive(ctx, requests, timesCapacity*got.rate(), 0, process)
		if err != nil {
			return nil, fmt.Errorf("load beyond capacity: %w", err)
		}
		accepted, strained = append(accepted, flooded.rate()), append(strained, used.memory)
		slowest = append(slowest, milliseconds(flooded.percentile(99), 1)) //nolint:mnd // per cent
		spent := float64(used.processors.Microseconds()) - each[len(each)-1]*float64(len(flooded.accepted))
		refusal = append(refusal, max(spent, 0)/float64(max(flooded.refused, 1)))
		waited.add(flooded)
		left, _, err := p.arrive(ctx, requests, timesCapacity*got.rate(), patience, process)
		if err != nil {
			return nil, fmt.Errorf("load beyond capacity by callers that give up: %w", err)
		}
		useful = append(useful, left.rate())
		slowestUseful = append(slowestUseful, milliseconds(left.percentile(99), 1)) //nolint:mnd // per cent
		impatient.add(left)
		crowd, used, err := p.crowd(ctx, requests, process)
		if err != nil {
			return nil, fmt.Errorf("load by a crowd: %w", err)
		}
		crowded = append(crowded, used.memory)
		together.add(crowd)
	}
	what := fmt.Sprintf("shares issued, arriving at %d times the capacity", timesCapacity)
	givingUp := what + " by callers that give up after 2 s"
	rows := []row{
		ratio(what+", accepted against capacity", "requests/s", "≥ 0.9×", accepted, capacity),
		{what: what + ", p99 of the accepted", ours: median(slowest), unit: "ms", reach: "≤ 2000"},
		ratio(givingUp+", useful answers against capacity", "requests/s", "≥ 0.5×", useful, capacity),
		{what: givingUp + ", p99 of the accepted", ours: median(slowestUseful), unit: "ms", reach: "≤ 2000"},
	}
	rows[0].note, rows[2].note = waited.describe(), impatient.describe()
	if median(calm) > 0 {
		rows = append(rows, ratio(what+", memory against capacity", "MB", "≤ 1.5×", strained, calm),
			row{
				what: fmt.Sprintf("%d requests in flight, memory", crowdConnections), ours: median(crowded), unit: "MB", reach: "≤ 1000",
				note: together.describe(),
			},
			ratio("processor time of the server for a refusal against that for an accepted request", "µs", "≤ 0.10×", refusal, each))
	}
	return rows, nil
}

// cost is the use of a process during a measurement; 0 if the system does not report it.
type cost struct {
	memory     float64       // largest resident memory, MB
	processors time.Duration // processor time
}

// sampled runs the work and returns the use of the process meanwhile.
func sampled[R any](process int, work func() (R, error)) (made R, used cost, err error) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	begin := timeOf(process)
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			used.memory = max(used.memory, residentMegabytes(process))
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
	used.processors = timeOf(process) - begin
	return made, used, err
}

// timeOf returns the processor time that the process has used, from fields 14 and 15 of its stat file (proc(5)).
func timeOf(process int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	const user, system, tick = 11, 12, 10 * time.Millisecond // fields behind the name, which may contain spaces
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+2:])
	inUser, _ := strconv.Atoi(string(fields[user]))
	inSystem, _ := strconv.Atoi(string(fields[system]))
	return time.Duration(inUser+inSystem) * tick
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
