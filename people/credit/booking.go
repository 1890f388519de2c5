package credit

import (
	"time"

	"equity/captable"
	"equity/fault"
)

// BookingID identifies a booking.
type BookingID = captable.ID[Booking]

// Booking moves a positive amount of credit from one account to another. Bookings are immutable.
type Booking struct {
	ID BookingID `json:"id"`
	// From and To are different accounts. The zero entity is the house.
	From   captable.EntityID `json:"from"`
	To     captable.EntityID `json:"to"`
	Amount Amount            `json:"amount"`
	// Kind is KindTransfer or the kind of the rewarded card.
	Kind string `json:"kind"`
	// By is the author, in the same form as the author of a change.
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// KindTransfer is the kind of a transfer that a user requested.
const KindTransfer = "transfer"

// House returns the account from which rewards are paid.
func House() captable.EntityID { return captable.EntityID{} }

// Faults lists the invalid fields of a booking, regardless of balances.
func (b Booking) Faults() fault.Fields {
	var faults fault.Fields
	if b.Amount <= 0 {
		faults.Add("/amount", "notPositive", "The amount must be greater than 0.")
	}
	if b.From == b.To {
		faults.Add("/toEntity", "sameEntity", "The receiving entity must differ from the paying entity.")
	}
	return faults
}

// CheckBalance returns nil if balance, the balance of the source account, covers the booking. Otherwise it returns a *fault.Error with code
// insufficientCredit and both amounts. The house always has enough credit.
func (b Booking) CheckBalance(balance Amount) error {
	if b.From == House() || balance >= b.Amount {
		return nil
	}
	return fault.Refuse(fault.InsufficientCredit, "The available credit is "+balance.String()+"; "+b.Amount.String()+" was requested.").
		With("available", balance.String()).With("requested", b.Amount.String())
}

// Effect returns the change that the booking makes to the balance of an account.
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
