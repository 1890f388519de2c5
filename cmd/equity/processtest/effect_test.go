package processtest_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// receiver receives the events of a webhook.
type receiver struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	received map[string][]time.Time // by the external id of the shareholding
	events   map[string]string      // the ids of the received events by external id
	order    []string               // the external ids of first attempts, also of refused ones
	refuse   func(id string) bool   // reports whether the first attempt is answered with an error
	refused  map[string]bool        // whether the first attempt of an event was refused
}

func newReceiver(t *testing.T, refuse func(id string) bool) *receiver {
	t.Helper()
	r := &receiver{t: t, received: map[string][]time.Time{}, events: map[string]string{}, refuse: refuse, refused: map[string]bool{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP receives an event.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return // the sender has ended
	}
	var event struct {
		ID   string `json:"id"`
		Data struct {
			Object struct {
				ExternalID string `json:"externalId"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &event); err != nil || event.Data.Object.ExternalID == "" {
		r.t.Errorf("event %s: %v", text, err)
	}
	id := event.Data.Object.ExternalID
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, attempted := r.refused[id]; !attempted {
		r.order = append(r.order, id)
		if r.refused[id] = r.refuse(id); r.refused[id] {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
	}
	r.events[id] = event.ID
	r.received[id] = append(r.received[id], time.Now())
}

// hasRefused reports whether the first attempt of the event was refused, and times returns the times at which it was received.
func (r *receiver) hasRefused(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused[id]
}

func (r *receiver) times(id string) []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.received[id]
}

// waitFor waits until the condition holds.
func waitFor(t *testing.T, name string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(20 * time.Millisecond) { // polls another process
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", name)
		}
	}
}

// TestEffectsSurviveAKill sends writes through all nodes, whose events a webhook receives, and kills the node that is asked first. The others deliver the
// other events, and repeat an attempt that the killed one has scheduled. Only events around the kill are received twice.
func TestEffectsSurviveAKill(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t).With("WEBHOOK_ALLOW_PRIVATE", "true")
	cluster := processtest.StartCluster(t, settings, 3, nil)
	direct := processtest.SignIn(t, cluster.Node(0), settings, user)
	client := cluster.Balanced(direct)
	company := client.NewCompany(t, "1000000")
	const scheduled = "scheduled"
	address := newReceiver(t, func(id string) bool { return id == scheduled })
	client.Must(
		t, http.StatusCreated, "POST", "/v1/organization/"+company.ID+"/webhook",
		map[string]any{"url": address.URL, "events": []string{"shareholding.created"}},
	)
	ledger := processtest.NewLedger()
	load := func(name string, during func()) {
		ctx, stop := context.WithCancel(t.Context())
		var work sync.WaitGroup
		work.Go(func() { ledger.WriteThrough(ctx, t, client, company, name, fewWriters, false) })
		during()
		stop()
		work.Wait()
	}
	first := cluster.FirstOf(t, company)
	l := &clusterLoad{cluster: cluster, direct: direct, company: company, ledger: ledger}
	survivors := others(l, first)
	var killed time.Time
	load("effect", func() {
		l.answeredAfter(t, 0, 1, 2)
		if answer, err := client.Issue(t.Context(), company, company.Holder, "1", scheduled); err != nil || answer.Status != http.StatusCreated {
			t.Fatalf("%d %v", answer.Status, err)
		}
		waitFor(t, "the refusal of an event", func() bool { return address.hasRefused(scheduled) })
		time.Sleep(time.Second)
		cluster.Node(first).Kill()
		killed = time.Now()
		l.answeredAfter(t, survivors...)
		time.Sleep(time.Second)
	})
	client = cluster.Balanced(direct, survivors...)
	ledger.Retry(t, client, company)
	waitFor(t, "the delivery of all events", func() bool {
		for _, id := range ledger.Of(processtest.Acknowledged) {
			if len(address.times(id)) == 0 {
				return false
			}
		}
		return true
	})
	if len(address.times(scheduled)) > 0 {
		t.Error("the refused event was repeated before its time")
	}
	waitFor(t, "the scheduled attempt", func() bool {
		advance(t, settings)
		return len(address.times(scheduled)) > 0
	})
	repeated := 0
	for _, id := range append(ledger.Of(processtest.Acknowledged), scheduled) {
		times := address.times(id)
		if len(times) == 1 {
			continue
		}
		repeated++
		if len(times) > 2 || times[0].After(killed) || times[0].Before(killed.Add(-5*time.Second)) || times[1].Before(killed) {
			t.Errorf("the node was killed at %s, and the event of %s was received at %s", killed, id, times)
		}
	}
	t.Logf("%d events were received, %d of them twice, around the kill", len(ledger.Of(processtest.Acknowledged))+1, repeated)
	ledger.Check(t, client, company)
}

// advance makes the scheduled attempts due, as if their time had come. A round that runs at the moment may schedule them anew.
func advance(t *testing.T, settings processtest.Settings) {
	t.Helper()
	db, err := sql.Open("pgx", settings["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range []string{
		`UPDATE webhook_delivery SET next_attempt_at = 1 WHERE next_attempt_at > 1`,
		`UPDATE alarm SET due_at = 1, leased_until = 0 WHERE due_at > 1 AND consumer LIKE 'webhook%'`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
