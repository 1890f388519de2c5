package messages

import (
	"time"

	"equity/captable"
	"equity/people/wallet"
)

// WalletID identifies a wallet.
type WalletID = captable.ID[Wallet]

// Wallet is an address on a network at which an entity holds tokens.
type Wallet struct {
	ID     WalletID
	Entity captable.EntityID
	Terms  wallet.Terms

	CreatedAt, UpdatedAt time.Time
}
