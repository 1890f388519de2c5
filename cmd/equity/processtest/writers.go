package processtest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// Fate is what a client knows about one of its writes.
type Fate int

// What became of a write: acknowledged, refused for good, or not known.
const (
	Unknown Fate = iota
	Acknowledged
	Refused
)

// Ledger is what all clients together were told.
type Ledger struct {
	mu    sync.Mutex
	fates map[string]Fate
}

// NewLedger makes an empty ledger.
func NewLedger() *Ledger { return &Ledger{fates: map[string]Fate{}} }

func (l *Ledger) note(id string, fate Fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fates[id] = fate
}

// Of lists the writes with this fate.
func (l *Ledger) Of(fate Fate) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	for id, f := range l.fates {
		if f == fate {
			ids = append(ids, id)
		}
	}
	return ids
}

// Write has so many writers issue one share after another until the context ends.
// It returns when all have stopped; an answer that nobody may get fails the test.
func (l *Ledger) Write(ctx context.Context, t *testing.T, c *Client, company Company, name string, writers int) {
	t.Helper()
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := fmt.Sprintf("%s-%d-%d", name, w, i)
				l.note(id, Unknown)
				answer, err := c.Issue(context.WithoutCancel(ctx), company, company.Holder, "1", id)
				if err != nil {
					return // the server is gone
				}
				if fate, ok := fateOf(answer); ok {
					l.note(id, fate)
				} else {
					t.Errorf("write %s was answered %d: %v", id, answer.Status, answer.Body)
					return
				}
			}
		})
	}
	group.Wait()
}

func fateOf(answer Answer) (Fate, bool) {
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

// Check compares the store with the ledger: each acknowledged write is there once,
// each refused one is not there, each unknown one at most once, totals are the sum.
func (l *Ledger) Check(t *testing.T, c *Client, company Company) {
	t.Helper()
	times := map[string]int{}
	held := 0
	for _, record := range c.Shareholdings(t, company) {
		times[text(record, "externalId")]++
		held++
	}
	for id, fate := range l.fates {
		n := times[id]
		if fate == Acknowledged && n != 1 || fate == Refused && n != 0 || n > 1 {
			t.Errorf("write %s (fate %d) is there %d times", id, fate, n)
		}
	}
	if got := c.Outstanding(t, company); got != strconv.Itoa(held) {
		t.Errorf("%d single shares are held and the table says %s", held, got)
	}
}

// Retry sends every write of unknown fate again with its key: afterwards each is
// there exactly once, or was refused.
func (l *Ledger) Retry(t *testing.T, c *Client, company Company) {
	t.Helper()
	for _, id := range l.Of(Unknown) {
		answer, err := c.Issue(t.Context(), company, company.Holder, "1", id)
		if err != nil {
			t.Fatalf("retry of %s: %v", id, err)
		}
		fate, ok := fateOf(answer)
		if !ok || fate == Unknown {
			t.Errorf("retry of %s was answered %d: %v", id, answer.Status, answer.Body)
		}
		l.note(id, fate)
	}
}
