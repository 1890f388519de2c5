package actors_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/captable"
)

// BenchmarkCommands issues shares in one organization with a journal that takes a
// millisecond per commit, regardless of its size.
func BenchmarkCommands(b *testing.B) {
	for _, callers := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			c := setupOn(b, newMemory(b, after(time.Millisecond)), every(1<<40))
			c.must(c.table(captable.ReplaceSecurity{ID: c.security, SecurityTerms: captable.SecurityTerms{
				Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
			}}))
			command := c.issue(c.ada, 1)
			before := c.Stats()
			var left atomic.Int64
			left.Store(int64(b.N))
			var everybody sync.WaitGroup
			b.ReportAllocs()
			b.ResetTimer()
			for range callers {
				everybody.Go(func() {
					for left.Add(-1) >= 0 {
						if _, err := c.Do(context.Background(), command); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			everybody.Wait()
			b.StopTimer()
			now := c.Stats()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")                                       //nolint:forbidigo // a rate, not a quantity
			b.ReportMetric(float64(now.Events-before.Events)/float64(now.Appends-before.Appends), "events/append") //nolint:forbidigo // likewise
		})
	}
}

// BenchmarkViews reads an organization in memory.
func BenchmarkViews(b *testing.B) {
	c := setup(b)
	b.ReportAllocs()
	b.RunParallel(func(loop *testing.PB) {
		for loop.Next() {
			if _, err := c.View(context.Background(), c.id); err != nil {
				b.Error(err)
			}
		}
	})
}
