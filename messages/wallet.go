package messages

import (
	"time"

	"equity/captable"
	"equity/people/wallet"
)

// WalletID names a wallet.
type WalletID = captable.ID[Wallet]

// Wallet is an address on a network where an entity keeps tokens.
type Wallet struct {
	ID     WalletID
	Entity captable.EntityID
	Terms  wallet.Terms

	CreatedAt, UpdatedAt time.Time
}
