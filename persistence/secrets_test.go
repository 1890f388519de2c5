package persistence_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

const configured = "a configured secret key"

func openSecrets(t *testing.T, db *persistence.Database, key string) *persistence.Secrets {
	t.Helper()
	secrets, err := persistence.OpenSecrets(t.Context(), db, []byte(key), storetest.Epoch)
	must(t, err)
	return secrets
}

func random32() ([]byte, error) {
	made := make([]byte, 32)
	_, err := rand.Read(made)
	return made, err
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		secrets := openSecrets(t, db, configured)
		sealed, err := secrets.Seal([]byte("seed"), []byte("record 1"))
		must(t, err)
		if bytes.Contains(sealed, []byte("seed")) {
			t.Fatal("it is readable")
		}
		again := openSecrets(t, db, configured)
		plain, err := again.Open(t.Context(), sealed, []byte("record 1"))
		if err != nil || string(plain) != "seed" {
			t.Fatalf("%s %v", plain, err)
		}
		if _, err := secrets.Open(t.Context(), sealed, []byte("record 2")); err == nil {
			t.Fatal("it can be opened for another record")
		}
		sealed[len(sealed)-1] ^= 1
		if _, err := secrets.Open(t.Context(), sealed, []byte("record 1")); err == nil {
			t.Fatal("it opens although it was altered")
		}
		_, err = persistence.OpenSecrets(t.Context(), db, []byte("another key, just as long"), storetest.Epoch)
		if err == nil || !strings.Contains(err.Error(), "does not match") {
			t.Fatalf("with another key: %v", err)
		}
		if _, err = persistence.OpenSecrets(t.Context(), db, []byte("short"), storetest.Epoch); err == nil {
			t.Fatal("a short key is accepted")
		}
	})
}

func TestNamedSecrets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		var mu sync.Mutex
		seen := map[string]bool{}
		var servers sync.WaitGroup
		for range 8 {
			servers.Go(func() {
				secrets, err := persistence.OpenSecrets(t.Context(), db, []byte(configured), storetest.Epoch)
				if err != nil {
					t.Error(err)
					return
				}
				key, err := secrets.Named(t.Context(), "session", random32)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				seen[string(key)] = true
				mu.Unlock()
			})
		}
		servers.Wait()
		if len(seen) != 1 {
			t.Fatalf("servers that started together have %d keys", len(seen))
		}
		var stored []byte
		must(t, db.Reader().QueryRowContext(t.Context(), `SELECT value FROM secret WHERE name = 'session'`).Scan(&stored))
		if seen[string(stored)] {
			t.Fatal("the secret is stored as it is")
		}
		_, err := openSecrets(t, db, configured).Named(t.Context(), "other", func() ([]byte, error) { return nil, errors.New("no") })
		if err == nil {
			t.Fatal("a secret that could not be made was stored")
		}
	})
}

func TestRotate(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		running, admin := openSecrets(t, db, configured), openSecrets(t, db, configured)
		named, err := running.Named(t.Context(), "session", random32)
		must(t, err)
		old, err := running.Seal([]byte("old"), nil)
		must(t, err)
		must(t, admin.Rotate(t.Context(), nil))
		fresh, err := admin.Seal([]byte("new"), nil)
		must(t, err)
		for _, secrets := range []*persistence.Secrets{admin, running, openSecrets(t, db, configured)} {
			for want, sealed := range map[string][]byte{"old": old, "new": fresh} {
				if plain, err := secrets.Open(t.Context(), sealed, nil); err != nil || string(plain) != want {
					t.Fatalf("%s: %s %v", want, plain, err)
				}
			}
			if again, err := secrets.Named(t.Context(), "session", random32); err != nil || !bytes.Equal(again, named) {
				t.Fatalf("the named secret was lost: %v", err)
			}
		}
		const next = "the next configured key, also long"
		must(t, admin.Rotate(t.Context(), []byte(next)))
		if _, err := persistence.OpenSecrets(t.Context(), db, []byte(configured), storetest.Epoch); err == nil {
			t.Fatal("the old configured key still opens the store")
		}
		renewed := openSecrets(t, db, next)
		if plain, err := renewed.Open(t.Context(), old, nil); err != nil || string(plain) != "old" {
			t.Fatalf("%s %v", plain, err)
		}
		if again, err := renewed.Named(t.Context(), "session", random32); err != nil || !bytes.Equal(again, named) {
			t.Fatalf("the named secret was lost: %v", err)
		}
		if running.Rotate(t.Context(), nil) == nil {
			t.Fatal("a server with the old key rotated the new keyset")
		}
	})
}
