package persistence_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// silentWithin is the store timeout in these tests.
const silentWithin = time.Second

// silenced opens a store on PostgreSQL through a proxy that the test can freeze.
func silenced(t *testing.T) (*persistence.Database, *storetest.Proxy) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	storetest.Open(t, address)
	parsed, err := url.Parse(address)
	must(t, err)
	proxy := storetest.NewProxy(t, parsed.Host)
	parsed.Host = proxy.Address()
	db, err := persistence.Open(t.Context(), parsed.String(), persistence.WithTimeout(silentWithin), persistence.WithConnections(4))
	must(t, err)
	return db, proxy
}

// TestSilentStoreFailsEveryOperation starts all operations concurrently, so that most of them wait for a connection.
func TestSilentStoreFailsEveryOperation(t *testing.T) {
	t.Parallel()
	db, proxy := silenced(t)
	secrets, err := persistence.OpenSecrets(t.Context(), db, []byte(strings.Repeat("s", 32)), storetest.Epoch)
	must(t, err)
	journal := persistence.NewJournal(db)
	tables := []map[string]operation{
		ofAccounts(db), ofFactors(db, secrets), ofJournals(journal), ofPeople(db), ofMails(db),
		{"append": func(context.Context) error { return put(journal, storetest.NewWriter().Next(`{}`)) }},
	}
	proxy.Freeze(true)
	var everybody sync.WaitGroup
	for _, named := range tables {
		for name, do := range named {
			everybody.Go(func() {
				begin := time.Now()
				err := do(context.Background())
				if took := time.Since(begin); err == nil || took > 6*silentWithin {
					t.Errorf("%s: %v after %v", name, err, took)
				}
				if errors.Is(err, context.Canceled) {
					t.Errorf("%s blames the caller: %v", name, err)
				}
			})
		}
	}
	everybody.Wait()
	begin := time.Now()
	_ = journal.Close()
	_ = db.Close() // it reports the connections that did not close in time
	if took := time.Since(begin); took > 6*silentWithin {
		t.Errorf("closing took %v", took)
	}
}

func TestAppendToSilentStoreHasUnknownOutcome(t *testing.T) {
	t.Parallel()
	db, proxy := silenced(t)
	journal, w := persistence.NewJournal(db), storetest.NewWriter()
	storetest.MustPut(t, journal, w.Next(`{}`))
	proxy.Freeze(true)
	if err := put(journal, w.Next(`{}`)); !errors.Is(err, messages.ErrUnknownOutcome) {
		t.Errorf("an append that was sent: %v", err)
	}
	if err := put(journal, storetest.NewWriter().Next(`{}`)); !errors.Is(err, messages.ErrNotStored) {
		t.Errorf("an append that could not be sent: %v", err)
	}
	proxy.Freeze(false)
	must(t, journal.Close())
	must(t, db.Close())
}

func TestStoreAnswersAgainAfterItWasSilent(t *testing.T) {
	t.Parallel()
	db, proxy := silenced(t)
	users := persistence.NewUsers(db)
	proxy.Freeze(true)
	if _, err := users.Statistics(t.Context(), storetest.Epoch()); err == nil {
		t.Fatal("a silent store answered")
	}
	proxy.Freeze(false)
	var err error
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		if _, err = users.Statistics(t.Context(), storetest.Epoch()); err == nil {
			break
		}
	}
	must(t, err)
	must(t, db.Close())
}

func TestSilentStoreIsNotOpened(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.PostgreSQL(t))
	must(t, err)
	proxy := storetest.NewProxy(t, address.Host)
	address.Host = proxy.Address()
	proxy.Freeze(true)
	begin := time.Now()
	_, err = persistence.Open(t.Context(), address.String(), persistence.WithTimeout(silentWithin))
	if took := time.Since(begin); err == nil || took > 6*silentWithin {
		t.Errorf("%v after %v", err, took)
	}
}

// TestLongReadOutlivesTheTimeout checks that the timeout applies to each batch of rows, not to the time that the reader
// takes between batches.
func TestLongReadOutlivesTheTimeout(t *testing.T) {
	t.Parallel()
	db, _ := silenced(t)
	journal, w := persistence.NewJournal(db), storetest.NewWriter()
	for range 3 {
		storetest.MustPut(t, journal, w.Next(`{}`))
	}
	rows := 0
	must(t, journal.Scan(t.Context(), w.ID, 0, 0, func(messages.Row) error {
		rows++
		<-time.After(silentWithin / 2)
		return nil
	}))
	if rows != 3 {
		t.Errorf("%d rows", rows)
	}
	must(t, journal.Close())
	must(t, db.Close())
}

func TestLostReplyToCommitIsUnknownOutcome(t *testing.T) {
	t.Parallel()
	db, proxy := silenced(t)
	users, blocklist := persistence.NewUsers(db), persistence.NewBlocklist(db)
	ada := newUser("ada@example.com")
	for _, one := range []struct {
		last  string // command of the transaction
		write func() error
	}{
		{"INSERT", func() error { return users.Create(t.Context(), ada) }},
		{"COMMIT", func() error { return users.SetSiteAdmin(t.Context(), ada.ID, true) }},
		{"INSERT", func() error { return blocklist.Block(t.Context(), "x@example.com", storetest.Epoch()) }},
	} {
		proxy.CutAtCommit(one.last)
		if err := one.write(); !errors.Is(err, messages.ErrUnknownOutcome) || !proxy.HasCut() {
			t.Errorf("%s: %v (the reply was lost: %t)", one.last, err, proxy.HasCut())
		}
	}
	if found, err := users.ByID(t.Context(), ada.ID); err != nil || !found.SiteAdmin {
		t.Errorf("the writes are not there: %t %v", found.SiteAdmin, err)
	}
	if err := users.SetSiteAdmin(t.Context(), organization.UserID{1}, true); err == nil || errors.Is(err, messages.ErrUnknownOutcome) {
		t.Errorf("a refusal became unknown: %v", err)
	}
	must(t, db.Close())
}
