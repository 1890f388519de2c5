package referral

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Code is six lower-case hex digits that name who referred somebody. It is no secret: whoever has it can only give a reward to its owner.
type Code string

const codeBytes = 3

// DrawCode draws a code. It may be somebody's already.
func DrawCode(random io.Reader) (Code, error) {
	var drawn [codeBytes]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return "", fmt.Errorf("draw a referral code: %w", err)
	}
	return Code(hex.EncodeToString(drawn[:])), nil
}

// ParseCode reads a code in either case; false when it is none.
func ParseCode(text string) (Code, bool) {
	lower := strings.ToLower(strings.TrimSpace(text))
	raw, err := hex.DecodeString(lower)
	return Code(lower), err == nil && len(raw) == codeBytes
}
