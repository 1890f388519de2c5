package processtest

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is the history of single shares that callers issue, and of the reads of their number.
type history struct {
	begin  time.Time
	mu     sync.Mutex
	writes map[string]porcupine.Operation
	reads  []porcupine.Operation
}

// number is the output of a read. An issue has none.
type number int64

func newHistory() *history {
	return &history{begin: time.Now(), writes: map[string]porcupine.Operation{}}
}

// wrote notes an issue that began at the time. Its outcome is the one of the ledger.
func (h *history) wrote(id string, begin time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writes[id] = porcupine.Operation{Call: begin.Sub(h.begin).Nanoseconds(), Return: time.Since(h.begin).Nanoseconds()}
}

func (h *history) read(value int64, begin time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reads = append(h.reads, porcupine.Operation{Output: number(value), Call: begin.Sub(h.begin).Nanoseconds(), Return: time.Since(h.begin).Nanoseconds()})
}

// historyWithin bounds the check of a history.
const historyWithin = time.Minute

// CheckHistory checks that the writes and the reads look as if they came one after another, each between its call and its response. A write
// with an unknown outcome that is stored may have happened at any time after its call.
func (l *Ledger) CheckHistory(t *testing.T, c *Client, company Company) {
	t.Helper()
	stored := map[string]bool{}
	for _, record := range c.Shareholdings(t, company) {
		stored[text(record, "externalId")] = true
	}
	acknowledged := map[string]bool{}
	for _, id := range l.Of(Acknowledged) {
		acknowledged[id] = true
	}
	h := l.history
	operations := h.reads
	for id, write := range h.writes {
		switch {
		case acknowledged[id]:
		case stored[id]:
			write.Return = math.MaxInt64
		default:
			continue
		}
		operations = append(operations, write)
	}
	for i := range operations {
		operations[i].ClientId = i // a client may go on after a request without an answer
	}
	if result := porcupine.CheckOperationsTimeout(counter(), operations, historyWithin); result != porcupine.Ok {
		t.Errorf("the history of %d operations is not linearizable: %s", len(operations), result)
	}
}

// counter is the number of issued shares.
func counter() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return number(0) },
		Step: func(state, _, output any) (bool, any) {
			now, _ := state.(number)
			if shown, reads := output.(number); reads {
				return shown == now, now
			}
			return true, now + 1
		},
		Equal:             func(a, b any) bool { return a == b },
		DescribeOperation: func(_, output any) string { return fmt.Sprint(output) },
	}
}
