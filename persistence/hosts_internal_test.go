package persistence

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestLookupOutlivesTheNameServer looks up a name while its name server does not answer.
func TestLookupOutlivesTheNameServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hangs, asked := false, 0
		h := &hosts{known: map[string][]string{}, silent: map[string]time.Time{}, find: func(ctx context.Context, _ string) ([]string, error) {
			asked++
			if hangs {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return []string{"10.0.0.1"}, nil
		}}
		lookup := func(after, limit time.Duration, times int) {
			t.Helper()
			time.Sleep(after)
			began, before := time.Now(), asked
			found, err := h.lookup(t.Context(), "primary")
			if err != nil || !slices.Equal(found, []string{"10.0.0.1"}) {
				t.Errorf("%v, %v", found, err)
			}
			if took := time.Since(began); took > limit {
				t.Errorf("took %v", took)
			}
			if asked-before != times {
				t.Errorf("asked %d times", asked-before)
			}
		}
		lookup(0, 0, 1)
		hangs = true
		lookup(0, silentAfter, 1)
		lookup(0, 0, 0) // it is avoided
		lookup(avoidSilent, silentAfter, 1)
		hangs = false
		lookup(avoidSilent, 0, 1)
		lookup(0, 0, 1)
		missing := errors.New("no such host")
		h.find = func(context.Context, string) ([]string, error) { return nil, missing }
		if _, err := h.lookup(t.Context(), "primary"); !errors.Is(err, missing) {
			t.Errorf("a name that does not exist any more: %v", err)
		}
	})
}
