package chat

import (
	"strconv"
	"strings"
	"unicode"

	"equity/actors/consumer"
)

// text returns the post of an event. It contains no amounts, and no text that the chat server would format or treat as a mention.
func text(event *consumer.Event) string {
	var b strings.Builder
	b.WriteString(words(event.Type))
	if name := plain(author(event)); name != "" {
		b.WriteString(" by " + name)
	}
	b.WriteString(" (event " + strconv.FormatUint(event.Sequence, 10) + ")")
	return b.String()
}

// words returns the words of the name of an event: "Shareholding issued" for shareholdingIssued.
func words(eventType string) string {
	var b strings.Builder
	for i, r := range eventType {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			b.WriteString(" " + strings.ToLower(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain removes characters with a meaning in posts, such as those of mentions, links and formats.
func plain(name string) string {
	kept := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune(" '.,", r) {
			return r
		}
		return ' '
	}, name)
	return strings.Join(strings.Fields(kept), " ")
}
