package processtest_test

import (
	"math"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

func TestHistoriesAgreeWithTheirTimes(t *testing.T) {
	t.Parallel()
	write := func(position, call, end int64) processtest.Operation {
		return processtest.Operation{Write: true, Position: position, Call: call, Return: end}
	}
	read := func(position, call, end int64) processtest.Operation {
		return processtest.Operation{Position: position, Call: call, Return: end}
	}
	for name, history := range map[string]struct {
		operations []processtest.Operation
		right      bool
	}{
		"empty": {nil, true},
		"one after another": {
			[]processtest.Operation{read(0, 0, 1), write(1, 2, 3), read(1, 4, 5), write(2, 6, 7), read(2, 8, 9)}, true,
		},
		"concurrent writes in either order":         {[]processtest.Operation{write(2, 0, 10), write(1, 1, 9), read(1, 2, 8), read(2, 3, 7)}, true},
		"reads of one value in any order":           {[]processtest.Operation{write(1, 0, 1), read(1, 8, 9), read(1, 2, 3), read(1, 5, 6)}, true},
		"an unknown write that comes late":          {[]processtest.Operation{write(1, 0, math.MaxInt64), read(0, 5, 6), read(1, 7, 8)}, true},
		"a read without an acknowledged write":      {[]processtest.Operation{write(1, 0, 1), read(0, 2, 3)}, false},
		"a read of a write that was not sent":       {[]processtest.Operation{read(1, 0, 1), write(1, 2, 3)}, false},
		"a read before an earlier one":              {[]processtest.Operation{write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)}, false},
		"writes against the order of the journal":   {[]processtest.Operation{write(2, 0, 1), write(1, 2, 3)}, false},
		"an unknown write before its call":          {[]processtest.Operation{write(1, 5, math.MaxInt64), read(1, 3, 4)}, false},
		"a read of a write that nobody has made":    {[]processtest.Operation{write(1, 0, 1), read(2, 2, 3)}, false},
		"a stale read behind many other operations": {append(many(5000), read(0, math.MaxInt32, math.MaxInt32+1)), false},
	} {
		if err := processtest.CheckOrder(history.operations); (err == nil) != history.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongHistoriesAreCheckedQuickly has 64 writers, a tenth of whose outcomes are unknown. Its time counts in a long run.
func TestLongHistoriesAreCheckedQuickly(t *testing.T) {
	t.Parallel()
	writes := int64(10_000)
	if processtest.Torture() {
		writes = 100_000
	}
	begin := time.Now()
	if err := processtest.CheckOrder(many(writes)); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); processtest.Torture() && took > 30*time.Second {
		t.Errorf("the check took %s", took)
	}
}

// many returns a linearizable history in which 64 writes are always in flight, with a read after each third of them.
func many(writes int64) (operations []processtest.Operation) {
	const writers = 64
	for i := range writes {
		at := 10 * (i + 1)
		end := at + 10*(i%writers)
		if i%10 == 0 {
			end = math.MaxInt64
		}
		operations = append(operations, processtest.Operation{Write: true, Position: i + 1, Call: at - 10*((i*7)%writers), Return: end})
		if i%3 == 0 {
			operations = append(operations, processtest.Operation{Position: i + 1, Call: at + 1, Return: at + 5})
		}
	}
	return operations
}
