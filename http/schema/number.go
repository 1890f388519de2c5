package schema

import "strconv"

// number reads a number and advances past it.
func (c *checker) number(s *Schema) bool {
	if s.kinds&(kindInteger|kindNumber) == 0 {
		c.wrongType(s)
	}
	start := c.at
	whole, ok := c.digits()
	if !ok {
		return c.syntax("This is not a number.")
	}
	if s.kinds&(kindInteger|kindNumber) == 0 {
		return true
	}
	if !whole {
		if s.kinds&kindNumber == 0 {
			c.fault("wrongType", "The value must be an integer.")
		}
		return true
	}
	n, err := strconv.ParseInt(string(c.text[start:c.at]), 10, 64)
	if err != nil || n < s.minimum || n > s.maximum {
		c.fault("range", rangeMessage(s))
	}
	return true
}

func rangeMessage(s *Schema) string {
	return "The number must be between " + strconv.FormatInt(s.minimum, 10) + " and " + strconv.FormatInt(s.maximum, 10) + "."
}

// digits advances past a number. whole reports whether it has neither decimal point nor exponent.
func (c *checker) digits() (whole, ok bool) {
	if c.text[c.at] == '-' {
		c.at++
	}
	run := func() int {
		start := c.at
		for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
			c.at++
		}
		return c.at - start
	}
	zero := c.at < len(c.text) && c.text[c.at] == '0'
	if n := run(); n == 0 || zero && n > 1 {
		return false, false
	}
	whole = true
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		whole = false
		if run() == 0 {
			return false, false
		}
	}
	if c.at < len(c.text) && (c.text[c.at] == 'e' || c.text[c.at] == 'E') {
		c.at++
		whole = false
		if c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
			c.at++
		}
		if run() == 0 {
			return false, false
		}
	}
	return whole, true
}
