package organization

import (
	"encoding/hex"
	"errors"
)

// TokenHash is the SHA-256 hash of an invitation's token. The token itself exists only in the e-mail.
type TokenHash [32]byte

var errTokenHash = errors.New("a token hash has 64 hexadecimal digits")

// MarshalText returns hexadecimal digits.
func (h TokenHash) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h[:])), nil }

// UnmarshalText decodes hexadecimal digits.
func (h *TokenHash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return errTokenHash
	}
	_, err := hex.Decode(h[:], text)
	return err
}
