package actors_test

import (
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

// ahead returns a clock with an adjustable offset.
func ahead(offset *time.Duration) func(*actors.Settings) {
	return func(s *actors.Settings) {
		s.Now = func() time.Time { return time.Now().Add(*offset) }
		s.ClockSkew = 24 * time.Hour
	}
}

func TestKeyIsRememberedAfterAJumpOfTheClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var offset time.Duration
		c := setup(t, ahead(&offset))
		command := keyed(c.issue(c.ada, 1), "k", "body")
		first := c.must(command)
		offset = 72 * time.Hour
		c.restart()
		if again := c.must(command); !again.Replayed || again.Sequence != first.Sequence {
			t.Errorf("after a jump of three days: %+v", again)
		}
	})
}

func TestClockFarBehindTheLastRowIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		offset := 3 * 365 * 24 * time.Hour
		c := setup(t, ahead(&offset))
		offset = 0
		_, err := c.do(c.issue(c.ada, 1))
		refused(t, err, messages.ErrClock.Code)
		offset = 3*365*24*time.Hour - time.Hour
		c.must(c.issue(c.ada, 1))
	})
}
