package schema

import "regexp"

// kind is a set of JSON types.
type kind uint8

const (
	kindString kind = 1 << iota
	kindInteger
	kindNumber
	kindBoolean
	kindObject
	kindArray
	kindNull
)

const anyKind = kindString | kindInteger | kindNumber | kindBoolean | kindObject | kindArray | kindNull

// Schema is a compiled schema. It is immutable and safe for concurrent use.
type Schema struct {
	kinds kind

	// Texts. A format that is known replaces the pattern, which says the same to
	// clients; their agreement is tested.
	format    format
	pattern   *regexp.Regexp
	having    string // tells of the example that has the form; empty without one
	minLength int    // in characters
	maxLength int    // -1: any
	texts     []string

	// Integers.
	minimum, maximum int64
	// Booleans: what is allowed.
	allowTrue, allowFalse bool

	// Arrays.
	items              *Schema
	minItems, maxItems int // maxItems -1: any

	// Objects.
	fields     []field
	byName     map[string]int
	required   uint64  // bits of fields
	open       bool    // other fields are allowed
	additional *Schema // what other fields must be; nil: anything
	exactlyOne [][]int // of each group of fields

	// alternatives is oneOf; the other rules do not apply then.
	alternatives []*Schema
}

type field struct {
	name   string
	schema *Schema
}

// Fields lists the names of the object's fields, in no particular order; nil for
// anything but an object.
func (s *Schema) Fields() []string {
	var names []string
	for _, f := range s.fields {
		names = append(names, f.name)
	}
	return names
}

func (s *Schema) find(name string) int {
	if i, ok := s.byName[name]; ok {
		return i
	}
	return -1
}
