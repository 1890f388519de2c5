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

	// Strings. A known format replaces the pattern, which is published for clients. A test compares the two.
	format    format
	pattern   *regexp.Regexp
	having    string // the message with an example of the format, or empty
	minLength int    // in characters
	maxLength int    // -1 means unlimited
	texts     []string

	// Integers.
	minimum, maximum int64
	// Booleans: the allowed values.
	allowTrue, allowFalse bool

	// Arrays.
	items              *Schema
	minItems, maxItems int // maxItems -1 means unlimited

	// Objects.
	fields     []field
	byName     map[string]int
	required   uint64  // a set of field bits
	open       bool    // undeclared fields are allowed
	additional *Schema // the schema of undeclared fields; nil accepts any value
	exactlyOne [][]int // for each group of fields

	// alternatives are the schemas of oneOf. If set, the other rules do not apply.
	alternatives []*Schema
}

type field struct {
	name   string
	schema *Schema
}

// Fields returns the names of the object's fields in unspecified order, or nil for other types.
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
