package schema

import (
	"strconv"
	"unicode/utf8"

	"equity/captable"
)

// CheckText gives the faults of a parameter's text, which stands for a string, a
// whole number or a boolean as the schema says. The pointer is where it stood.
func (s *Schema) CheckText(pointer, text string) captable.Faults {
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
			c.fault("wrongType", "The value must be a whole number.")
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
