package apitest

import (
	"bytes"
	"crypto/rand"
	"net/url"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// OnBothEngines runs a test on every database engine, each with a separate server.
func OnBothEngines(t *testing.T, test func(t *testing.T, b *Server)) {
	t.Helper()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, SetupOn(t, factory(t)))
		})
	}
}

// OnAllStores runs a test on both databases, each with a different session store.
func OnAllStores(t *testing.T, test func(t *testing.T, b *Server), more ...Change) {
	t.Helper()
	OnAllStoresWith(t, func(t *testing.T, store string, changes ...Change) {
		t.Helper()
		test(t, SetupOn(t, store, append(changes, more...)...))
	})
}

// Change modifies the settings and services before the server starts.
type Change = func(*equityhttp.Settings, *equityhttp.Services)

// OnAllStoresWith is the variant of [OnAllStores] for a test that starts the server itself.
func OnAllStoresWith(t *testing.T, test func(t *testing.T, store string, changes ...Change)) {
	t.Helper()
	t.Run("sqlite, sessions in the database", func(t *testing.T) {
		t.Parallel()
		test(t, storetest.SQLite(t))
	})
	t.Run("postgresql, sessions in redis", func(t *testing.T) {
		t.Parallel()
		test(t, storetest.PostgreSQL(t), inRedis(t))
	})
}

// inRedis stores the sessions in Redis.
func inRedis(tb testing.TB) func(*equityhttp.Settings, *equityhttp.Services) {
	tb.Helper()
	return func(_ *equityhttp.Settings, s *equityhttp.Services) {
		address, prefix := storetest.Redis(tb)
		store, err := session.NewRedis(session.NewPool(address, 2*time.Second), prefix, session.Options{
			Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}, Clock: s.Now, Random: rand.Reader,
		})
		if err != nil {
			tb.Fatal(err)
		}
		storetest.Cleanup(tb, func() { _ = store.Close() })
		s.Sessions = store
	}
}

// SetupBehindProxy starts a server with a PostgreSQL connection that the test can cut.
func SetupBehindProxy(t *testing.T) (*Server, *storetest.Proxy) {
	t.Helper()
	address, err := url.Parse(storetest.PostgreSQL(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := storetest.NewProxy(t, address.Host)
	address.Host = proxy.Address()
	return SetupOn(t, address.String()), proxy
}
