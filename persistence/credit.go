package persistence

import (
	"context"

	"equity/captable"
	"equity/messages"
	"equity/people/credit"
)

// Credit stores the bookings of referral credit.
type Credit struct{ db *Database }

// NewCredit returns the Credit of db.
func NewCredit(db *Database) *Credit { return &Credit{db: db} }

// Book adds a booking and returns it with the remaining balance. It returns an error with code insufficientCredit
// if the balance of the source account is too low.
func (k *Credit) Book(ctx context.Context, o Once, booking credit.Booking) (messages.Booked, bool, error) {
	return once(ctx, k.db, o, func(ctx context.Context) (messages.Booked, []change, error) {
		left, changes, err := book(ctx, k.db, booking)
		return messages.Booked{Booking: booking, Left: left}, changes, err
	})
}

// book returns the changes of a booking, and the remaining balance of the source account. They are refused with errMoved if that account has had
// another booking in between.
func book(ctx context.Context, db *Database, b credit.Booking) (left credit.Amount, changes []change, err error) {
	booked := change{"book credit", `INSERT INTO credit_booking (id, from_account, to_account, amount, kind, author, booked_at)
		SELECT $1, $2, $3, $4, $5, $6, $7`, []any{b.ID[:], b.From[:], b.To[:], int64(b.Amount), b.Kind, b.By, Micros(b.At)}, nil}
	if b.From == credit.House() {
		return -b.Amount, []change{booked}, b.CheckBalance(0)
	}
	sums, err := sums(ctx, db.reader, b.From)
	if err != nil {
		return 0, nil, err
	}
	left = sums.Balance()
	booked.statement += ` WHERE CAST($8 AS BIGINT) = (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_booking WHERE to_account = $2)
		- (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_booking WHERE from_account = $2)`
	booked.arguments, booked.refused = append(booked.arguments, int64(left)), errMoved
	// A concurrent withdrawal waits for this row before it reads the balance. Each transaction locks at most one account, so a deadlock is impossible.
	held := change{
		"hold account", `INSERT INTO credit_account (account) VALUES ($1) ON CONFLICT (account) DO UPDATE SET account = excluded.account`,
		[]any{b.From[:]},
		nil,
	}
	return left - b.Amount, []change{held, booked}, b.CheckBalance(left)
}

// sums adds up the bookings of an account.
func sums(ctx context.Context, in *Pool, account captable.EntityID) (found messages.CreditSums, err error) {
	err = in.QueryRowContext(ctx, `SELECT
		(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_booking WHERE to_account = $1 AND kind <> $2),
		(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_booking WHERE to_account = $1 AND kind = $2),
		(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_booking WHERE from_account = $1)`,
		account[:], credit.KindTransfer).Scan(&found.Earned, &found.In, &found.Out)
	return found, during("add up credit", err)
}

// Sums returns the totals of an entity's bookings.
func (k *Credit) Sums(ctx context.Context, account captable.EntityID) (messages.CreditSums, error) {
	return sums(ctx, k.db.reader, account)
}

// History returns at most limit bookings of an entity, newest first, starting after the booking named before. The zero id starts
// with the newest.
func (k *Credit) History(
	ctx context.Context, account captable.EntityID, before credit.BookingID, limit int,
) ([]credit.Booking, error) {
	if before.IsZero() {
		for i := range before {
			before[i] = 0xff
		}
	}
	return Collect(ctx, k.db.reader, "list bookings", func(row Row) (b credit.Booking, err error) {
		err = row.Scan(IntoBytes(b.ID[:]), IntoBytes(b.From[:]), IntoBytes(b.To[:]), &b.Amount, &b.Kind, &b.By, IntoTime(&b.At))
		return b, err
	}, `SELECT id, from_account, to_account, amount, kind, author, booked_at
		FROM credit_booking WHERE (from_account = $1 OR to_account = $1) AND id < $2 ORDER BY id DESC LIMIT $3`,
		account[:], before[:], limit)
}
