package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
	return once(ctx, k.db, o, func(tx *sql.Tx) (messages.Booked, error) {
		left, err := book(ctx, tx, booking)
		return messages.Booked{Booking: booking, Left: left}, err
	})
}

// book adds a booking in the transaction of its cause and returns the remaining balance of the source account.
func book(ctx context.Context, tx *sql.Tx, b credit.Booking) (left credit.Amount, err error) {
	if b.From != credit.House() {
		if left, err = lockAccount(ctx, tx, b.From); err != nil {
			return 0, err
		}
	}
	if err := b.CheckBalance(left); err != nil {
		return 0, err
	}
	_, err = affect(ctx, tx, "book credit", `INSERT INTO credit_booking
		(id, from_account, to_account, amount, kind, author, booked_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		b.ID[:], b.From[:], b.To[:], int64(b.Amount), b.Kind, b.By, micros(b.At))
	return left - b.Amount, err
}

// lockAccount locks the account against other withdrawals until the transaction ends, and returns its balance. Concurrent
// deposits may be missing, which only makes the returned balance too low. Each transaction locks at most one account, so
// a deadlock is impossible.
func lockAccount(ctx context.Context, tx *sql.Tx, account captable.EntityID) (credit.Amount, error) {
	_, err := affect(ctx, tx, "hold account", `INSERT INTO credit_account (account) VALUES ($1)
		ON CONFLICT (account) DO UPDATE SET account = excluded.account`, account[:])
	if err != nil {
		return 0, err
	}
	sums, err := sums(ctx, tx, account)
	return sums.Balance(), err
}

// querier runs a query of one row on a transaction or a pool.
type querier interface {
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
}

// sums adds up the bookings of an account.
func sums(ctx context.Context, in querier, account captable.EntityID) (found messages.CreditSums, err error) {
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
) (found []credit.Booking, err error) {
	if before.IsZero() {
		for i := range before {
			before[i] = 0xff
		}
	}
	rows, err := k.db.reader.QueryContext(ctx, `SELECT id, from_account, to_account, amount, kind, author, booked_at
		FROM credit_booking WHERE (from_account = $1 OR to_account = $1) AND id < $2 ORDER BY id DESC LIMIT $3`,
		account[:], before[:], limit)
	if err != nil {
		return nil, fmt.Errorf("list bookings: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var b credit.Booking
		var id, from, to []byte
		var amount, at int64
		if err := rows.Scan(&id, &from, &to, &amount, &b.Kind, &b.By, &at); err != nil {
			return nil, fmt.Errorf("list bookings: %w", err)
		}
		b.ID, b.From, b.To = credit.BookingID(id), captable.EntityID(from), captable.EntityID(to)
		b.Amount, b.At = credit.Amount(amount), moment(at)
		found = append(found, b)
	}
	return found, during("list bookings", rows.Err())
}
