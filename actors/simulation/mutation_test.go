package simulation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// mutation is a planted mistake.
type mutation int

const (
	none mutation = iota
	acceptsUsedSequences
	losesAppends
	answersEarly
	forgetsKeys
	forgetsAlarms
	skipsEffects
	trustsArmedInstances
	servesWithoutLease
	acknowledgesWithoutLease
	readsWithoutComparison
	refusesWithoutComparison
	forgetsOpenEvents
	removesPending
	keepsLeases
	renamesRepetitions
	forwardsForwarded
	trustsBrokenLinks
	forgetsRepetitions
	hidesUncertainty
	removesRequests
)

// skipsComparison reports whether a request is compared with the sequences that its node has seen.
func (m mutation) skipsComparison(d *delivery) bool {
	return m == readsWithoutComparison && d.reads() || m == refusesWithoutComparison && !d.reads()
}

// owned changes a plan so that leases move between nodes.
func owned(p *plan) {
	p.Leases, p.Cluster, p.Pauses, p.Consumers, p.Servers, p.Clients, p.Operations, p.Organizations = true, false, true, false, 3, 4, 12, 1
	p.Forward = false
	p.LongestWait, p.Patience, p.Failures, p.Passivate = 5*time.Second, 10*time.Second, 0, 10*time.Minute
}

// shared changes a plan so that all nodes of a cluster serve an organization.
func shared(p *plan) {
	owned(p)
	p.Leases, p.Cluster, p.LongestWait = false, true, 200*time.Millisecond
}

// consuming changes a plan so that consumers run in a cluster.
func consuming(p *plan) {
	shared(p)
	p.Consumers, p.Replays = true, true
}

// forwarded changes a plan so that nodes forward changes over broken links.
func forwarded(p *plan) {
	shared(p)
	p.Forward, p.Losses, p.Crashes = true, 20, true
}

// mostSeeds bounds the schedules in which a mistake is searched.
const mostSeeds = 3000

func TestPlantedMistakesAreFound(t *testing.T) {
	t.Parallel()
	consumers := func(p *plan) { p.Consumers, p.Leases, p.Cluster = true, true, false }
	replays := func(p *plan) { consumers(p); p.Replays = true }
	const (
		soonEffects = "each event has its effect soon when all nodes run"
		effects     = "each event has its effect when the faults end"
		order       = "a read is not behind earlier reads and writes"
		chain       = "the rows of a journal form a chain"
		reason      = "a refusal has a reason in a state between the call and the answer"
		once        = "a command is recorded at most once"
		excluded    = "a command that was not carried out is not recorded"
		repeated    = "a recorded command is not refused when it is repeated with its key"
	)
	for _, test := range []struct {
		planted mutation
		name    string
		change  func(*plan)
		claims  []string
		// likely is the seed of a schedule that found the mistake. It saves the search, which would take minutes.
		likely uint64
	}{
		{
			acceptsUsedSequences, "a store that accepts a used sequence",
			func(p *plan) { p.Servers, p.Leases, p.Cluster = 2, false, false },
			[]string{chain},
			0,
		},
		{losesAppends, "a store that loses an append", func(*plan) {}, []string{"an answer shows durable events only"}, 0},
		{
			answersEarly, "an answer before the append is durable", func(*plan) {},
			[]string{"an answer shows durable events only", "a view equals a replay of the journal"},
			0,
		},
		{forgetsKeys, "a store that forgets idempotency keys", func(*plan) {}, []string{once}, 0},
		{forgetsAlarms, "a clock that wakes no consumer", consumers, []string{effects}, 0},
		{skipsEffects, "a consumer that skips an event", consumers, []string{effects}, 0},
		{
			trustsArmedInstances, "a store that ignores the alarm of an instance that relies on it",
			func(p *plan) { p.Consumers, p.Leases, p.Cluster, p.Servers = true, false, false, 2 },
			[]string{effects},
			968,
		},
		{removesRequests, "a store that removes the alarm of a request that the instance has not seen", replays, []string{effects}, 8},
		{servesWithoutLease, "a node that serves after its lease", owned, []string{order}, 227},
		{acknowledgesWithoutLease, "a node that acknowledges a write after its lease", owned, []string{order}, 448},
		{readsWithoutComparison, "a node that answers a read without the end of the journal", shared, []string{order}, 1},
		{refusesWithoutComparison, "a node that refuses a change without the end of the journal", shared, []string{reason}, 17},
		{acceptsUsedSequences, "a store that accepts a used sequence in a cluster", shared, []string{chain}, 0},
		{forgetsOpenEvents, "a store that does not note the events of other nodes in a leased alarm", consuming, []string{effects}, 0},
		{removesPending, "a store that removes the alarm of events that the instance has not seen", consuming, []string{effects}, 0},
		{keepsLeases, "a store that does not end the lease of an alarm with pending events", consuming, []string{soonEffects}, 0},
		{removesRequests, "a store that ignores the generation of an alarm in a cluster", consuming, []string{effects}, 12},
		{renamesRepetitions, "a node that repeats a forwarded change with another id", forwarded, []string{once}, 11},
		{forwardsForwarded, "a node that forwards a forwarded request", forwarded, []string{"a request is forwarded at most once"}, 14},
		{forgetsRepetitions, "a node that does not mark the repetition of a change", forwarded, []string{repeated}, 82},
		{hidesUncertainty, "a node that tells that nothing was changed after an attempt with an unknown outcome", forwarded, []string{excluded}, 78},
		{trustsBrokenLinks, "a node that takes a broken link for a connection that was not established", forwarded, []string{repeated, once}, 59},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			for n := range uint64(mostSeeds) {
				seed := (test.likely + n) % mostSeeds
				p := planOf(seed)
				test.change(&p)
				if v := r.run(p, test.planted, false).violation; v != nil && slices.Contains(test.claims, v.claim) {
					t.Logf("seed %d: %v", seed, v)
					return
				}
			}
			t.Error("no schedule finds it")
		})
	}
}

// difference returns the first lines that differ.
func difference(a, b string) string {
	first, second := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(first), len(second)) {
		if first[i] != second[i] {
			from := max(i-15, 0)
			return fmt.Sprintf("%s\n--- one:\n%s\n--- other:\n%s", strings.Join(first[from:i], "\n"), strings.Join(first[i:min(i+5, len(first))], "\n"),
				strings.Join(second[i:min(i+5, len(second))], "\n"))
		}
	}
	return "one is longer"
}
