// Package wallet knows what an address of a wallet looks like: on the networks of the Ethereum family (EIP-55), on Bitcoin (base58check, and
// bech32 after BIP 173 and 350) and on Solana. It says whether an address is written right, so that a slip of the pen is told at once; it
// cannot say whether anybody holds its key.
//
// The package is pure.
package wallet
