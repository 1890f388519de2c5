package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/people/credit"
	"equity/persistence"
	"equity/persistence/storetest"
)

func newBooking(from, to captable.EntityID, amount credit.Amount) credit.Booking {
	return credit.Booking{
		ID: storetest.NewID[credit.Booking](), From: from, To: to, Amount: amount, Kind: credit.KindTransfer, By: "ada", At: storetest.Epoch(),
	}
}

// grant books credit from the house to an entity.
func grant(t *testing.T, books *persistence.Credit, to captable.EntityID, amount credit.Amount) {
	t.Helper()
	b := newBooking(credit.House(), to, amount)
	b.Kind = string(credit.CardSignup)
	_, _, err := books.Book(t.Context(), messages.Once{}, b)
	must(t, err)
}

// balance returns the balance of an entity.
func balance(t *testing.T, books *persistence.Credit, of captable.EntityID) credit.Amount {
	t.Helper()
	sums, err := books.Sums(t.Context(), of)
	must(t, err)
	return sums.Balance()
}

func TestTransferMovesCredit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		ada, bob := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
		grant(t, books, ada, 5000)
		first := newBooking(ada, bob, 1999)
		booked, replayed, err := books.Book(t.Context(), messages.Once{}, first)
		if err != nil || replayed || booked.Left != 3001 {
			t.Fatalf("%+v %v", booked, err)
		}
		_, _, err = books.Book(t.Context(), messages.Once{}, newBooking(bob, ada, 2000))
		refused(t, err, fault.InsufficientCredit)
		sums, err := books.Sums(t.Context(), ada)
		if want := (messages.CreditSums{Earned: 5000, Out: 1999}); err != nil || sums != want {
			t.Fatalf("%+v %v", sums, err)
		}
		if got := balance(t, books, bob); got != 1999 {
			t.Fatalf("bob has %v", got)
		}
		history, err := books.History(t.Context(), ada, credit.BookingID{}, 10)
		if err != nil || len(history) != 2 || history[0] != first {
			t.Fatalf("%+v %v", history, err)
		}
		older, err := books.History(t.Context(), ada, first.ID, 10)
		if err != nil || len(older) != 1 || older[0] != history[1] {
			t.Fatalf("%+v %v", older, err)
		}
	})
}

func TestRepeatedTransferIsBookedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		ada, bob := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
		grant(t, books, ada, 5000)
		key := messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}
		var answers sync.Map
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				booked, _, err := books.Book(t.Context(), key, newBooking(ada, bob, 1000))
				if err != nil {
					t.Error(err)
				}
				answers.Store(booked, true)
			})
		}
		all.Wait()
		different := 0
		answers.Range(func(any, any) bool { different++; return true })
		if got := balance(t, books, ada); got != 4000 || different != 1 {
			t.Fatalf("balance %v after %d different answers", got, different)
		}
	})
}

// Concurrent transfers in all directions never exceed a balance, never make it negative, and keep the total.
func TestConcurrentTransfersKeepBalances(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		entities := []captable.EntityID{storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()}
		for _, entity := range entities {
			grant(t, books, entity, 1000)
		}
		var made, refusals atomic.Int64
		var all sync.WaitGroup
		for worker := range 6 {
			all.Go(func() {
				from, to := entities[worker%3], entities[(worker+1+worker/3)%3]
				for range 15 {
					_, _, err := books.Book(t.Context(), messages.Once{}, newBooking(from, to, 300))
					refusal, is := errors.AsType[*fault.Error](err)
					switch {
					case err == nil:
						made.Add(1)
					case is && refusal.Code == fault.InsufficientCredit:
						refusals.Add(1)
					default:
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		var total credit.Amount
		for _, entity := range entities {
			total += balance(t, books, entity)
		}
		if total != 3000 || balance(t, books, credit.House()) != -3000 {
			t.Fatalf("%v in all", total)
		}
		if low := lowest(t, db); low < 0 {
			t.Fatalf("the lowest balance is %v", low)
		}
		if made.Load() < 9 || made.Load()+refusals.Load() != 90 {
			t.Fatalf("%d transfers, %d refusals", made.Load(), refusals.Load())
		}
	})
}

// Of many concurrent withdrawals of the whole balance, one succeeds.
func TestCreditIsSpentOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		ada, bob := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
		grant(t, books, ada, 1000)
		var made atomic.Int64
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, _, err := books.Book(t.Context(), messages.Once{}, newBooking(ada, bob, 1000)); err == nil {
					made.Add(1)
				}
			})
		}
		all.Wait()
		if made.Load() != 1 || balance(t, books, ada) != 0 || balance(t, books, bob) != 1000 {
			t.Fatalf("%d got it", made.Load())
		}
	})
}

// lowest returns the lowest balance of all entities.
func lowest(t *testing.T, db *persistence.Database) (found int64) {
	t.Helper()
	err := db.Reader().QueryRowContext(t.Context(), `SELECT CAST(MIN(balance) AS BIGINT) FROM (
		SELECT account, SUM(amount) AS balance FROM (
			SELECT to_account AS account, amount FROM credit_booking
			UNION ALL SELECT from_account, -amount FROM credit_booking) AS moved
		GROUP BY account) AS balances WHERE account <> $1`, make([]byte, 16)).Scan(&found)
	must(t, err)
	return found
}

func TestSchemaRefusesInvalidBookings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		ada := storetest.NewID[captable.Entity]()
		for _, b := range []credit.Booking{
			newBooking(credit.House(), ada, 0), newBooking(credit.House(), ada, -1), newBooking(credit.House(), credit.House(), 1),
		} {
			if _, _, err := books.Book(t.Context(), messages.Once{}, b); err == nil {
				t.Errorf("%+v is booked", b)
			}
		}
		if got := balance(t, books, ada); got != 0 {
			t.Errorf("%v", got)
		}
	})
}

// A transfer that is cancelled while it waits has no effect.
func TestCancelledTransferHasNoEffect(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		books := persistence.NewCredit(db)
		ada, bob := storetest.NewID[captable.Entity](), storetest.NewID[captable.Entity]()
		grant(t, books, ada, 1000)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := books.Book(ctx, messages.Once{Key: "k", Fingerprint: "f"}, newBooking(ada, bob, 1000))
		if !errors.Is(err, context.Canceled) && !errors.Is(err, sql.ErrTxDone) || balance(t, books, ada) != 1000 {
			t.Fatalf("%v", err)
		}
		booked, replayed, err := books.Book(t.Context(), messages.Once{Key: "k", Fingerprint: "f"}, newBooking(ada, bob, 1000))
		if err != nil || replayed || booked.Left != 0 {
			t.Fatalf("%+v %v", booked, err)
		}
	})
}
