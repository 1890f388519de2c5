package actors_test

import (
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
)

func TestStats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, every(10), patient(time.Minute))
		founded := c.Stats()
		if want := (actors.Stats{Live: 1, Appends: 6, Events: 7, Answers: 6}); founded != want {
			t.Errorf("after the founding: %+v; want %+v", founded, want)
		}
		first := c.asked(c.issue(c.ada, 1))
		for range 9 {
			c.asked(c.issue(c.ada, 1))
		}
		refusal := c.asked(c.issue(c.ada, 2*authorized))
		<-first
		<-refusal
		time.Sleep(time.Second)
		c.store.meet(lose)
		_, _ = c.do(c.issue(c.ada, 1))
		time.Sleep(time.Second)
		want := actors.Stats{Live: 1, Appends: 8, Events: 17, Answers: 17, Failures: 1, Restarts: 1, Snapshots: 1}
		if got := c.Stats(); got != want {
			t.Errorf("got %+v; want %+v", got, want)
		}
		time.Sleep(3 * time.Minute)
		if live := c.Stats().Live; live != 0 {
			t.Errorf("%d organizations are live", live)
		}
	})
}
