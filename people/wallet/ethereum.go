package wallet

import (
	"encoding/hex"
	"strings"

	"golang.org/x/crypto/sha3"
)

const ethereumBytes = 20

// ethereumFault checks an address of the Ethereum family: 0x and 40 hex digits. Letters are either all in lower case, or their case is
// the checksum of EIP-55.
func ethereumFault(address string) string {
	digits, found := strings.CutPrefix(address, "0x")
	if raw, err := hex.DecodeString(digits); !found || err != nil || len(raw) != ethereumBytes {
		return "An address on this network must be 0x and 40 hex digits."
	}
	if lower := strings.ToLower(digits); digits != lower && digits != checksummed(lower) {
		return "The checksum of the address is wrong: the case of its letters does not match EIP-55."
	}
	return ""
}

// checksummed returns lower-case hex digits in the case of EIP-55: a letter is upper case if the Keccak-256 hash of
// the digits, in hex, has a digit of 8 or more at the same position.
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
