package persistence

import (
	"context"
	"database/sql"
	"time"

	"equity/captable"
	"equity/organization"
	"equity/people/credit"
)

// addCard returns the change that stores a new card. A zero earned time means that the card is earned when the newcomer joins.
func addCard(card credit.Card, newcomer []byte, earned time.Time) change {
	return change{
		"add card", `INSERT INTO reward_card (id, entity, kind, value, newcomer, earned_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		[]any{card.ID[:], card.Entity[:], string(card.Kind), int64(card.Value), newcomer, OptionalMicros(earned)},
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
		WHERE newcomer = (SELECT entity FROM users WHERE id = $1) AND earned_at IS NULL`, []any{joined[:], Micros(now)}, nil}
}

const cardColumns = `id, entity, kind, value, revealed_at`

// Cards returns the cards that an entity has earned, oldest first.
func (f *Referrals) Cards(ctx context.Context, entity captable.EntityID) ([]credit.Card, error) {
	return Collect(ctx, f.db.reader, "list cards", scanCard, `SELECT `+cardColumns+` FROM reward_card
		WHERE entity = $1 AND earned_at IS NOT NULL ORDER BY id`, entity[:])
}

// Reveal returns the entity's card and, the first time, credits its value. It returns an error with code resourceNotFound
// unless the entity has earned the card. Of two concurrent calls, one finds the card revealed.
func (f *Referrals) Reveal(
	ctx context.Context, entity captable.EntityID, id credit.CardID, booking credit.Booking,
) (card credit.Card, err error) {
	err = f.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		card, err = one(ctx, f.db.reader, errRecordNotFound(), "read card", scanCard, `SELECT `+cardColumns+` FROM reward_card
			WHERE id = $1 AND entity = $2 AND earned_at IS NOT NULL`, id[:], entity[:])
		if err != nil || card.Revealed {
			return nil, err
		}
		card.Revealed = true
		booking.From, booking.To, booking.Amount, booking.Kind = credit.House(), entity, card.Value, string(card.Kind)
		_, booked, err := book(ctx, f.db, booking)
		return append([]change{{
			"reveal card", `UPDATE reward_card SET revealed_at = $2 WHERE id = $1 AND revealed_at IS NULL`,
			[]any{id[:], Micros(booking.At)},
			errMoved,
		}}, booked...), err
	})
	return card, err
}

func scanCard(row Row) (card credit.Card, err error) {
	var revealed sql.NullInt64
	err = row.Scan(IntoBytes(card.ID[:]), IntoBytes(card.Entity[:]), &card.Kind, &card.Value, &revealed)
	card.Revealed = revealed.Valid
	return card, err
}
