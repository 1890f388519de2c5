package wallet

import "strings"

// The first byte of the old addresses, which pay to a key or to a script.
const (
	payToKey    = 0x00
	payToScript = 0x05
	hashBytes   = 20
)

// bitcoinFault checks an address on Bitcoin's main network: base58check (1…, 3…) or a segregated witness (bc1…).
func bitcoinFault(address string) string {
	if isWitness(address) {
		return witnessFault(address)
	}
	payload, ok := base58Check(address)
	if !ok {
		return "The address is not written right: its checksum does not fit."
	}
	if len(payload) != 1+hashBytes || payload[0] != payToKey && payload[0] != payToScript {
		return "This is not an address of Bitcoin's main network."
	}
	return ""
}

func isWitness(address string) bool {
	return len(address) >= 3 && strings.EqualFold(address[:3], "bc1")
}

// bitcoinCanonical gives bech32 in lower case; in base 58 the case has a meaning.
func bitcoinCanonical(address string) string {
	if isWitness(address) {
		return strings.ToLower(address)
	}
	return address
}

// The lengths that a witness program may have, and must have in version 0.
const (
	shortestProgram = 2
	longestProgram  = 40
	keyProgram      = 20
	scriptProgram   = 32
	lastVersion     = 16
)

// witnessFault checks a segregated witness address after BIP 173 and BIP 350.
func witnessFault(address string) string {
	prefix, values, sum, ok := bech32(address)
	if !ok || prefix != "bc" || len(values) == 0 || sum != witnessConstant(values[0]) {
		return "The address is not written right: its checksum does not fit."
	}
	program, ok := eights(values[1:])
	fits := len(program) >= shortestProgram && len(program) <= longestProgram
	if values[0] == 0 {
		fits = len(program) == keyProgram || len(program) == scriptProgram
	}
	if !ok || !fits || values[0] > lastVersion {
		return "The address does not hold what its version asks for."
	}
	return ""
}

func witnessConstant(version byte) uint32 {
	if version == 0 {
		return bech32Constant
	}
	return bech32mConstant
}
