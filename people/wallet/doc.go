// Package wallet validates wallet addresses: on networks of the Ethereum family (EIP-55), on Bitcoin (base58check, and bech32 as in BIP 173
// and 350) and on Solana. A valid address may still be unused: the package cannot detect whether its key exists.
//
// The package is pure.
package wallet
