package persistence_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// BenchmarkAppend has callers that each wait for one row to be stored. An organization has one append in flight
// and collects the next batch meanwhile, like its actor. Each row creates a record.
func BenchmarkAppend(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgresql"} {
		for _, organizations := range []int{1, 64} {
			for _, callers := range []int{1, 16, 256} {
				b.Run(fmt.Sprintf("%s/organizations=%d/callers=%d", engine, organizations, callers), func(b *testing.B) {
					benchmarkAppend(b, engine, organizations, callers)
				})
			}
		}
	}
}

func benchmarkAppend(b *testing.B, engine string, organizations, callers int) {
	b.Helper()
	journal := benchmarkJournal(b, engine)
	organizations = min(organizations, callers)
	share := callers / organizations
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	var wait sync.WaitGroup
	for range organizations {
		wait.Go(func() {
			w := storetest.NewWriter()
			payloads := make([]string, share)
			for i := range payloads {
				payloads[i] = `{"shares":"100","name":"` + strings.Repeat("n", 300) + `"}`
			}
			for left.Add(-int64(share)) > -int64(share) {
				batch := w.Next(payloads...)
				for range share {
					id := storetest.NewID[captable.Security]()
					batch.Resources = append(batch.Resources, messages.Resource{ID: id, Kind: "shareholding"})
				}
				outcome := make(chan error, 1)
				journal.Append(batch, func(err error) { outcome <- err })
				if err := <-outcome; err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func benchmarkJournal(b *testing.B, engine string) *persistence.Journal {
	b.Helper()
	db, err := persistence.Open(context.Background(), storetest.Engines()[engine](b))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := db.Migrate(context.Background()); err != nil {
		b.Fatal(err)
	}
	journal := persistence.NewJournal(db)
	b.Cleanup(func() {
		_ = journal.Close()
		_ = db.Close()
	})
	return journal
}

// BenchmarkScan reads a whole journal of 100,000 rows.
func BenchmarkScan(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgresql"} {
		b.Run(engine, func(b *testing.B) {
			journal := benchmarkJournal(b, engine)
			w := storetest.NewWriter()
			payloads := make([]string, 1000)
			for i := range payloads {
				payloads[i] = `{"shares":"100","name":"` + strings.Repeat("n", 300) + `"}`
			}
			for range 100 {
				storetest.MustPut(b, journal, w.Next(payloads...))
			}
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				err := journal.Scan(context.Background(), w.ID, 0, 0, func(messages.Row) error {
					rows++
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkBulk stores the append of an import with 100,000 shareholdings.
func BenchmarkBulk(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgresql"} {
		b.Run(engine, func(b *testing.B) {
			journal := benchmarkJournal(b, engine)
			payloads := make([]string, 110_000)
			for i := range payloads {
				payloads[i] = `{"shares":"100","name":"` + strings.Repeat("n", 700) + `"}`
			}
			for b.Loop() {
				batch := storetest.NewWriter().Next(payloads...)
				for i := range payloads {
					batch.Resources = append(batch.Resources, messages.Resource{ID: storetest.NewID[captable.Shareholding](), Kind: "shareholding"})
					if i%10 == 0 {
						batch.Stakes = append(batch.Stakes, messages.Stake{Entity: storetest.NewID[captable.Entity](), Holds: true})
					}
				}
				storetest.MustPut(b, journal, batch)
			}
		})
	}
}
