package bench

import (
	"context"
	"fmt"
	"time"
)

// pair measures both sides in alternation.
type pair struct {
	addresses Addresses
	cookies   []string
	rounds    int
	duration  time.Duration
	share     *share
	child     *child
	// profiles is the folder for CPU profiles. Without it, none are written.
	profiles string
}

// share is the processor time used by the load client.
type share struct{ used, elapsed time.Duration }

// run measures one load on the server and on the baseline, in alternation, and returns the
// rates of both.
func (p pair) run(
	ctx context.Context, name string, callers, status int, prepare func(host string, caller int) request,
) (ours, theirs []float64, err error) {
	for range p.rounds {
		for _, side := range []struct {
			address string
			rates   *[]float64
		}{{p.addresses.Server, &ours}, {p.addresses.Baseline, &theirs}} {
			requests := make([]request, callers)
			for i := range requests {
				requests[i] = prepare(side.address, i)
			}
			profiled := p.profiles != "" && side.address == p.addresses.Server
			if profiled {
				if err := p.child.profile(p.profiles, name); err != nil {
					return nil, nil, err
				}
			}
			used, begin := processorTime(), time.Now()
			got, err := load(ctx, side.address, callers, p.duration, status, func(caller int) request { return requests[caller] })
			if err != nil {
				return nil, nil, fmt.Errorf("load on %s: %w", side.address, err)
			}
			p.share.used += processorTime() - used
			p.share.elapsed += time.Since(begin)
			if profiled {
				if err := p.child.endProfile(); err != nil {
					return nil, nil, err
				}
			}
			*side.rates = append(*side.rates, got.rate())
		}
	}
	return ours, theirs, nil
}

// writes measures the issue of shares: in one organization with few and with many
// callers, and in many organizations.
func (p pair) writes(ctx context.Context, a *api) ([]row, error) {
	const many = 64
	companies := make([]company, many)
	for i := range companies {
		made, err := a.newCompany(ctx, 1)
		if err != nil {
			return nil, err
		}
		companies[i] = made
	}
	var rows []row
	for _, load := range []struct {
		callers, organizations int
		reach                  string
	}{{1, 1, "≥ 1.5×"}, {16, 1, "≥ 6×"}, {256, 1, "≥ 20×"}, {256, many, "≥ 5×"}} {
		what := fmt.Sprintf("shares issued, %d callers, %d organizations", load.callers, load.organizations)
		ours, theirs, err := p.run(ctx, what, load.callers, 201, func(host string, caller int) request {
			c := companies[caller%load.organizations]
			return newRequest("POST", "/v1/organization/"+c.id+"/shareholding", host, p.cookie(caller), c.issueBody(0, 1))
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, ratio(what, "requests/s", load.reach, ours, theirs))
	}
	return rows, nil
}

func (p pair) cookie(caller int) string { return p.cookies[caller%len(p.cookies)] }

// reads measures the cap table of a thousand holders: complete, unchanged, and during failing sign-ins.
func (p pair) reads(ctx context.Context, a *api) ([]row, error) {
	const holders, callers = 1000, 64
	c, err := a.newCompany(ctx, holders)
	if err != nil {
		return nil, err
	}
	if err := p.fill(ctx, c); err != nil {
		return nil, err
	}
	path := "/v1/organization/" + c.id + "/captable"
	ours, theirs, err := p.run(ctx, "cap table", callers, 200, func(host string, caller int) request {
		return newRequest("GET", path, host, p.cookie(caller), nil)
	})
	if err != nil {
		return nil, err
	}
	rows := []row{ratio("cap table of 1000 holders", "requests/s", "≥ 0.8×", ours, theirs)}
	tag, size, err := p.tag(ctx, path)
	if err != nil {
		return nil, err
	}
	rows[0].note = fmt.Sprintf("%d bytes", size)
	ours, theirs, err = p.run(ctx, "cap table, not modified", callers, 304, func(host string, caller int) request {
		return newRequest("GET", path, host, p.cookie(caller), nil, "If-None-Match: "+tag)
	})
	if err != nil {
		return nil, err
	}
	flooded, err := p.underLogins(ctx, path, callers)
	return append(rows, ratio("cap table, not modified", "requests/s", "≥ 0.9×", ours, theirs), flooded), err
}

// fill issues shares to every holder.
func (p pair) fill(ctx context.Context, c company) error {
	connection, err := dial(ctx, p.addresses.Server)
	if err != nil {
		return err
	}
	defer connection.close()
	for i := range c.holders {
		r := newRequest("POST", "/v1/organization/"+c.id+"/shareholding", p.addresses.Server, p.cookie(0), c.issueBody(i, 100+7*i))
		if err := connection.exchange(r, 201); err != nil {
			return err
		}
	}
	return nil
}

// tag returns the ETag and the size of the table.
func (p pair) tag(ctx context.Context, path string) (string, int, error) {
	connection, err := dial(ctx, p.addresses.Server)
	if err != nil {
		return "", 0, err
	}
	defer connection.close()
	tag, body, err := connection.answer(newRequest("GET", path, p.addresses.Server, p.cookie(0), nil), 200, true)
	return tag, len(body), err
}
