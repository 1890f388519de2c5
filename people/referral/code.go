package referral

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// Code is a referral code: six lower-case hex digits. It is not secret; it can only be used to reward its owner.
type Code string

const codeBytes = 3

// DrawCode draws a code. The code may already be in use.
func DrawCode(random io.Reader) (Code, error) {
	var drawn [codeBytes]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return "", fmt.Errorf("draw a referral code: %w", err)
	}
	return Code(hex.EncodeToString(drawn[:])), nil
}

// ParseCode parses a code in either case. It returns false if the text is not a code.
func ParseCode(text string) (Code, bool) {
	lower := strings.ToLower(strings.TrimSpace(text))
	raw, err := hex.DecodeString(lower)
	return Code(lower), err == nil && len(raw) == codeBytes
}
