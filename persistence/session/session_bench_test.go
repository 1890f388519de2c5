package session_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// BenchmarkLoad has callers that each check their own session repeatedly.
func BenchmarkLoad(b *testing.B) {
	address, prefix := storetest.Redis(b)
	pool := session.NewPool(address, 2*time.Second)
	onRedis, err := session.NewRedis(pool, prefix, options())
	if err != nil {
		b.Fatal(err)
	}
	stores := map[string]*session.Store{"redis": onRedis}
	for engine, factory := range storetest.Engines() {
		db := storetest.Open(b, factory(b))
		if stores[engine], err = session.NewSQL(db.Reader(), db.Writer(), options()); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"redis", "sqlite", "postgresql"} {
		for _, callers := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("%s/callers=%d", name, callers), func(b *testing.B) {
				benchmarkLoad(b, stores[name], callers)
			})
		}
	}
}

func benchmarkLoad(b *testing.B, store *session.Store, callers int) {
	b.Helper()
	requests := make([]*http.Request, callers)
	for i := range requests {
		requests[i] = httptest.NewRequest(http.MethodGet, "/", nil)
		made, err := store.Create(httptest.NewRecorder(), requests[i], messages.SignIn{User: storetest.NewID[organization.User]()})
		if err != nil {
			b.Fatal(err)
		}
		requests[i].AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	var wait sync.WaitGroup
	for _, r := range requests {
		wait.Go(func() {
			for left.Add(-1) >= 0 {
				if _, found, err := store.Load(r); err != nil || !found {
					b.Error(found, err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "checks/s")
}
