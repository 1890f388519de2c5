package credit

import (
	"fmt"
	"io"

	"equity/captable"
)

// CardKind is the reason for which a reward card was issued.
type CardKind string

// The kinds of reward cards.
const (
	// CardSignup rewards a registration with a referral code.
	CardSignup CardKind = "signup"
	// CardReferral rewards the owner of the referral code.
	CardReferral CardKind = "referral"
	// CardOrganizationInfo rewards information about a company.
	CardOrganizationInfo CardKind = "organizationInfo"
)

// CardID names a reward card.
type CardID = captable.ID[Card]

// Card is a reward card. Its owner learns its value by revealing it.
type Card struct {
	ID     CardID
	Entity captable.EntityID
	Kind   CardKind
	Value  Amount
	// Revealed reports that the owner has seen the value and received the credit.
	Revealed bool
}

// draws is the number of equally likely outcomes.
const draws = 100

// Draw draws the value of a new card: 10 credits in 50 of 100 outcomes, 25 in 25, 50 in 20 and 100 in 5. The source must be
// unpredictable, such as crypto/rand. Bytes from 200 on are drawn again (rejection sampling), so that all outcomes are equally likely.
func Draw(random io.Reader) (Amount, error) {
	var drawn [1]byte
	for {
		if _, err := io.ReadFull(random, drawn[:]); err != nil {
			return 0, fmt.Errorf("draw the value of a card: %w", err)
		}
		if drawn[0] < draws*2 {
			return valueOf(int(drawn[0]) % draws), nil
		}
	}
}

// valueOf returns the value of an outcome in [0, 100).
func valueOf(outcome int) Amount {
	switch {
	case outcome < 50:
		return Credits(10)
	case outcome < 75:
		return Credits(25)
	case outcome < 95:
		return Credits(50)
	default:
		return Credits(100)
	}
}

// DrawCard returns a new card with a random value. It has no owner yet.
func DrawCard(random io.Reader, id CardID, kind CardKind) (Card, error) {
	value, err := Draw(random)
	return Card{ID: id, Kind: kind, Value: value}, err
}
