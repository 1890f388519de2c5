package wallet

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"strings"
)

// base58Digits omits 0, O, I and l, which look alike.
const base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// maxBase58Length bounds the work, which grows with the square of the length. Valid addresses are much shorter.
const maxBase58Length = 128

// base58 decodes a number in base 58. Each leading 1 is a zero byte.
func base58(text string) ([]byte, bool) {
	if len(text) > maxBase58Length {
		return nil, false
	}
	number, base := new(big.Int), big.NewInt(int64(len(base58Digits)))
	for i := range len(text) {
		digit := strings.IndexByte(base58Digits, text[i])
		if digit < 0 {
			return nil, false
		}
		number.Add(number.Mul(number, base), big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, base58Digits[:1]))
	return append(make([]byte, zeros), number.Bytes()...), true
}

const checkBytes = 4

// base58Check decodes base 58 with a checksum: the last four bytes equal the first four of the double SHA-256 of the payload.
func base58Check(text string) ([]byte, bool) {
	raw, ok := base58(text)
	if !ok || len(raw) < checkBytes {
		return nil, false
	}
	payload, check := raw[:len(raw)-checkBytes], raw[len(raw)-checkBytes:]
	once := sha256.Sum256(payload)
	twice := sha256.Sum256(once[:])
	return payload, bytes.Equal(twice[:checkBytes], check)
}

const solanaBytes = 32

// solanaFault checks a Solana address: a public key of 32 bytes in base 58, without a checksum.
func solanaFault(address string) string {
	if raw, ok := base58(address); !ok || len(raw) != solanaBytes {
		return "A Solana address must be 32 bytes in base 58."
	}
	return ""
}
