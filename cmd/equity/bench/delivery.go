package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

const (
	// webhookCallers write while deliveries are awaited.
	webhookCallers   = 256
	webhookCompanies = 16
	// webhooksOfCompany is the number of webhooks for each event, beside which writes are measured.
	webhooksOfCompany = 5
	// partOfCapacity is the part of the capacity at which the time until a delivery is measured.
	partOfCapacity = 2
)

// delivered is a receiver of webhooks that measures the time from the record of an event to its delivery.
type delivered struct {
	mu   sync.Mutex
	lags []float64
	last []float64
}

func (d *delivered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var event struct {
		Created time.Time `json:"created"`
	}
	if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	lag := milliseconds(time.Since(event.Created), 1)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lags = append(d.lags, lag)
}

// receive waits for so many deliveries since the last call.
func (d *delivered) receive(number int) error {
	const patience = 2 * time.Minute
	for end := time.Now().Add(patience); d.number() < number; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%w: %d of %d events were delivered", errAnswer, d.number(), number)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last, d.lags = d.lags, nil
	return nil
}

// percentile returns the lag that so many per cent of the last received deliveries do not exceed.
func (d *delivered) percentile(percent int) float64 {
	slices.Sort(d.last)
	return d.last[(len(d.last)-1)*percent/100]
}

func (d *delivered) number() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.lags)
}

// deliveries measures writes beside deliveries, and the time from the record of an event to its delivery.
func (p pair) deliveries(ctx context.Context, a *api, process int) ([]row, error) {
	receiver := &delivered{}
	server := httptest.NewServer(receiver)
	defer server.Close()
	var with, without, lags []float64
	sides := []struct {
		webhooks int
		rates    *[]float64
	}{{webhooksOfCompany, &with}, {0, &without}}
	for range p.rounds {
		slices.Reverse(sides) // neither side is always the later one
		for _, side := range sides {
			requests, err := p.issuesWith(ctx, a, server.URL, side.webhooks)
			if err != nil {
				return nil, err
			}
			written, err := load(ctx, p.addresses.Server, webhookCallers, p.duration, http.StatusCreated, func(caller int) request {
				return requests[caller%len(requests)]
			})
			if err != nil {
				return nil, err
			}
			*side.rates = append(*side.rates, written.rate())
			if err := receiver.receive(int(written.done) * side.webhooks); err != nil {
				return nil, err
			}
		}
		requests, err := p.issuesWith(ctx, a, server.URL, 1)
		if err != nil {
			return nil, err
		}
		written, _, err := p.arrive(ctx, requests, median(without)/partOfCapacity, 0, process)
		if err != nil {
			return nil, err
		}
		if err := receiver.receive(len(written.accepted)); err != nil {
			return nil, err
		}
		lags = append(lags, receiver.percentile(99)) //nolint:mnd // per cent
	}
	what := fmt.Sprintf(
		"shares issued with %d webhooks for each event, %d callers, %d organizations", webhooksOfCompany, webhookCallers, webhookCompanies,
	)
	return []row{
		ratio(what, "requests/s", "≥ 0.8×", with, without),
		{
			what: fmt.Sprintf(
				"p99 from the record of an event to its webhook, writes at 1/%d of the capacity, %d organizations", partOfCapacity,
				webhookCompanies,
			),
			ours: median(lags), unit: "ms", reach: "≤ 1000",
		},
	}, nil
}

// issuesWith returns requests that issue shares of new companies with so many webhooks, one for each company.
func (p pair) issuesWith(ctx context.Context, a *api, address string, webhooks int) (requests []request, err error) {
	for i := range webhookCompanies {
		of, err := a.newCompany(ctx, 1)
		if err != nil {
			return nil, err
		}
		for range webhooks {
			hook := map[string]any{"url": address, "events": []string{"shareholding.created"}}
			if err := a.post(ctx, "/v1/organization/"+of.id+"/webhook", hook, nil); err != nil {
				return nil, err
			}
		}
		requests = append(
			requests, newRequest("POST", "/v1/organization/"+of.id+"/shareholding", p.addresses.Server, p.cookie(i), of.issueBody(0, 1)),
		)
	}
	return requests, nil
}
