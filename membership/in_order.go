package membership

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"

	"equity/messages"
	"equity/organization"
)

// ParallelReads is the number of organizations that a request reads at the same time. Each may need a load, and in a cluster a query.
const ParallelReads = 8

// errPanic is the error of a read that panicked.
var errPanic = errors.New("panic")

// result is the result of a read.
type result[R any] struct {
	value R
	err   error
}

// InOrder reads the items, at most parallel of them at the same time, and yields the results in the order of the items. It
// ends after the first error in this order. At most parallel results are in memory. InOrder cancels the reads that it does not need any
// more, and returns after their end.
func InOrder[I, R any](
	ctx context.Context, parallel int, items []I, read func(ctx context.Context, item I) (R, error),
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var running sync.WaitGroup
		defer running.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		results := make([]chan result[R], min(parallel, len(items)))
		start := func(i int) {
			into := make(chan result[R], 1)
			results[i%len(results)] = into
			running.Go(func() { into <- attempt(ctx, items[i], read) })
		}
		for i := range results {
			start(i)
		}
		for i := range items {
			got := <-results[i%len(results)]
			if !yield(got.value, got.err) || got.err != nil {
				return
			}
			if next := i + len(results); next < len(items) {
				start(next)
			}
		}
	}
}

// attempt returns the result of the read. A panic becomes an error, because it would end the program in a goroutine.
func attempt[I, R any](ctx context.Context, item I, read func(ctx context.Context, item I) (R, error)) (got result[R]) {
	defer func() {
		if reason := recover(); reason != nil {
			got = result[R]{err: fmt.Errorf("%w: %v\n%s", errPanic, reason, debug.Stack())}
		}
	}()
	got.value, got.err = read(ctx, item)
	return got
}

// Found reads organizations in parallel and yields the values in the order of the ids. It omits an organization for which read returns nil.
func Found[R any](
	ctx context.Context, ids []organization.ID, read func(ctx context.Context, id organization.ID) (*R, error),
) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		for value, err := range InOrder(ctx, ParallelReads, ids, read) {
			if (value != nil || err != nil) && !yield(value, err) {
				return
			}
		}
	}
}

// statesOf yields the states of the organizations in the order of the ids. It omits organizations whose journal cannot be read.
func statesOf(ctx context.Context, views Views, ids []organization.ID) iter.Seq2[*organization.State, error] {
	return Found(ctx, ids, func(ctx context.Context, id organization.ID) (*organization.State, error) {
		view, err := views.View(ctx, id)
		switch {
		case messages.IsUnreadable(err):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return view.State, nil
	})
}
