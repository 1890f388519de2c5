package account

import (
	"fmt"
	"io"
	"strings"
)

// legible is an alphabet of 32 characters that are easy to distinguish, for codes that people type.
const legible = "0123456789abcdefghjkmnpqrstvwxyz"

const legibleGroup = 5

// drawLegible returns random groups of five characters, separated by hyphens. Each group has 25 bits
// of entropy.
func (s *base) drawLegible(groups int) (string, error) {
	random := make([]byte, groups*legibleGroup)
	if _, err := io.ReadFull(s.Random, random); err != nil {
		return "", fmt.Errorf("draw code: %w", err)
	}
	var text strings.Builder
	for i, drawn := range random {
		if i > 0 && i%legibleGroup == 0 {
			text.WriteByte('-')
		}
		text.WriteByte(legible[int(drawn)%len(legible)])
	}
	return text.String(), nil
}

// plain returns the normal form of a typed code, without its separators and in lower case.
func plain(typed string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(typed))
}
