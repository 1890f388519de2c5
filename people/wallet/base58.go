package wallet

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"strings"
)

// base58Digits leave out 0, O, I and l, which look alike.
const base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// longestBase58 bounds the work on a text; no address here comes near it.
const longestBase58 = 128

// base58 reads a number in base 58. Each leading 1 stands for a zero byte.
func base58(text string) ([]byte, bool) {
	if len(text) > longestBase58 {
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

// base58Check reads base 58 whose last four bytes begin the double SHA-256 of the others.
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

// solanaFault checks an address on Solana: a public key of 32 bytes in base 58. It has no checksum.
func solanaFault(address string) string {
	if raw, ok := base58(address); !ok || len(raw) != solanaBytes {
		return "An address on Solana is 32 bytes in base 58."
	}
	return ""
}
