package organization

import (
	"encoding/hex"
	"errors"
)

// TokenHash is the SHA-256 of what an invitation's mail carries. The token itself is nowhere else.
type TokenHash [32]byte

var errTokenHash = errors.New("a token's hash is 64 hex digits")

// MarshalText gives hex digits.
func (h TokenHash) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h[:])), nil }

// UnmarshalText reads hex digits.
func (h *TokenHash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return errTokenHash
	}
	_, err := hex.Decode(h[:], text)
	return err
}
