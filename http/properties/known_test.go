package properties_test

import (
	"testing"
	"time"

	"equity/captable"
	equityhttp "equity/http"
)

// observation is an answer with the time and the sequence of the read.
type observation struct {
	path, asOf, sequence, body string
	at                         time.Time
}

// observe performs random reads as of random days and returns the successful ones.
func (c *company) observe() (seen []observation) {
	sequence := text(c.number(c.object(c.home + "/captable")["sequence"]))
	others := []string{c.home + "/member", c.home + "/role", c.home + "/legend", c.home + "/block", c.home + "/capitalChange"}
	for _, path := range append(sample(c.world, c.lists(), 3), append(sample(c.world, c.records(), 4), sample(c.world, others, 1)...)...) {
		o := observation{path: path, sequence: sequence, at: c.clock.Now()}
		if c.random.IntN(3) > 0 && !contains(others, path) {
			o.asOf = (c.today - captable.Date(c.random.IntN(400))).String()
		}
		got := c.ask(path, "asOf", o.asOf)
		o.body = got.body
		if got.status == 200 {
			seen = append(seen, o)
		}
	}
	return seen
}

// recall repeats the observed reads as known at their sequence and checks the answers.
func (c *company) recall(server *equityhttp.Server, seen []observation, when string) {
	for _, o := range seen {
		c.clock.set(o.at)
		got := c.owner.send(server, "GET", withQuery(o.path, "asOf", o.asOf, "knownAt", o.sequence), "", "")
		c.holds(got.status == 200 && got.body == o.body, "%s as of %q, known at %s, %s: %d\n%s\nwas\n%s\n%s",
			c.named(o.path), o.asOf, o.sequence, when, got.status, got.body, o.body, difference(got.body, o.body))
	}
}

// A read with knownAt equals the answer at that sequence, even after the organization is
// reloaded.
func TestKnownAtEqualsTheAnswerOfItsTime(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 40, histories: 3, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		var seen []observation
		for n, s := range steps {
			if c.perform(n, s) && w.random.IntN(2) == 0 {
				seen = append(seen, c.observe()...)
			}
		}
		now := c.clock.Now()
		c.recall(w.cached, seen, "at the end of the history")
		c.recall(w.uncached, seen, "without a cache")
		w.restart(w.tb)
		c.recall(w.uncached, seen, "after a restart")
		c.clock.set(now)
	}})
}
