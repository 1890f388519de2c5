package processtest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Outcome is the outcome of a write as known to its client.
type Outcome int

// The outcomes of a write: acknowledged, refused, or unknown.
const (
	Unknown Outcome = iota
	Acknowledged
	Refused
)

// Ledger records the outcomes of all writes.
type Ledger struct {
	mu       sync.Mutex
	outcomes map[string]Outcome
	history  *history
	// pause is the time from an answer to the next request of a writer or a reader.
	pause time.Duration
}

// NewLedger returns an empty ledger. In a short run, its writers and readers wait between their requests, which leaves the processors to other
// tests.
func NewLedger() *Ledger {
	l := &Ledger{outcomes: map[string]Outcome{}, history: newHistory()}
	if !Torture() {
		l.pause = betweenRequests
	}
	return l
}

// NewBusyLedger returns an empty ledger, whose writers and readers send the next request at once.
func NewBusyLedger() *Ledger {
	l := NewLedger()
	l.pause = 0
	return l
}

func (l *Ledger) note(id string, outcome Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outcomes[id] = outcome
}

// Of returns the writes with this outcome.
func (l *Ledger) Of(outcome Outcome) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	for id, f := range l.outcomes {
		if f == outcome {
			ids = append(ids, id)
		}
	}
	return ids
}

// Torture reports whether the run is a long one (TORTURE_SECONDS), whose figures count.
func Torture() bool { return os.Getenv("TORTURE_SECONDS") != "" }

// betweenRequests is the time from an answer to the next request in a short run.
const betweenRequests = 50 * time.Millisecond

// next waits until the next request of a writer or a reader, and reports whether the context has not ended.
func (l *Ledger) next(ctx context.Context) bool {
	if l.pause > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(l.pause):
		}
	}
	return ctx.Err() == nil
}

// Write runs writers that issue one share after another until the context ends.
// It returns after all have stopped. An unexpected response fails the test.
func (l *Ledger) Write(ctx context.Context, t *testing.T, c *Client, company Company, name string, writers int) {
	t.Helper()
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := 0; i == 0 || l.next(ctx); i++ {
				id := fmt.Sprintf("%s-%d-%d", name, w, i)
				l.note(id, Unknown)
				answer, err := c.Issue(context.WithoutCancel(ctx), company, company.Holder, "1", id)
				if err != nil {
					return // the server has ended
				}
				if outcome, ok := outcomeOf(answer); ok {
					l.note(id, outcome)
				} else {
					t.Errorf("write %s was answered %d: %v", id, answer.Status, answer.Body)
					return
				}
			}
		})
	}
	group.Wait()
}

func outcomeOf(answer Answer) (Outcome, bool) {
	switch {
	case answer.Status == http.StatusCreated:
		return Acknowledged, true
	case answer.Status == http.StatusConflict && answer.Body["code"] == "insufficientShares":
		return Refused, true
	case answer.Status == http.StatusServiceUnavailable:
		return Unknown, true
	default:
		return Unknown, false
	}
}

// Check compares the store with the ledger: each acknowledged write is stored once,
// refused writes are not stored, unknown writes at most once, and the totals match.
func (l *Ledger) Check(t *testing.T, c *Client, company Company) {
	t.Helper()
	times := map[string]int{}
	held := 0
	for _, record := range c.Shareholdings(t, company) {
		times[text(record, "externalId")]++
		held++
	}
	for id, outcome := range l.outcomes {
		n := times[id]
		if outcome == Acknowledged && n != 1 || outcome == Refused && n != 0 || n > 1 {
			t.Errorf("write %s (outcome %d) is there %d times", id, outcome, n)
		}
	}
	if got := c.Outstanding(t, company); got != strconv.Itoa(held) {
		t.Errorf("%d single shares are held and the table says %s", held, got)
	}
}

// Retry repeats every write with an unknown outcome with its key. Afterwards each is
// stored exactly once, or was refused.
func (l *Ledger) Retry(t *testing.T, c *Client, company Company) {
	t.Helper()
	for _, id := range l.Of(Unknown) {
		answer, err := c.Issue(t.Context(), company, company.Holder, "1", id)
		if err != nil {
			t.Fatalf("retry of %s: %v", id, err)
		}
		outcome, ok := outcomeOf(answer)
		if !ok || outcome == Unknown {
			t.Errorf("retry of %s was answered %d: %v", id, answer.Status, answer.Body)
		}
		l.note(id, outcome)
	}
}

// WriteAndReadUntilRefused writes and reads in turn until a request fails, and counts the answered requests. The error is that of the request or of an
// answer other than success.
func (l *Ledger) WriteAndReadUntilRefused(ctx context.Context, c *Client, company Company, name string, requests *atomic.Int64) error {
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", name, i)
		l.note(id, Unknown)
		answer, err := c.Issue(ctx, company, company.Holder, "1", id)
		if err == nil && answer.Status == http.StatusCreated {
			l.note(id, Acknowledged)
			requests.Add(1)
			answer, err = c.Do(ctx, http.MethodGet, company.path("/security"), nil)
		}
		if err != nil {
			return err
		}
		if answer.Status >= http.StatusMultipleChoices {
			return fmt.Errorf("%s was answered %d: %v", id, answer.Status, answer.Body)
		}
		requests.Add(1)
		if !l.next(ctx) {
			return ctx.Err()
		}
	}
}
