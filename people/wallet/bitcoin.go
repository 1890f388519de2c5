package wallet

import (
	"strings"

	"github.com/btcsuite/btcd/btcutil/bech32"
)

// The version bytes of base58check addresses that pay to a key or to a script.
const (
	payToKey    = 0x00
	payToScript = 0x05
	hashBytes   = 20
)

// bitcoinFault checks an address on Bitcoin's main network: base58check (1…, 3…) or segregated witness (bc1…).
func bitcoinFault(address string) string {
	if isWitness(address) {
		return witnessFault(address)
	}
	payload, version, err := base58Check(address)
	if err != nil {
		return "The checksum of the address is wrong."
	}
	if len(payload) != hashBytes || version != payToKey && version != payToScript {
		return "The address must be on Bitcoin's main network."
	}
	return ""
}

func isWitness(address string) bool {
	return len(address) >= 3 && strings.EqualFold(address[:3], "bc1")
}

// bitcoinCanonical returns bech32 addresses in lower case. Base 58 is case-sensitive.
func bitcoinCanonical(address string) string {
	if isWitness(address) {
		return strings.ToLower(address)
	}
	return address
}

// The limits of a witness program. Version 0 allows two lengths only.
const (
	minProgram    = 2
	maxProgram    = 40
	keyProgram    = 20
	scriptProgram = 32
	maxVersion    = 16
)

// witnessFault checks a segregated witness address (BIP 173, BIP 350).
func witnessFault(address string) string {
	prefix, values, encoding, err := bech32.DecodeGeneric(address)
	if err != nil || prefix != "bc" || len(values) == 0 || encoding != witnessEncoding(values[0]) {
		return "The checksum of the address is wrong."
	}
	program, err := bech32.ConvertBits(values[1:], 5, 8, false) //nolint:mnd // from digits of five bits to bytes
	fits := len(program) >= minProgram && len(program) <= maxProgram
	if values[0] == 0 {
		fits = len(program) == keyProgram || len(program) == scriptProgram
	}
	if err != nil || !fits || values[0] > maxVersion {
		return "The witness program does not match the version of the address."
	}
	return ""
}

// witnessEncoding returns the checksum of a witness version: BIP 173 for version 0, BIP 350 for later ones.
func witnessEncoding(version byte) bech32.Version {
	if version == 0 {
		return bech32.Version0
	}
	return bech32.VersionM
}
