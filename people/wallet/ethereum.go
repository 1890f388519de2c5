package wallet

import (
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/sha3"
)

const ethereumBytes = 20

// ethereumFault checks an address of the Ethereum family: 0x and 40 hex digits, either all of their letters lower case or
// their case right by EIP-55, where it is a checksum.
func ethereumFault(address string) string {
	digits, found := strings.CutPrefix(address, "0x")
	if raw, err := hex.DecodeString(digits); !found || err != nil || len(raw) != ethereumBytes {
		return "An address on this network is 0x and 40 hex digits."
	}
	if lower := strings.ToLower(digits); digits != lower && digits != checksummed(lower) {
		return "The address is not written right: its upper and lower case do not fit its digits (EIP-55)."
	}
	return ""
}

// checksummed gives lower-case hex digits the case that EIP-55 asks for: a letter is upper case where the Keccak-256 hash of
// the digits, as hex, has a digit of 8 or more in its place.
func checksummed(lower string) string {
	hash := sha3.NewLegacyKeccak256()
	_, _ = hash.Write([]byte(lower)) // a hash never fails
	mask := hex.EncodeToString(hash.Sum(nil))
	cased := []byte(lower)
	for i, digit := range cased {
		if digit >= 'a' && mask[i] >= '8' {
			cased[i] = digit - 'a' + 'A'
		}
	}
	return string(cased)
}
