package wallet

import "strings"

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
	payload, ok := base58Check(address)
	if !ok {
		return "The checksum of the address is wrong."
	}
	if len(payload) != 1+hashBytes || payload[0] != payToKey && payload[0] != payToScript {
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
	prefix, values, sum, ok := bech32(address)
	if !ok || prefix != "bc" || len(values) == 0 || sum != witnessConstant(values[0]) {
		return "The checksum of the address is wrong."
	}
	program, ok := fromBase32(values[1:])
	fits := len(program) >= minProgram && len(program) <= maxProgram
	if values[0] == 0 {
		fits = len(program) == keyProgram || len(program) == scriptProgram
	}
	if !ok || !fits || values[0] > maxVersion {
		return "The witness program does not match the version of the address."
	}
	return ""
}

func witnessConstant(version byte) uint32 {
	if version == 0 {
		return bech32Constant
	}
	return bech32mConstant
}
