package processtest_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

const (
	// inFlight is the number of events that a webhook sends at the same time. They are taken in order, and may arrive in another one.
	inFlight = 4
	// refusedOf is the number of events of which the receiver refuses the first attempt of one.
	refusedOf = 25
	// rewound is the number of events that a repetition of a webhook sends again.
	rewound = 50
)

// watched is a company under load with a webhook and a stream of events.
type watched struct {
	processtest.Company

	webhook  string
	receiver *receiver
	ledger   *processtest.Ledger
	stream   *processtest.Stream
	// first is the sequence of the last event before the first shareholding.
	first int64
	// repeated are the accepted repetitions of deliveries by external id, and rewinds those of all events after a sequence.
	repeated map[string]time.Time
	rewinds  []rewind
}

// rewind is an accepted repetition of the events in (after, upTo].
type rewind struct {
	at          time.Time
	after, upTo int64
}

// watch creates a company whose shareholdings are sent to a receiver, which refuses the first attempts of some.
func watch(t *testing.T, client *processtest.Client) *watched {
	t.Helper()
	w := &watched{
		Company: client.NewCompany(t, "10000000"), ledger: processtest.NewLedger(), stream: &processtest.Stream{},
		repeated: map[string]time.Time{},
	}
	w.receiver = newReceiver(t, func(string) bool { return rand.IntN(refusedOf) == 0 })
	w.webhook, _ = client.Must(t, http.StatusCreated, "POST", "/v1/organization/"+w.ID+"/webhook",
		map[string]any{"url": w.receiver.URL, "events": []string{"shareholding.created"}})["id"].(string)
	w.first = client.JournalLength(t, w.Company)
	return w
}

// repeat asks for a received event once more.
func (w *watched) repeat(t *testing.T, client *processtest.Client) {
	t.Helper()
	begin := time.Now()
	id, event := w.receiver.any()
	if _, before := w.repeated[id]; event == "" || before {
		return
	}
	answer, err := client.Do(t.Context(), "POST", "/v1/organization/"+w.ID+"/webhook/"+w.webhook+"/delivery/"+event+"/replay", nil)
	switch {
	case err != nil, answer.Status == http.StatusServiceUnavailable, answer.Status == http.StatusNotFound: // not recorded yet
	case answer.Status == http.StatusAccepted:
		w.repeated[id] = begin
	default:
		t.Errorf("the repetition of a delivery was answered %d %v", answer.Status, answer.Body)
	}
}

// rewind asks for the latest events once more.
func (w *watched) rewind(t *testing.T, client *processtest.Client) {
	t.Helper()
	begin := time.Now()
	answer, err := client.Do(t.Context(), "GET", "/v1/organization/"+w.ID+"/journal?limit=1", nil)
	if err != nil || answer.Status != http.StatusOK {
		return
	}
	last, _ := list(answer.Body, "data")[0]["sequence"].(float64)
	again := rewind{begin, max(w.first, int64(last)-rewound), int64(last)}
	answer, err = client.Do(
		t.Context(), "POST", "/v1/organization/"+w.ID+"/webhook/"+w.webhook+"/replay", map[string]any{"fromSequence": again.after + 1},
	)
	switch {
	case err != nil, answer.Status == http.StatusServiceUnavailable:
	case answer.Status == http.StatusAccepted:
		w.rewinds = append(w.rewinds, again)
	default:
		t.Errorf("the repetition of events was answered %d %v", answer.Status, answer.Body)
	}
}

// any returns a random received event; "" without any.
func (r *receiver) any() (id, event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, event := range r.events { // in random order
		return id, event
	}
	return "", ""
}

// all returns the times at which each event was received, attempts the order of first attempts, and refusals the number of refused ones.
func (r *receiver) all() map[string][]time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.received)
}

func (r *receiver) attempts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.order)
}

func (r *receiver) refusals() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, refused := range r.refused {
		if refused {
			n++
		}
	}
	return n
}

// missing returns the stored shareholdings whose event, or an accepted repetition of it, was not received.
func (w *watched) missing(stored []string) (events, repetitions []string) {
	received := w.receiver.all()
	for i, id := range stored {
		times := received[id]
		if len(times) == 0 {
			events = append(events, id)
			continue
		}
		latest := times[len(times)-1]
		at, repeated := w.repeated[id]
		lost := repeated && latest.Before(at)
		for _, r := range w.rewinds {
			sequence := w.first + 1 + int64(i)
			lost = lost || sequence > r.after && sequence <= r.upTo && latest.Before(r.at)
		}
		if lost {
			repetitions = append(repetitions, id)
		}
	}
	return events, repetitions
}

// checkOrder checks that the first attempts were begun in the order of the journal: when an event arrived, of those before it only the ones
// that were sent at the same time had not.
func (w *watched) checkOrder(t *testing.T, stored []string) {
	t.Helper()
	position := map[string]int{}
	for i, id := range stored {
		position[id] = i
	}
	attempted, complete := make([]bool, len(stored)), 0 // all before complete were attempted
	for _, id := range w.receiver.attempts() {
		i, known := position[id]
		if !known {
			t.Errorf("an event of %s was received, which is not stored", id)
			continue
		}
		attempted[i] = true
		for complete < len(stored) && attempted[complete] {
			complete++
		}
		passed := 0
		for _, before := range attempted[min(complete, i):i] {
			if !before {
				passed++
			}
		}
		if passed >= inFlight {
			t.Errorf("event %d was sent before %d earlier ones, such as %d", i, passed, complete)
		}
	}
}

