package http

import (
	"context"

	"equity/people/credit"
)

// cardRecord is the JSON form of a card. The value is present only after the card was revealed.
type cardRecord struct {
	ID       credit.CardID   `json:"id"`
	Kind     credit.CardKind `json:"kind"`
	Revealed bool            `json:"revealed"`
	Value    *credit.Amount  `json:"value,omitempty"`
}

func showCard(card credit.Card) cardRecord {
	record := cardRecord{ID: card.ID, Kind: card.Kind, Revealed: card.Revealed}
	if card.Revealed {
		record.Value = &card.Value
	}
	return record
}

// drawCard returns a card that has no owner yet.
func (s *Server) drawCard(kind credit.CardKind) (credit.Card, error) {
	value, err := credit.Draw(s.random)
	return credit.Card{ID: fresh[credit.Card](s), Kind: kind, Value: value}, err
}

func (s *Server) listCards(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	cards, err := s.beside.Referrals.Cards(ctx, account.Entity)
	return Answer{Record: listed(cards, showCard), Private: true}, unavailable(doing(ctx, "list cards", err))
}

// revealReward reveals a card and credits its value. The credit is booked once, however many requests
// reveal the card; the idempotency key is therefore optional.
func (s *Server) revealReward(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		RewardID credit.CardID `json:"rewardId"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	card, err := s.beside.Referrals.Reveal(ctx, account.Entity, wish.RewardID, credit.Booking{ID: fresh[credit.Booking](s), By: c.By(), At: c.At})
	return Answer{Record: showCard(card), Private: true}, unavailable(doing(ctx, "reveal card", err))
}
