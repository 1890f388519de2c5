package actors_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// bulkRows is a number of rows that is decided outside the actor.
const bulkRows = 600

// intake issues one share with each of bulkRows rows.
func (c *company) intake() messages.Command {
	var in organization.Intake
	for i := range bulkRows {
		in.Rows = append(in.Rows, organization.IntakeRow{Place: strconv.Itoa(i + 2), Command: organization.IssueRow{
			Holder: "Ada Lovelace", Security: "Common Stock", Shares: exact.NewDecimal(1), IssueDate: exact.MustDate("1999-01-15"),
		}})
	}
	return c.command(in)
}

// issued returns the issued shares as the view has them.
func (c *company) issued() string {
	c.Helper()
	view, err := c.View(c.Context(), c.id)
	if err != nil {
		c.Fatal(err)
	}
	security, _ := view.State.Table().Security(c.security)
	return security.Outstanding().String()
}

func TestBulkIsRecordedAsOneCommand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		reply := c.must(c.intake())
		if len(reply.Events) != bulkRows || c.issued() != "600" {
			t.Errorf("%d events, %s shares", len(reply.Events), c.issued())
		}
		c.restart()
		if c.issued() != "600" {
			t.Errorf("%s shares after a restart", c.issued())
		}
	})
}

func TestBulkAndOtherWritesAreAllRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() { c.must(c.intake()) })
		}
		for range 200 {
			wait.Go(func() { c.must(c.issue(c.bob, 1)) })
			time.Sleep(time.Millisecond)
		}
		wait.Wait()
		if c.issued() != "2000" {
			t.Errorf("%s shares", c.issued())
		}
		c.restart()
		if c.issued() != "2000" {
			t.Errorf("%s shares after a restart", c.issued())
		}
	})
}

// TestLimitsHoldBetweenABulkAndOtherWrites issues more than is authorized, from both sides at once.
func TestLimitsHoldBetweenABulkAndOtherWrites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		var wait sync.WaitGroup
		outcomes := make([]error, 2)
		wait.Go(func() { _, outcomes[0] = c.Do(t.Context(), c.intake()) })
		wait.Go(func() { _, outcomes[1] = c.Do(t.Context(), c.issue(c.bob, authorized-bulkRows+1)) })
		wait.Wait()
		if (outcomes[0] == nil) == (outcomes[1] == nil) {
			t.Errorf("the bulk: %v, the other write: %v", outcomes[0], outcomes[1])
		}
	})
}

func TestRetriedBulkIsRecordedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				command := c.intake()
				command.IdempotencyKey, command.Fingerprint = "import", "f"
				if reply := c.must(command); len(reply.Events) != bulkRows {
					t.Errorf("%d events", len(reply.Events))
				}
			})
		}
		wait.Wait()
		if c.issued() != "600" {
			t.Errorf("%s shares", c.issued())
		}
	})
}

func TestRefusedBulkChangesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		command := c.intake()
		in, _ := command.Body.(organization.Intake)
		in.Rows[bulkRows-1].Command = organization.IssueRow{Holder: "nobody"}
		_, err := c.Do(t.Context(), command)
		if refusal, ok := errors.AsType[*fault.Error](err); !ok || refusal.Code != fault.RowsRefused {
			t.Errorf("got %v", err)
		}
		if c.issued() != "0" {
			t.Errorf("%s shares", c.issued())
		}
	})
}

func TestDryRunOfABulkChangesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		command := c.intake()
		command.DryRun = true
		if reply := c.must(command); len(reply.Events) != bulkRows || c.issued() != "0" {
			t.Errorf("%d events, %s shares", len(reply.Events), c.issued())
		}
	})
}

func TestStopAnswersABulkThatIsBeingDecided(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deciding, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		var armed bool
		c := setup(t, func(s *actors.Settings) {
			next := s.NewID
			s.NewID = func() [16]byte {
				if armed {
					once.Do(func() { close(deciding) })
					<-release
				}
				return next()
			}
		})
		armed = true
		outcome := make(chan error, 1)
		go func() {
			_, err := c.Do(t.Context(), c.intake())
			outcome <- err
		}()
		<-deciding
		c.stop(c.Organizations)
		if err := <-outcome; !errors.Is(err, messages.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
		close(release)
	})
}

// TestOtherWritesDoNotWaitForTheDecisionOfABulk holds the decision up.
func TestOtherWritesDoNotWaitForTheDecisionOfABulk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		held := make(chan struct{}, 1)
		var armed bool
		c := setup(t, func(s *actors.Settings) {
			next := s.NewID
			s.NewID = func() [16]byte {
				if armed {
					armed = false
					held <- struct{}{}
					<-release
				}
				return next()
			}
		})
		armed = true
		done := make(chan error, 1)
		go func() {
			_, err := c.Do(t.Context(), c.intake())
			done <- err
		}()
		<-held
		begin := time.Now()
		c.must(c.issue(c.bob, 1))
		if waited := time.Since(begin); waited > 2*latency {
			t.Errorf("waited %s", waited)
		}
		close(release)
		if err := <-done; err != nil || c.issued() != strconv.Itoa(bulkRows+1) {
			t.Errorf("%v, %s shares", err, c.issued())
		}
	})
}
