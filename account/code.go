package account

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// alphabet has 32 characters that are easy to distinguish, for codes that people type.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const groupLength = 5

// drawCode returns random groups of five characters, separated by hyphens. Each group has 25 bits of
// entropy.
func drawCode(random io.Reader, groups int) (string, error) {
	drawn := make([]byte, groups*groupLength)
	if _, err := io.ReadFull(random, drawn); err != nil {
		return "", fmt.Errorf("draw code: %w", err)
	}
	var text strings.Builder
	for i, one := range drawn {
		if i > 0 && i%groupLength == 0 {
			text.WriteByte('-')
		}
		text.WriteByte(alphabet[int(one)%len(alphabet)])
	}
	return text.String(), nil
}

// normalCode returns the normal form of a typed code, without its separators and in lower case.
func normalCode(typed string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(typed))
}

// drawSecret returns random bytes as text.
func drawSecret(random io.Reader, bytes int) (string, error) {
	drawn := make([]byte, bytes)
	if _, err := io.ReadFull(random, drawn); err != nil {
		return "", fmt.Errorf("draw secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(drawn), nil
}
