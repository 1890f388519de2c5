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
	ignoresEpochs
	removesLeased
	confirmsUnasked
	ignoresAnnouncements
	revokesUnasked
	renamesRepetitions
	forwardsForwarded
	answersMisdirected
	trustsBrokenLinks
	forgetsRepetitions
	removesRequests
)

// owned changes a plan so that leases move between nodes.
func owned(p *plan) {
	p.Leases, p.Cluster, p.Pauses, p.Consumers, p.Servers, p.Clients, p.Operations, p.Organizations = true, false, true, false, 3, 4, 12, 1
	p.Forward = false
	p.LongestWait, p.Patience, p.Failures, p.Passivate = 5*time.Second, 10*time.Second, 0, 10*time.Minute
}

// placed changes a plan so that organizations move between the members of a cluster.
func placed(p *plan) {
	owned(p)
	p.Cluster, p.Servers, p.LongestWait = true, 2, 200*time.Millisecond
}

// forwarded changes a plan so that members forward requests over broken links.
func forwarded(p *plan) {
	placed(p)
	p.Forward, p.Servers, p.Losses, p.Crashes = true, 3, 20, true
}

// unlinked changes a plan so that forwarded requests fail for longer than members repeat them.
func unlinked(p *plan) {
	forwarded(p)
	p.Losses, p.Failures, p.LongestWait, p.Crashes = 60, 10, 10*time.Second, false
}

// mostSeeds bounds the schedules in which a mistake is searched.
const mostSeeds = 3000

func TestPlantedMistakesAreFound(t *testing.T) {
	t.Parallel()
	consumers := func(p *plan) { p.Consumers, p.Leases, p.Cluster = true, true, false }
	replays := func(p *plan) { consumers(p); p.Replays = true }
	const effects, order = "each event has its effect when the faults end", "a read is not behind earlier reads and writes"
	for _, test := range []struct {
		planted mutation
		name    string
		change  func(*plan)
		claims  []string
		// likely is the seed of a schedule that found the mistake. It saves the search, which would take minutes.
		likely uint64
	}{
		{acceptsUsedSequences, "a store that accepts a used sequence", func(p *plan) { p.Servers, p.Leases, p.Cluster = 2, false, false }, []string{"the rows of a journal form a chain"}, 0},
		{losesAppends, "a store that loses an append", func(*plan) {}, []string{"an answer shows durable events only"}, 0},
		{answersEarly, "an answer before the append is durable", func(*plan) {}, []string{"an answer shows durable events only", "a view equals a replay of the journal"}, 0},
		{forgetsKeys, "a store that forgets idempotency keys", func(*plan) {}, []string{"a command is recorded at most once"}, 0},
		{forgetsAlarms, "a clock that wakes no consumer", consumers, []string{effects}, 0},
		{skipsEffects, "a consumer that skips an event", consumers, []string{effects}, 0},
		{trustsArmedInstances, "a store that ignores the alarm of an instance that relies on it", func(p *plan) { p.Consumers, p.Leases, p.Cluster, p.Servers = true, false, false, 2 }, []string{effects}, 968},
		{removesRequests, "a store that removes the alarm of a request that the instance has not seen", replays, []string{effects}, 0},
		{servesWithoutLease, "a node that serves after its lease", owned, []string{order}, 227},
		{acknowledgesWithoutLease, "a node that acknowledges a write after its lease", owned, []string{order}, 448},
		{ignoresEpochs, "members that do not wait for each other", placed, []string{order}, 0},
		{removesLeased, "a list without a member whose lease is valid", placed, []string{order}, 12},
		{renamesRepetitions, "a node that repeats a forwarded change with another id", forwarded, []string{"a command is recorded at most once"}, 0},
		{forwardsForwarded, "a node that forwards a forwarded request", forwarded, []string{"a request is forwarded at most once"}, 0},
		{answersMisdirected, "a node that answers a misdirected read from memory", forwarded, []string{order}, 160},
		{forgetsRepetitions, "a node that does not mark the repetition of a change", forwarded, []string{"a recorded command is not refused when it is repeated with its key"}, 291},
		{trustsBrokenLinks, "a node that takes a broken link for a refusal", unlinked, []string{"a command that was not carried out is not recorded"}, 19},
		{ignoresAnnouncements, "an owner that does not learn of the rows of others", unlinked, []string{order}, 87},
		{revokesUnasked, "an owner that does not revoke read leases", placed, []string{order}, 1477},
		{confirmsUnasked, "a guest that does not ask the owner", placed, []string{order}, 27},
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
