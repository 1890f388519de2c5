package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// Streams is the number of streams that the measured process permits, for one user too.
const Streams = 1100

const (
	idleStreams = 1000
	// warmStreams are opened and closed before the measurement, so that the code and the pools that all share are in memory.
	warmStreams = 50
	// streamCallers write while a live event is awaited.
	streamCallers = 64
)

// streams measures the memory of idle streams of live events, and the time until an event arrives while callers write.
func (p pair) streams(ctx context.Context, a *api, process int) ([]row, error) {
	quiet, err := a.newCompany(ctx, 1)
	if err != nil {
		return nil, err
	}
	busy, err := a.newCompany(ctx, 1)
	if err != nil {
		return nil, err
	}
	warm, err := p.openStreams(ctx, quiet.id, warmStreams)
	closeAll(warm)
	if err != nil {
		return nil, err
	}
	before := p.settledMemory(ctx, process)
	idle, err := p.openStreams(ctx, quiet.id, idleStreams)
	defer closeAll(idle)
	if err != nil {
		return nil, err
	}
	const kilobytes = 1024
	each := (p.settledMemory(ctx, process) - before) * kilobytes / idleStreams
	var lags []float64
	for range p.rounds {
		lag, err := p.liveLag(ctx, busy)
		if err != nil {
			return nil, err
		}
		lags = append(lags, lag)
	}
	return []row{
		{what: fmt.Sprintf("memory per idle stream of %d", idleStreams), ours: each, unit: "KB", reach: "≤ 20"},
		{
			what: fmt.Sprintf(
				"p99 from the record of an event to its arrival, %d callers write, %d idle streams", streamCallers, idleStreams,
			),
			ours: median(lags), unit: "ms", reach: "≤ 1000",
		},
	}, nil
}

// settledMemory returns the resident memory in MB after a time for collections.
func (p pair) settledMemory(ctx context.Context, process int) float64 {
	const settle = 3 * time.Second
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	return residentMegabytes(process)
}

// openStreams opens streams of an organization, and waits for the first bytes of each.
func (p pair) openStreams(ctx context.Context, organization string, number int) ([]net.Conn, error) {
	opened := make([]net.Conn, 0, number)
	for i := range number {
		conn, err := p.openStream(ctx, organization, i)
		if err != nil {
			return opened, err
		}
		opened = append(opened, conn)
	}
	return opened, nil
}

func (p pair) openStream(ctx context.Context, organization string, caller int) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", p.addresses.Server)
	if err != nil {
		return nil, err
	}
	request := newRequest("GET", "/v1/organization/"+organization+"/event", p.addresses.Server, p.cookie(caller), nil)
	if _, err := conn.Write(request); err != nil {
		return conn, err
	}
	status := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(conn, status); err != nil {
		return conn, err
	}
	if !bytes.HasSuffix(status, []byte("200")) {
		return conn, fmt.Errorf("%w: the stream was refused with %s", errAnswer, status)
	}
	return conn, nil
}

func closeAll(all []net.Conn) {
	for _, conn := range all {
		_ = conn.Close()
	}
}

// liveLag returns the 99th percentile of the milliseconds from the record of an event to its arrival, while callers write.
func (p pair) liveLag(ctx context.Context, of company) (float64, error) {
	conn, err := p.openStream(ctx, of.id, 0)
	if err != nil {
		return 0, err
	}
	var lags []float64
	var reading sync.WaitGroup
	reading.Go(func() { lags = arrivalsOf(conn) })
	body := of.issueBody(0, 1)
	_, err = load(ctx, p.addresses.Server, streamCallers, p.duration, 201, func(caller int) request { //nolint:mnd // 201 Created
		return newRequest("POST", "/v1/organization/"+of.id+"/shareholding", p.addresses.Server, p.cookie(caller), body)
	})
	if failed := conn.SetReadDeadline(time.Now().Add(time.Second)); err == nil {
		err = failed
	}
	reading.Wait()
	_ = conn.Close()
	if err == nil && len(lags) == 0 {
		err = fmt.Errorf("%w: no live event arrived", errAnswer)
	}
	if err != nil {
		return 0, err
	}
	slices.Sort(lags)
	const percent = 99
	return lags[len(lags)*percent/100], nil
}

// arrivalsOf reads a stream to its end, and returns the milliseconds from the record of each event to its arrival.
func arrivalsOf(conn net.Conn) (lags []float64) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		data, is := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		var event struct {
			RecordedAt time.Time `json:"recordedAt"`
		}
		if is && json.Unmarshal(data, &event) == nil {
			lags = append(lags, milliseconds(time.Since(event.RecordedAt), 1))
		}
	}
	return lags
}
