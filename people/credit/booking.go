package credit

import (
	"time"

	"equity/captable"
)

// CodeInsufficientCredit refuses to move more credit than there is.
const CodeInsufficientCredit captable.Code = "insufficientCredit"

// BookingID names a booking.
type BookingID = captable.ID[Booking]

// Booking moves a positive amount of credit out of one account into another. It is never changed.
type Booking struct {
	ID BookingID `json:"id"`
	// From and To are two different accounts. The zero entity is the house.
	From   captable.EntityID `json:"from"`
	To     captable.EntityID `json:"to"`
	Amount Amount            `json:"amount"`
	// Kind is KindTransfer, or that of the card whose reward it is.
	Kind string `json:"kind"`
	// By is who caused it, as the author of a change.
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// KindTransfer is a booking from one entity to another at somebody's wish.
const KindTransfer = "transfer"

// House is the account that rewards come from.
func House() captable.EntityID { return captable.EntityID{} }

// Faults lists what is wrong with a booking from one entity to another, whatever their balances are.
func (b Booking) Faults() captable.Faults {
	var faults captable.Faults
	if b.Amount <= 0 {
		faults.Add("/amount", "notPositive", "The amount must be more than 0.")
	}
	if b.From == b.To {
		faults.Add("/toEntity", "sameEntity", "Name two different entities.")
	}
	return faults
}

// Cover gives nil when the balance of the account the booking takes from suffices, else an Error with code
// insufficientCredit and the figures. The house always has enough.
func (b Booking) Cover(balance Amount) error {
	if b.From == House() || balance >= b.Amount {
		return nil
	}
	return captable.Refuse(CodeInsufficientCredit, "There is not enough credit.").
		With("available", balance.String()).With("requested", b.Amount.String())
}

// Effect is what the booking does to the balance of an account.
func (b Booking) Effect(account captable.EntityID) Amount {
	switch account {
	case b.To:
		return b.Amount
	case b.From:
		return -b.Amount
	default:
		return 0
	}
}
