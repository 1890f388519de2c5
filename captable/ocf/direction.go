package ocf

import (
	"bytes"
	"strings"
	"unicode"
)

// turnsDirection reports whether the character changes the text direction. Such a character
// can make one name look like another.
func turnsDirection(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// checkDirection refuses texts that contain bidirectional control characters.
func (r *reader) checkDirection(o *Object, found *notes) {
	if ascii := bytes.IndexFunc(o.Raw, func(r rune) bool { return r > unicode.MaxASCII }) < 0; ascii && !bytes.Contains(o.Raw, []byte(`\u`)) {
		return
	}
	walk(o.decoded(), func(pointer, name string, value any) bool {
		list, _ := value.([]any)
		for _, text := range append(texts(list), name, textOf(value)) {
			if strings.ContainsFunc(text, turnsDirection) {
				found.refuse(o, pointer, codeDirection, "Remove the characters that change the direction of writing.")
				break
			}
		}
		return true
	})
}
