package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// failing is how many callers fail to sign in at a time.
const failing = 64

// underLogins measures reads of a path while many callers guess passwords, against the same reads without them. Each
// guess is at another account, so that none is turned away before its password was hashed.
func (p pair) underLogins(ctx context.Context, path string, callers int) (row, error) {
	read := func(caller int) request { return newRequest("GET", path, p.addresses.Server, p.cookie(caller), nil) }
	var during, without []float64
	var hashed int64
	for range p.rounds {
		quiet, err := load(ctx, p.addresses.Server, callers, p.duration, 200, read)
		if err != nil {
			return row{}, fmt.Errorf("reads: %w", err)
		}
		stop, err := p.flood(ctx)
		if err != nil {
			return row{}, err
		}
		flooded, err := load(ctx, p.addresses.Server, callers, p.duration, 200, read)
		guesses, failed := stop()
		if err := errors.Join(err, failed); err != nil {
			return row{}, fmt.Errorf("reads among failing logins: %w", err)
		}
		hashed += guesses
		during, without = append(during, flooded.rate()), append(without, quiet.rate())
	}
	made := ratio(fmt.Sprintf("cap table reads under %d failing logins", failing), "requests/s", "≥ 0.5×", during, without)
	made.note = fmt.Sprintf("%.0f logins/s", float64(hashed)/(p.duration.Seconds()*float64(p.rounds)))
	return made, nil
}

// flood starts callers who fail to sign in until it is stopped; then it tells how many were answered.
func (p pair) flood(ctx context.Context) (stop func() (answered int64, err error), err error) {
	connections := make([]*connection, failing)
	for i := range connections {
		if connections[i], err = dial(ctx, p.addresses.Server); err != nil {
			return nil, err
		}
	}
	var group sync.WaitGroup
	var over atomic.Bool
	var next, answered atomic.Int64
	failure := make(chan error, failing)
	for _, c := range connections {
		group.Go(func() {
			for !over.Load() {
				body := fmt.Appendf(nil, `{"email":"%d-%d@bench.example","password":"a guess"}`, time.Now().UnixNano(), next.Add(1))
				err := c.exchange(newRequest("POST", "/v1/user/login", p.addresses.Server, "none", body), 400)
				if err != nil && !errors.Is(err, errStatus) { // who waited too long is sent away
					failure <- err
					return
				}
				answered.Add(1)
			}
		})
	}
	return func() (int64, error) {
		over.Store(true)
		group.Wait()
		for _, c := range connections {
			c.close()
		}
		close(failure)
		return answered.Load(), <-failure
	}, nil
}
