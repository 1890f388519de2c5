package persistence_test

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/people/wallet"
	"equity/persistence"
	"equity/persistence/storetest"
)

const (
	checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	lowerCase   = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
)

func newWallet(entity captable.EntityID, network, address string) messages.Wallet {
	return messages.Wallet{
		ID: storetest.NewID[messages.Wallet](), Entity: entity, Terms: wallet.Terms{Network: network, Address: address, Label: "Main"},
		CreatedAt: storetest.Epoch(), UpdatedAt: storetest.Epoch(),
	}
}

func TestWallets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		wallets, entity := persistence.NewWallets(db), storetest.NewID[captable.Entity]()
		add := func(w messages.Wallet) error {
			_, _, err := wallets.Add(t.Context(), messages.Once{}, w)
			return err
		}
		first, second := newWallet(entity, "ethereum", checksummed), newWallet(entity, "polygon", lowerCase)
		must(t, add(first))
		must(t, add(second))
		must(t, add(newWallet(storetest.NewID[captable.Entity](), "ethereum", checksummed)))
		refused(t, add(newWallet(entity, "Ethereum", lowerCase)), fault.Conflict)
		if found, err := wallets.Of(t.Context(), entity); err != nil || len(found) != 2 || found[0] != first || found[1] != second {
			t.Fatalf("%+v %v", found, err)
		}
		toEthereum := func(terms wallet.Terms) (wallet.Terms, error) {
			terms.Network = "ETHEREUM"
			return terms, nil
		}
		_, err := wallets.Amend(t.Context(), second.ID, storetest.Epoch(), toEthereum)
		refused(t, err, fault.Conflict)
		must(t, wallets.Remove(t.Context(), first.ID))
		refused(t, wallets.Remove(t.Context(), first.ID), fault.NotFound)
		later := storetest.Epoch().Add(time.Hour)
		_, err = wallets.Amend(t.Context(), second.ID, later, toEthereum)
		must(t, err)
		got, err := wallets.ByID(t.Context(), second.ID)
		if err != nil || got.Terms.Network != "ETHEREUM" || !got.UpdatedAt.Equal(later) || !got.CreatedAt.Equal(second.CreatedAt) {
			t.Fatalf("%+v %v", got, err)
		}
		_, err = wallets.Amend(t.Context(), first.ID, later, toEthereum)
		refused(t, err, fault.NotFound)
	})
}

func TestRefusedEditChangesNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		wallets, made := persistence.NewWallets(db), newWallet(storetest.NewID[captable.Entity](), "near", "ada.near")
		_, _, err := wallets.Add(t.Context(), messages.Once{}, made)
		must(t, err)
		no := errors.New("no")
		_, err = wallets.Amend(t.Context(), made.ID, storetest.Epoch().Add(time.Hour), func(wallet.Terms) (wallet.Terms, error) {
			return wallet.Terms{}, no
		})
		if got, found := wallets.ByID(t.Context(), made.ID); !errors.Is(err, no) || found != nil || got != made {
			t.Fatalf("%v: %+v %v", err, got, found)
		}
	})
}

func TestEntityHasAtMostTwoHundredWallets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		wallets, entity := persistence.NewWallets(db), storetest.NewID[captable.Entity]()
		for i := range 200 {
			_, _, err := wallets.Add(t.Context(), messages.Once{}, newWallet(entity, "near", strconv.Itoa(i)))
			must(t, err)
		}
		_, _, err := wallets.Add(t.Context(), messages.Once{}, newWallet(entity, "near", "one more"))
		refused(t, err, fault.Conflict)
	})
}

func TestOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		wallets, entity := persistence.NewWallets(db), storetest.NewID[captable.Entity]()
		key := messages.Once{Key: "ada k", Fingerprint: "one", At: storetest.Epoch()}
		var made, replayed atomic.Int64
		var ids sync.Map
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				got, again, err := wallets.Add(t.Context(), key, newWallet(entity, "near", "ada.near"))
				if err != nil {
					t.Error(err)
				}
				ids.Store(got.ID, true)
				if again {
					replayed.Add(1)
				} else {
					made.Add(1)
				}
			})
		}
		all.Wait()
		different := 0
		ids.Range(func(any, any) bool { different++; return true })
		if made.Load() != 1 || replayed.Load() != 7 || different != 1 {
			t.Fatalf("made %d times, %d ids", made.Load(), different)
		}
		key.Fingerprint = "another"
		if _, _, err := wallets.Add(t.Context(), key, newWallet(entity, "near", "b")); !errors.Is(err, messages.ErrKeyReused) {
			t.Fatalf("another request with the same key: %v", err)
		}
		latest := messages.Once{Key: "latest", Fingerprint: "f", At: storetest.Epoch().Add(time.Hour)}
		_, _, err := wallets.Add(t.Context(), latest, newWallet(entity, "near", "c"))
		must(t, err)
		must(t, db.ForgetAnswers(t.Context(), storetest.Epoch().Add(time.Hour), time.Hour-time.Second))
		if _, again, err := wallets.Add(t.Context(), key, newWallet(entity, "near", "b")); err != nil || again {
			t.Fatalf("after it was forgotten: %v %v", again, err)
		}
	})
}

func TestKeyOfRefusedRequestCanBeReused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		wallets, entity := persistence.NewWallets(db), storetest.NewID[captable.Entity]()
		_, _, err := wallets.Add(t.Context(), messages.Once{}, newWallet(entity, "near", "a"))
		must(t, err)
		key := messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}
		_, _, err = wallets.Add(t.Context(), key, newWallet(entity, "near", "a"))
		refused(t, err, fault.Conflict)
		_, again, err := wallets.Add(t.Context(), key, newWallet(entity, "near", "b"))
		if err != nil || again {
			t.Fatalf("%v %v", again, err)
		}
	})
}
