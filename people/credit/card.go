package credit

import (
	"fmt"
	"io"

	"equity/captable"
)

// CardKind is what a reward card was earned by.
type CardKind string

// What earns a card.
const (
	// CardSignup is earned by registering with somebody's code.
	CardSignup CardKind = "signup"
	// CardReferral is earned by whose code it was.
	CardReferral CardKind = "referral"
	// CardOrganizationInfo is earned by telling about a company.
	CardOrganizationInfo CardKind = "organizationInfo"
)

// CardID names a reward card.
type CardID = captable.ID[Card]

// Card is worth an amount of credit that its owner learns when they reveal it.
type Card struct {
	ID     CardID
	Entity captable.EntityID
	Kind   CardKind
	Value  Amount
	// Revealed says that the owner has seen the value, and got it.
	Revealed bool
}

// draws is how many cases there are, all of them equally likely.
const draws = 100

// Draw draws the value of a new card: 10 credits in 50 of 100 cases, 25 in 25, 50 in 20 and 100 in 5. The source must be
// unpredictable, such as crypto/rand. What does not divide by 100 evenly is drawn again, so that no value is favoured.
func Draw(random io.Reader) (Amount, error) {
	var drawn [1]byte
	for {
		if _, err := io.ReadFull(random, drawn[:]); err != nil {
			return 0, fmt.Errorf("draw the value of a card: %w", err)
		}
		if drawn[0] < draws*2 {
			return worth(int(drawn[0]) % draws), nil
		}
	}
}

// worth is the value of each of the 100 cases.
func worth(one int) Amount {
	switch {
	case one < 50:
		return Credits(10)
	case one < 75:
		return Credits(25)
	case one < 95:
		return Credits(50)
	default:
		return Credits(100)
	}
}