// ends are the counts of the test.
type ends struct{ acknowledged, events, received, refused, repetitions, rewinds int }

// end checks that nothing of the company is lost. Its writers have stopped.
func (w *watched) end(t *testing.T, client *processtest.Client, settings processtest.Settings, sum *ends) {
	t.Helper()
	w.ledger.Check(t, client, w.Company)
	w.ledger.Retry(t, client, w.Company)
	w.ledger.Check(t, client, w.Company)
	w.stream.WaitFor(t, client.JournalLength(t, w.Company))
	var stored []string
	for _, shareholding := range client.Shareholdings(t, w.Company) { // in the order of the journal
		id, _ := shareholding["externalId"].(string)
		stored = append(stored, id)
	}
	if length := client.JournalLength(t, w.Company); length != w.first+int64(len(stored)) {
		t.Errorf("%d events follow %d; want %d", length, w.first, len(stored))
	}
	var events, repetitions []string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) { // polls another process
		if events, repetitions = w.missing(stored); len(events) == 0 && len(repetitions) == 0 || time.Now().After(deadline) {
			break
		}
		advance(t, settings)
	}
	if len(events) > 0 || len(repetitions) > 0 {
		t.Errorf("of %d events, %d were not received: %v; nor accepted repetitions of %d: %v", len(stored),
			len(events), events[:min(len(events), 10)], len(repetitions), repetitions[:min(len(repetitions), 10)])
	}
	w.checkOrder(t, stored)
	sum.acknowledged += len(w.ledger.Of(processtest.Acknowledged))
	sum.events += len(stored)
	for _, times := range w.receiver.all() {
		sum.received += len(times)
	}
	sum.refused += w.receiver.refusals()
	sum.repetitions += len(w.repeated)
	sum.rewinds += len(w.rewinds)
}

// TestNothingIsLostBesideKillsAndFailuresOfTheDatabase kills one of two servers again and again, while the database pauses or cuts its
// connections, and while users repeat deliveries of webhooks.
func TestNothingIsLostBesideKillsAndFailuresOfTheDatabase(t *testing.T) {
	t.Parallel()
	rounds := 3
	if processtest.Torture() {
		rounds = 60
	}
	settings := processtest.ClusterServices(t).With("WEBHOOK_ALLOW_PRIVATE", "true")
	address, err := url.Parse(settings["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	var database []*storetest.Proxy
	cluster := processtest.StartCluster(t, settings, 2, func(_ int, node processtest.Settings) processtest.Settings {
		proxy := storetest.NewProxy(t, address.Host)
		database = append(database, proxy)
		through := *address
		through.Host = proxy.Address()
		return node.With("DATABASE_URL", through.String())
	})
	direct := processtest.SignIn(t, cluster.Node(0), settings, user)
	client := cluster.Balanced(direct)
	ctx, stop := context.WithCancel(t.Context())
	following, unfollow := context.WithCancel(t.Context())
	var work, streams sync.WaitGroup
	storetest.Cleanup(t, func() {
		stop()
		unfollow()
		work.Wait()
		streams.Wait()
	})
	var companies []*watched
	for i := range 4 {
		w := watch(t, client)
		companies = append(companies, w)
		streams.Go(func() { w.stream.Follow(following, t, client, w.Company, w.first) })
		work.Go(func() { w.ledger.WriteThrough(ctx, t, client, w.Company, fmt.Sprint("company", i), 1, false) })
	}
	repeats := func() {
		for i, w := range companies {
			if i%2 == 0 {
				w.repeat(t, client)
			} else {
				w.rewind(t, client)
			}
		}
	}
	pauses, cuts := 0, 0
	var beside sync.WaitGroup
	var unavailable []time.Duration
	for round := range rounds {
		repeats()
		time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
		switch victim := rand.IntN(cluster.Size()); round % 3 {
		case 1:
			pauses++
			freeze(database, true)
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Millisecond)
			cluster.Node(victim).Kill()
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Millisecond)
			freeze(database, false)
			cluster.Restart(t, victim)
		case 2:
			cuts++
			for _, proxy := range database {
				proxy.Cut()
			}
			time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
			fallthrough
		default:
			beside.Go(repeats)
			cluster.Node(victim).Kill()
			beside.Wait()
			cluster.Restart(t, victim)
		}
		l := &clusterLoad{
			cluster: cluster, direct: direct, company: companies[round%len(companies)].Company,
			ledger: companies[round%len(companies)].ledger,
		}
		unavailable = append(unavailable, l.answeredAfter(t, 0, 1))
		for i := range cluster.Size() {
			if cluster.Node(i).HasEnded() {
				t.Fatalf("node %d has ended", i)
			}
		}
	}
	stop()
	work.Wait()
	var sum ends
	for _, w := range companies {
		w.end(t, client, settings, &sum)
	}
	unfollow()
	streams.Wait()
	processtest.VerifyWith(t, settings, processtest.PlainProgram(t))
	slices.Sort(unavailable)
	t.Logf("%d kills, %d pauses and %d cuts of the database: %d writes acknowledged, %d events stored and received by webhooks and streams; %d events were received, "+
		"%d attempts refused, %d deliveries and %d times %d events repeated on request; %s until writes through both servers after the slowest restart",
		rounds, pauses, cuts, sum.acknowledged, sum.events, sum.received, sum.refused, sum.repetitions, sum.rewinds, rewound,
		unavailable[len(unavailable)-1])
}

// freeze pauses the database for all servers, or continues it.
func freeze(database []*storetest.Proxy, frozen bool) {
	for _, proxy := range database {
		proxy.Freeze(frozen)
	}
}
