package http_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// everywhere runs a test on both databases, each with a different session store.
func everywhere(t *testing.T, test func(t *testing.T, b *bundle), more ...change) {
	t.Helper()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		test(t, setupOn(t, store, append(changes, more...)...))
	})
}

// change modifies the settings and services before the server starts.
type change = func(*equityhttp.Settings, *equityhttp.Services)

// everywhereOn is the variant of everywhere for a test that starts the server itself.
func everywhereOn(t *testing.T, test func(t *testing.T, store string, changes ...change)) {
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

// mails returns all mails to the address, in order.
func (b *bundle) mails(tb testing.TB, to string) []messages.Mail {
	tb.Helper()
	const all = 1000
	found, err := persistence.NewOutbox(b.db).Claim(context.Background(), b.clock.Now(), 0, all)
	if err != nil {
		tb.Fatal(err)
	}
	slices.SortFunc(found, func(a, b persistence.Mail) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	found = append(b.letters(tb, to), slices.DeleteFunc(found, func(m persistence.Mail) bool { return m.To != to })...)
	slices.SortStableFunc(found, func(a, b messages.Mail) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return found
}

// letters returns the mails to the address that events cause, in order. No consumer sends them here.
func (b *bundle) letters(tb testing.TB, to string) (found []messages.Mail) {
	tb.Helper()
	rows, err := b.db.Reader().QueryContext(context.Background(),
		`SELECT organization, name FROM sealed_value WHERE address = $1 AND name LIKE 'mail/%' ORDER BY created_at`, to)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names := map[string][]byte{}
	var order []string
	for rows.Next() {
		var id []byte
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			tb.Fatal(err)
		}
		names[name], order = id, append(order, name)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	for _, name := range order {
		value, err := persistence.NewSealed(b.db).Open(context.Background(), [16]byte(names[name]), name)
		if err != nil {
			tb.Fatal(err)
		}
		mail, err := messages.OpenLetter(value)
		if err != nil {
			tb.Fatal(err)
		}
		found = append(found, mail)
	}
	return found
}

// newest returns the last mail to the address.
func (b *bundle) newest(tb testing.TB, to string) messages.Mail {
	tb.Helper()
	found := b.mails(tb, to)
	if len(found) == 0 {
		tb.Fatalf("no mail to %s", to)
	}
	return found[len(found)-1]
}

// signInAgain signs the same person in with another browser.
func (c *client) signInAgain(tb testing.TB, with string, status int) *client {
	tb.Helper()
	other := c.anonymous()
	other.user = c.user
	other.must(tb, "POST", "/v1/user/login", `{"email":"`+c.user.Email+`","password":"`+with+`"}`, status)
	return other
}
