package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/captable"
	"equity/organization"
	"equity/people/credit"
)

// addCard returns the change that stores a new card. A zero earned time means that the card is earned when the newcomer joins.
func addCard(card credit.Card, newcomer []byte, earned time.Time) change {
	return change{
		"add card", `INSERT INTO reward_card (id, entity, kind, value, newcomer, earned_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		[]any{card.ID[:], card.Entity[:], string(card.Kind), int64(card.Value), newcomer, optionalMicros(earned)},
		nil,
	}
}

// earnCards issues the cards that depended on the user joining.
func earnCards(ctx context.Context, tx *sql.Tx, joined organization.UserID, now time.Time) error {
	return apply(ctx, tx, cardsEarned(joined, now))
}

// cardsEarned returns the change of [earnCards].
func cardsEarned(joined organization.UserID, now time.Time) change {
	return change{"earn cards", `UPDATE reward_card SET earned_at = $2
		WHERE newcomer = (SELECT entity FROM users WHERE id = $1) AND earned_at IS NULL`, []any{joined[:], micros(now)}, nil}
}

const cardColumns = `id, entity, kind, value, revealed_at`

// Cards returns the cards that an entity has earned, oldest first.
func (f *Referrals) Cards(ctx context.Context, entity captable.EntityID) (found []credit.Card, err error) {
	rows, err := f.db.reader.QueryContext(ctx, `SELECT `+cardColumns+` FROM reward_card
		WHERE entity = $1 AND earned_at IS NOT NULL ORDER BY id`, entity[:])
	if err != nil {
		return nil, fmt.Errorf("list cards: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		card, err := scanCard(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, card)
	}
	return found, during("list cards", rows.Err())
}

// Reveal returns the entity's card and, the first time, credits its value. It returns an error with code resourceNotFound
// unless the entity has earned the card. Of two concurrent calls, one finds the card revealed.
func (f *Referrals) Reveal(
	ctx context.Context, entity captable.EntityID, id credit.CardID, booking credit.Booking,
) (card credit.Card, err error) {
	err = f.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		card, err = scanCard(f.db.reader.QueryRowContext(ctx, `SELECT `+cardColumns+` FROM reward_card
			WHERE id = $1 AND entity = $2 AND earned_at IS NOT NULL`, id[:], entity[:]))
		if err != nil || card.Revealed {
			return nil, err
		}
		card.Revealed = true
		booking.From, booking.To, booking.Amount, booking.Kind = credit.House(), entity, card.Value, string(card.Kind)
		_, booked, err := book(ctx, f.db, booking)
		return append([]change{{
			"reveal card", `UPDATE reward_card SET revealed_at = $2 WHERE id = $1 AND revealed_at IS NULL`,
			[]any{id[:], micros(booking.At)},
			errMoved,
		}}, booked...), err
	})
	return card, err
}

// scanCard reads a row of cardColumns. It returns an error with code resourceNotFound if the row is missing.
func scanCard(row scanner) (credit.Card, error) {
	var card credit.Card
	var id, entity []byte
	var value int64
	var revealed sql.NullInt64
	err := row.Scan(&id, &entity, &card.Kind, &value, &revealed)
	if errors.Is(err, sql.ErrNoRows) {
		return credit.Card{}, errRecordNotFound()
	}
	if err != nil {
		return credit.Card{}, fmt.Errorf("read card: %w", err)
	}
	card.ID, card.Entity, card.Value, card.Revealed = credit.CardID(id), captable.EntityID(entity), credit.Amount(value), revealed.Valid
	return card, nil
}
