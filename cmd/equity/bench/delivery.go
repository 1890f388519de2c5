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
)

// delivered is a receiver of webhooks that measures the time from the record of an event to its delivery.
type delivered struct {
	mu   sync.Mutex
	lags []float64
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

func (d *delivered) reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lags = nil
}

// percentile returns the lag that so many per cent of the deliveries do not exceed.
func (d *delivered) percentile(percent int) float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	slices.Sort(d.lags)
	return d.lags[(len(d.lags)-1)*percent/100]
}

func (d *delivered) number() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.lags))
}

// webhookLags returns the 99th percentile of the milliseconds from the record of an event to its delivery in each round. Each company has
// a webhook, which receives at most four events at the same time.
func (p pair) webhookLags(ctx context.Context, a *api) (rounds []float64, err error) {
	receiver := &delivered{}
	server := httptest.NewServer(receiver)
	defer server.Close()
	companies := make([]company, webhookCompanies)
	for i := range companies {
		if companies[i], err = a.newCompany(ctx, 1); err != nil {
			return nil, err
		}
		hook := map[string]any{"url": server.URL, "events": []string{"shareholding.created"}}
		if err := a.post(ctx, "/v1/organization/"+companies[i].id+"/webhook", hook, nil); err != nil {
			return nil, err
		}
	}
	for range p.rounds {
		lag, err := p.webhookLag(ctx, receiver, companies)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, lag)
	}
	return rounds, nil
}

func (p pair) webhookLag(ctx context.Context, receiver *delivered, companies []company) (float64, error) {
	receiver.reset()
	written, err := load(ctx, p.addresses.Server, webhookCallers, p.duration, http.StatusCreated, func(caller int) request {
		of := companies[caller%len(companies)]
		return newRequest("POST", "/v1/organization/"+of.id+"/shareholding", p.addresses.Server, p.cookie(caller), of.issueBody(0, 1))
	})
	if err != nil {
		return 0, err
	}
	const patience = time.Minute
	for end := time.Now().Add(patience); receiver.number() < written.done; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return 0, fmt.Errorf("%w: %d of %d events were delivered", errAnswer, receiver.number(), written.done)
		}
	}
	return receiver.percentile(99), nil //nolint:mnd // per cent
}
