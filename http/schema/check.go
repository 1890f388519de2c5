package schema

import (
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"equity/fault"
)

const (
	deepest    = 32  // levels of nesting
	mostFaults = 100 // reported for one body
)

// checker checks one text.
type checker struct {
	text    []byte
	at      int
	depth   int
	path    []step
	scratch []byte
	faults  fault.Fields
}

// step is one part of a JSON pointer: a name, or an index if the name is empty and index is not negative.
type step struct {
	name  string
	index int
}

var checkers = sync.Pool{New: func() any { return &checker{} }} //nolint:gochecknoglobals // a stateless pool of scratch space

// Check returns all faults of the JSON text, or nil.
func (s *Schema) Check(text []byte) fault.Fields {
	c, _ := checkers.Get().(*checker)
	c.text, c.at, c.depth, c.path, c.faults = text, 0, 0, c.path[:0], nil
	if !utf8.Valid(text) {
		c.fault("syntax", "The body is not valid UTF-8.")
	} else if c.value(s) {
		c.space()
		if c.at < len(c.text) {
			c.syntax("There is something behind the JSON value.")
		}
	}
	faults := c.faults
	c.text, c.faults = nil, nil
	checkers.Put(c)
	return faults
}

// fault records a fault at the current position.
func (c *checker) fault(code, message string) {
	if len(c.faults) < mostFaults {
		c.faults.Add(c.pointer(), code, message)
	}
}

// faultAt records a fault of a field of the current object.
func (c *checker) faultAt(name, code, message string) {
	c.path = append(c.path, step{name: name, index: -1})
	c.fault(code, message)
	c.path = c.path[:len(c.path)-1]
}

// syntax records that the text is not JSON. The check ends.
func (c *checker) syntax(message string) bool {
	c.fault("syntax", strings.TrimSuffix(message, ".")+", at byte "+strconv.Itoa(c.at)+".")
	return false
}

func (c *checker) pointer() string {
	var pointer strings.Builder
	for _, s := range c.path {
		pointer.WriteByte('/')
		if s.name == "" && s.index >= 0 {
			pointer.WriteString(strconv.Itoa(s.index))
			continue
		}
		name := strings.ReplaceAll(s.name, "~", "~0")
		pointer.WriteString(strings.ReplaceAll(name, "/", "~1"))
	}
	return pointer.String()
}

// value checks the value at the current position and advances past it. It returns false if the text is not JSON,
// which ends the check.
func (c *checker) value(s *Schema) bool {
	c.space()
	if c.at >= len(c.text) {
		return c.syntax("The JSON text ends too early.")
	}
	if s.alternatives != nil {
		return c.alternative(s)
	}
	switch b := c.text[c.at]; {
	case b == '"':
		return c.textValue(s)
	case b == '{':
		return c.nested(s, kindObject, (*checker).object)
	case b == '[':
		return c.nested(s, kindArray, (*checker).array)
	case b == '-' || b >= '0' && b <= '9':
		return c.number(s)
	default:
		return c.literal(s)
	}
}

// nested checks an object or an array, one level deeper.
func (c *checker) nested(s *Schema, k kind, check func(*checker, *Schema) bool) bool {
	if c.depth >= deepest {
		c.fault("tooDeep", "The body is nested too deeply.")
		return false
	}
	if s.kinds&k == 0 {
		c.wrongType(s)
		s = anything
	}
	c.depth++
	ok := check(c, s)
	c.depth--
	return ok
}

// anything skips a value that is already recorded as faulty.
var anything = &Schema{ //nolint:gochecknoglobals // immutable
	kinds: anyKind, open: true, maxLength: -1, maxItems: -1,
	minimum: -1 << 63, maximum: 1<<63 - 1, allowTrue: true, allowFalse: true,
}

