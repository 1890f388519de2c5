package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// failing is the number of concurrent callers with failing sign-ins.
const failing = 64

// underLogins measures reads of a path during many failing sign-ins, compared with the same reads without them. Each
// sign-in uses another account, so that all passwords are hashed before the refusal.
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

// flood starts failing sign-ins until stop is called, which returns the number of answered ones.
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
				if err != nil && !errors.Is(err, errStatus) { // requests that wait too long are refused
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
