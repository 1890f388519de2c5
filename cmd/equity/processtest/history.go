package processtest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is the history of single shares that callers issue, and of the reads of their number.
type history struct {
	begin  time.Time
	mu     sync.Mutex
	writes map[string]Operation
	reads  []Operation
}

// Operation is a write or a read of a history.
type Operation struct {
	Write bool
	// Position is the number of shares after it: that of the write in the journal, or the answer of the read.
	Position int64
	// Call and Return are the times of the request and of its answer in nanoseconds.
	Call, Return int64
}

// took returns the time until the answer; 0 for an unknown one.
func (o Operation) took() time.Duration {
	if o.Return == math.MaxInt64 {
		return 0
	}
	return time.Duration(o.Return - o.Call)
}

func newHistory() *history { return &history{begin: time.Now(), writes: map[string]Operation{}} }

// wrote notes an issue that began at the time. Its outcome is the one of the ledger.
func (h *history) wrote(id string, begin time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writes[id] = Operation{Write: true, Call: begin.Sub(h.begin).Nanoseconds(), Return: time.Since(h.begin).Nanoseconds()}
}

func (h *history) read(value int64, begin time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reads = append(h.reads, Operation{Position: value, Call: begin.Sub(h.begin).Nanoseconds(), Return: time.Since(h.begin).Nanoseconds()})
}

// CheckHistory checks that the writes and the reads look as if they came one after another, in the order of the journal, each between its
// call and its response. A write with an unknown outcome that is stored may have happened at any time after its call.
func (l *Ledger) CheckHistory(t *testing.T, c *Client, company Company) {
	t.Helper()
	position := map[string]int64{}
	for i, record := range c.Shareholdings(t, company) { // in the order of the journal
		position[text(record, "externalId")] = int64(i) + 1
	}
	acknowledged := map[string]bool{}
	for _, id := range l.Of(Acknowledged) {
		acknowledged[id] = true
	}
	h := l.history
	operations := slices.Clone(h.reads)
	for id, write := range h.writes {
		if write.Position = position[id]; write.Position == 0 {
			continue // Check reports an acknowledged write that is not stored
		}
		if !acknowledged[id] {
			write.Return = math.MaxInt64
		}
		operations = append(operations, write)
	}
	slowest := slices.MaxFunc(append(operations, Operation{}), func(a, b Operation) int { return cmp.Compare(a.took(), b.took()) })
	begin := time.Now()
	if err := CheckOrder(operations); err != nil {
		t.Error(err)
	}
	t.Logf("the history of %d operations was checked in %s; the slowest answer took %s", len(operations), time.Since(begin), slowest.took())
}

// Errors of histories.
var (
	ErrOrder        = errors.New("an operation ended before the call of an earlier one")
	errLinearizable = errors.New("the history is not linearizable")
)

const (
	// windowOf is the number of operations that porcupine checks at once.
	windowOf = 1000
	// windowWithin bounds the check of a window.
	windowWithin = time.Minute
)

// CheckOrder checks that the history is linearizable in the order of the positions.
//
// The order of concurrent writes is not searched. All writes have the same effect, so that with 64 concurrent ones a search would try each
// subset of them. The journal has an order already, which a server must not contradict. With it, each operation has one place: a write its
// position, and a read that of the last write it shows. The history is linearizable in this order if and only if no operation ended before
// the call of one with an earlier place. This takes time proportional to the sorted number of operations.
//
// Porcupine confirms it for each window of consecutive operations. It stores a set of the operations for each of them, so that the memory
// for a whole history would grow with the square of its length.
func CheckOrder(operations []Operation) error {
	operations = slices.Clone(operations)
	slices.SortFunc(operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), compareWrites(a, b), cmp.Compare(a.Call, b.Call))
	})
	latest, earlier := Operation{Call: math.MinInt64}, Operation{Call: math.MinInt64} // the latest calls so far, with and without those at the same place
	for i, o := range operations {
		if i > 0 && (o.Write || operations[i-1].Write || o.Position != operations[i-1].Position) {
			earlier = latest
		}
		if o.Return < earlier.Call {
			return fmt.Errorf("%w: %+v and %+v", ErrOrder, o, earlier)
		}
		if o.Call > latest.Call {
			latest = o
		}
	}
	var first int64 // the number of shares before the window
	for window := range slices.Chunk(operations, windowOf) {
		events := make([]porcupine.Operation, len(window))
		for i, o := range window {
			events[i] = porcupine.Operation{ClientId: i, Input: o, Call: o.Call, Return: o.Return} // a client may go on after a request without an answer
		}
		if result := porcupine.CheckOperationsTimeout(counter(first), events, windowWithin); result != porcupine.Ok {
			return fmt.Errorf("%w: %d operations from %+v: %s", errLinearizable, len(window), window[0], result)
		}
		first = window[len(window)-1].Position
	}
	return nil
}

// compareWrites places a write before the reads that show it.
func compareWrites(a, b Operation) int {
	switch {
	case a.Write == b.Write:
		return 0
	case a.Write:
		return -1
	default:
		return 1
	}
}

// counter is the number of issued shares. A write comes directly after the one before it in the journal.
func counter(first int64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return first },
		Step: func(state, input, _ any) (bool, any) {
			now, _ := state.(int64)
			o, _ := input.(Operation)
			if o.Write {
				return o.Position == now+1, o.Position
			}
			return o.Position == now, now
		},
		Equal: func(a, b any) bool { return a == b },
	}
}