func (c *checker) object(s *Schema) bool {
	c.at++ // {
	var seen uint64
	var others map[string]bool
	for first := true; ; first = false {
		quoted, more, ok := c.name(first)
		if !ok {
			return false
		}
		if !more {
			break
		}
		var name string
		var schema *Schema
		if i, known := s.byName[string(quoted)]; known {
			name, schema = s.fields[i].name, s.fields[i].schema
			if seen&(1<<i) != 0 {
				c.faultAt(name, "duplicateField", "The field occurs twice.")
			}
			seen |= 1 << i
		} else {
			name = string(quoted)
			schema = c.other(s, name, &others)
		}
		if !c.field(name, schema) {
			return false
		}
	}
	c.missing(s, seen)
	return true
}

// other returns the schema of a field that the object's schema does not declare.
func (c *checker) other(s *Schema, name string, others *map[string]bool) *Schema {
	if !s.open {
		c.faultAt(name, "unknownField", "The field is unknown.")
		return anything
	}
	if (*others)[name] {
		c.faultAt(name, "duplicateField", "The field occurs twice.")
	}
	if *others == nil {
		*others = map[string]bool{}
	}
	(*others)[name] = true
	if s.additional == nil {
		return anything
	}
	return s.additional
}

// field checks the value of a field.
func (c *checker) field(name string, schema *Schema) bool {
	c.space()
	if c.at >= len(c.text) || c.text[c.at] != ':' {
		return c.syntax("A colon belongs here.")
	}
	c.at++
	c.path = append(c.path, step{name: name, index: -1})
	ok := c.value(schema)
	c.path = c.path[:len(c.path)-1]
	return ok
}

// name reads the next name of an object. more is false at the end of the object. The name is valid until the next
// string is read.
func (c *checker) name(first bool) (name []byte, more, ok bool) {
	c.space()
	if c.at < len(c.text) && c.text[c.at] == '}' {
		c.at++
		return nil, false, true
	}
	if !first {
		if c.at >= len(c.text) || c.text[c.at] != ',' {
			return nil, false, c.syntax("A comma or the end of the object belongs here.")
		}
		c.at++
		c.space()
	}
	if c.at >= len(c.text) || c.text[c.at] != '"' {
		return nil, false, c.syntax("The name of a field belongs here.")
	}
	name, ok = c.quoted()
	return name, ok, ok
}

// missing records the required fields that were absent.
func (c *checker) missing(s *Schema, seen uint64) {
	for absent := s.required &^ seen; absent != 0; absent &= absent - 1 {
		c.faultAt(s.fields[bits.TrailingZeros64(absent)].name, "required", "The field is required.")
	}
	for _, group := range s.exactlyOne {
		present := 0
		for _, i := range group {
			if seen&(1<<i) != 0 {
				present++
			}
		}
		if present == 1 {
			continue
		}
		names := make([]string, len(group))
		for j, i := range group {
			names[j] = s.fields[i].name
		}
		code := "required"
		if present > 1 {
			code = "oneOf"
		}
		c.faultAt(names[len(names)-1], code, "Exactly one of "+strings.Join(names, " and ")+" is required.")
	}
}

func (c *checker) array(s *Schema) bool {
	c.at++ // [
	items := s.items
	if items == nil {
		items = anything
	}
	count := 0
	for {
		c.space()
		if c.at < len(c.text) && c.text[c.at] == ']' && count == 0 {
			break
		}
		c.path = append(c.path, step{index: count})
		ok := c.value(items)
		c.path = c.path[:len(c.path)-1]
		if !ok {
			return false
		}
		count++
		c.space()
		if c.at >= len(c.text) || c.text[c.at] != ',' && c.text[c.at] != ']' {
			return c.syntax("A comma or the end of the list belongs here.")
		}
		if c.text[c.at] == ']' {
			break
		}
		c.at++
	}
	c.at++
	switch {
	case s.maxItems >= 0 && count > s.maxItems:
		c.fault("tooMany", "The list has more than "+strconv.Itoa(s.maxItems)+" items.")
	case count < s.minItems:
		c.fault("tooFew", "The list has fewer than "+strconv.Itoa(s.minItems)+" items.")
	}
	return true
}
