package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// space advances past white space.
func (c *checker) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// peek returns the type of the value at the current position.
func (c *checker) peek() kind {
	switch c.text[c.at] {
	case '"':
		return kindString
	case '{':
		return kindObject
	case '[':
		return kindArray
	case 't', 'f':
		return kindBoolean
	case 'n':
		return kindNull
	default:
		return kindNumber | kindInteger
	}
}

// wrongType records the expected type, with an example if the schema has one.
func (c *checker) wrongType(s *Schema) {
	if len(s.alternatives) > 0 {
		s = s.alternatives[0]
	}
	message := "The value must be " + describe(s.kinds) + "."
	if code, sentence := exampleFault(s); code == "invalidDecimal" && c.peek()&kindNumber != 0 {
		message = sentence + " A JSON number is not exact."
	}
	c.fault("wrongType", message)
}

// exampleFault returns the fault of the schema's format for a text that is never valid.
func exampleFault(s *Schema) (code, message string) {
	if s.format == nil {
		return "", ""
	}
	return s.format("?")
}

// describe lists the kinds in words. An integer is omitted beside a number.
func describe(kinds kind) string {
	var names []string
	for _, one := range []struct {
		kind kind
		name string
	}{
		{kindString, "a string"},
		{kindNumber, "a number"},
		{kindInteger, "a whole number"},
		{kindBoolean, "true or false"},
		{kindObject, "an object"},
		{kindArray, "a list"},
		{kindNull, "null"},
	} {
		if kinds&one.kind != 0 && (one.kind != kindInteger || kinds&kindNumber == 0) {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " or ")
}

func (c *checker) textValue(s *Schema) bool {
	if s.kinds&kindString == 0 {
		c.wrongType(s)
	}
	text, ok := c.quoted()
	if !ok {
		return false
	}
	if s.kinds&kindString != 0 {
		c.checkText(s, view(text))
	}
	return true
}

// view returns the bytes as a string without copying them. The string is valid only while the bytes are unchanged.
func view(text []byte) string {
	return unsafe.String(unsafe.SliceData(text), len(text)) //nolint:gosec // neither kept nor changed by those who call it
}

// checkText checks a text against the string rules of the schema.
func (c *checker) checkText(s *Schema, text string) {
	for i := range len(text) {
		if text[i] < ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r' {
			c.fault("controlCharacter", "The text contains a control character.")
			return
		}
	}
	if s.format == nil && strings.ContainsFunc(text, turnsDirection) {
		c.fault("bidirectionalControl", "The text contains a character that controls the writing direction. Remove it.")
		return
	}
	if len(text) < s.minLength || s.maxLength >= 0 && len(text) > s.maxLength { // in bytes, of which there are at least as many
		switch length := utf8.RuneCountInString(text); {
		case length < s.minLength && length == 0:
			c.fault("required", "The text must not be empty.")
			return
		case length < s.minLength:
			c.fault("tooShort", "The text has fewer than "+strconv.Itoa(s.minLength)+" characters.")
			return
		case s.maxLength >= 0 && length > s.maxLength:
			c.fault("tooLong", "The text has more than "+strconv.Itoa(s.maxLength)+" characters.")
			return
		}
	}
	switch {
	case s.texts != nil:
		if !slices.Contains(s.texts, text) {
			c.fault("enum", "The value must be one of "+strings.Join(s.texts, ", ")+".")
		}
	case s.format != nil:
		if code, message := s.format(text); code != "" {
			c.fault(code, message)
		}
	case s.pattern != nil:
		if !s.pattern.MatchString(text) {
			c.fault("pattern", "The text must match "+s.pattern.String()+s.having+".")
		}
	}
}

// turnsDirection reports whether a character only controls the writing direction. Such characters can make two
// names look alike.
func turnsDirection(r rune) bool { return r > unicode.MaxLatin1 && unicode.Is(unicode.Bidi_Control, r) }

// quoted reads the string at the current position and advances past it. The result is valid until the next call.
func (c *checker) quoted() ([]byte, bool) {
	c.at++
	start := c.at
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '"':
			c.at++
			return c.text[start : c.at-1], true
		case b == '\\':
			return c.escaped(start)
		case b < ' ':
			return nil, c.syntax("A control character in a string must be escaped.")
		default:
			c.at++
		}
	}
	return nil, c.syntax("The string has no end.")
}

// escaped reads the rest of a string with an escape sequence.
func (c *checker) escaped(start int) ([]byte, bool) {
	c.scratch = append(c.scratch[:0], c.text[start:c.at]...)
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '"':
			c.at++
			return c.scratch, true
		case b < ' ':
			return nil, c.syntax("A control character in a string must be escaped.")
		case b == '\\':
			if !c.escape() {
				return nil, false
			}
		default:
			c.scratch = append(c.scratch, b)
			c.at++
		}
	}
	return nil, c.syntax("The string has no end.")
}

// escape reads an escape sequence after its backslash (RFC 8259 §7).
func (c *checker) escape() bool {
	if c.at+1 >= len(c.text) {
		return c.syntax("The string has no end.")
	}
	b := c.text[c.at+1]
	if b == 'u' {
		return c.codePoint()
	}
	i := strings.IndexByte(`"\/bfnrt`, b)
	if i < 0 {
		return c.syntax("There is no such escape in JSON.")
	}
	c.scratch = append(c.scratch, "\"\\/\b\f\n\r\t"[i])
	c.at += 2
	return true
}

// codePoint reads \uXXXX, or a surrogate pair of them.
func (c *checker) codePoint() bool {
	unit, ok := c.hex4()
	if !ok {
		return c.syntax(`Four hex digits belong behind \u.`)
	}
	if utf16.IsSurrogate(unit) {
		low, ok := c.hex4()
		unit = utf16.DecodeRune(unit, low)
		if !ok || unit == utf8.RuneError {
			return c.syntax("Half a character is escaped.")
		}
	}
	c.scratch = utf8.AppendRune(c.scratch, unit)
	return true
}

// hex4 reads one UTF-16 code unit.
func (c *checker) hex4() (rune, bool) {
	const length = len(`\uXXXX`)
	if c.at+length > len(c.text) || c.text[c.at] != '\\' || c.text[c.at+1] != 'u' {
		return 0, false
	}
	var unit rune
	for _, b := range c.text[c.at+2 : c.at+length] {
		switch {
		case b >= '0' && b <= '9':
			unit = unit<<4 | rune(b-'0')
		case b >= 'a' && b <= 'f':
			unit = unit<<4 | rune(b-'a'+10)
		case b >= 'A' && b <= 'F':
			unit = unit<<4 | rune(b-'A'+10)
		default:
			return 0, false
		}
	}
	c.at += length
	return unit, true
}

// literal reads true, false or null.
func (c *checker) literal(s *Schema) bool {
	rest := c.text[c.at:]
	for _, one := range []struct {
		text  string
		kind  kind
		fault bool
	}{
		{"true", kindBoolean, !s.allowTrue}, {"false", kindBoolean, !s.allowFalse}, {"null", kindNull, false},
	} {
		if !strings.HasPrefix(view(rest), one.text) {
			continue
		}
		switch {
		case s.kinds&one.kind == 0:
			c.wrongType(s)
		case one.fault:
			c.fault("enum", "The value must be "+strconv.FormatBool(s.allowTrue)+".")
		}
		c.at += len(one.text)
		return true
	}
	return c.syntax("This is not JSON.")
}
