package http

import (
	"fmt"
	"io"
	"strings"
)

// legible are the 32 letters of what people copy by hand: none is taken for another.
const legible = "0123456789abcdefghjkmnpqrstvwxyz"

const legibleGroup = 5

// drawLegible draws groups of five letters at random, 25 bits each, with hyphens between.
func (s *Server) drawLegible(groups int) (string, error) {
	random := make([]byte, groups*legibleGroup)
	if _, err := io.ReadFull(s.random, random); err != nil {
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

// plain is what was typed of a legible text, however it was grouped and in any case.
func plain(typed string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(typed))
}
