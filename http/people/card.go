package people

import (
	"context"

	"equity/captable"
	"equity/http/api"
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

func (s cards) listCards(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	cards, err := s.Referrals.Cards(ctx, account.Entity)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list cards", err))
	}
	page, err := api.ListedByKey(c, cards, func(_ int, card credit.Card) string { return string(card.ID[:]) }, showCard)
	return api.Answer{Record: page, Private: true}, err
}

// revealReward reveals a card and credits its value. The credit is booked once, however many requests
// reveal the card; the idempotency key is therefore optional.
func (s cards) revealReward(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		RewardID credit.CardID `json:"rewardId"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	card, err := s.Referrals.Reveal(
		ctx, account.Entity, input.RewardID, credit.Booking{ID: captable.ID[credit.Booking](s.NewID()), By: c.By(), At: c.At},
	)
	return api.Answer{Record: showCard(card), Private: true}, api.Unavailable(api.Wrap(ctx, "reveal card", err))
}

func (s cards) operations() map[string]api.Handler {
	return map[string]api.Handler{"listCards": s.listCards, "revealReward": s.revealReward}
}
