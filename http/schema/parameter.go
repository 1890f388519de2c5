package schema

import (
	"strconv"
	"unicode/utf8"

	"equity/fault"
)

// CheckText returns the faults of a parameter, whose text is a string, an integer or a boolean according to the
// schema. The pointer is its location.
func (s *Schema) CheckText(pointer, text string) fault.Fields {
	var c checker
	switch {
	case !utf8.ValidString(text):
		c.fault("syntax", "The value is not valid UTF-8.")
	case s.kinds&kindBoolean != 0 && s.kinds&kindString == 0:
		if text != "true" && text != "false" {
			c.fault("wrongType", "The value must be true or false.")
		}
	case s.kinds&kindInteger != 0 && s.kinds&kindString == 0:
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil:
			c.fault("wrongType", "The value must be an integer.")
		case n < s.minimum || n > s.maximum:
			c.fault("range", rangeMessage(s))
		}
	default:
		c.checkText(s, text)
	}
	for i := range c.faults {
		c.faults[i].Pointer = pointer
	}
	return c.faults
}
