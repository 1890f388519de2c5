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

// Credit keeps the books of referral credit.
type Credit struct{ db *Database }

// NewCredit makes the Credit of db.
func NewCredit(db *Database) *Credit { return &Credit{db: db} }

// Book adds a booking, and gives it with the balance that is left. It refuses with an Error of code insufficientCredit
// when the account that it takes from does not have so much.
func (k *Credit) Book(ctx context.Context, o Once, booking credit.Booking) (messages.Booked, bool, error) {
	return once(ctx, k.db, o, func(tx *sql.Tx) (messages.Booked, error) {
		left, err := book(ctx, tx, booking)
		return messages.Booked{Booking: booking, Left: left}, err
	})
}

// book adds a booking to the transaction of its cause, and gives what is left in the account that it takes from.
func book(ctx context.Context, tx *sql.Tx, b credit.Booking) (left credit.Amount, err error) {
	if b.From != credit.House() {
		if left, err = holdAccount(ctx, tx, b.From); err != nil {
			return 0, err
		}
	}
	if err := b.Cover(left); err != nil {
		return 0, err
	}
	_, err = affect(ctx, tx, "book credit", `INSERT INTO credit_booking
		(id, from_account, to_account, amount, kind, author, booked_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		b.ID[:], b.From[:], b.To[:], int64(b.Amount), b.Kind, b.By, micros(b.At))
	return left - b.Amount, err
}

// holdAccount keeps others from taking out of the account until the transaction ends, and then reads its balance. What
// others put in meanwhile may be missed, which only makes the balance smaller than it is. As nobody holds more than one
// account, nobody waits for somebody who waits for them.
func holdAccount(ctx context.Context, tx *sql.Tx, account captable.EntityID) (credit.Amount, error) {
	_, err := affect(ctx, tx, "hold account", `INSERT INTO credit_account (account) VALUES ($1)
		ON CONFLICT (account) DO UPDATE SET account = excluded.account`, account[:])
	if err != nil {
		return 0, err
	}
	sums, err := sums(ctx, tx, account)
	return sums.Balance(), err
}

// querier asks one question: a transaction or a pool.
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

// Sums adds up the bookings of an entity.
func (k *Credit) Sums(ctx context.Context, account captable.EntityID) (messages.CreditSums, error) {
	return sums(ctx, k.db.reader, account)
}

// History gives at most limit bookings of an entity, newest first, those older than the one named before; from the newest on
// when it is zero.
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
