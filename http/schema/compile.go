package schema

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

var (
	errUnsupported  = errors.New("the schema uses an unsupported keyword")
	errTooManyNames = errors.New("the schema has more than 64 fields")
)

const mostFields = 64 // a uint64 has one bit per field

// Compiler compiles schemas. Each schema is compiled once.
type Compiler struct {
	// Closed also refuses undeclared fields where the schema does not. It is used for responses, so that they
	// contain only declared fields.
	Closed bool

	done map[*openapi3.Schema]*Schema
}

// Compile returns the compiled schema. It fails for a keyword that this package cannot check.
func (c *Compiler) Compile(ref *openapi3.SchemaRef) (*Schema, error) {
	if ref == nil || ref.Value == nil {
		return &Schema{kinds: anyKind, open: true, maxLength: -1, maxItems: -1}, nil
	}
	if made, ok := c.done[ref.Value]; ok {
		return made, nil
	}
	if c.done == nil {
		c.done = map[*openapi3.Schema]*Schema{}
	}
	made := &Schema{}
	c.done[ref.Value] = made // before its parts, which may refer to it
	if err := c.fill(made, ref.Value); err != nil {
		return nil, fmt.Errorf("schema %s: %w", ref.Ref, err)
	}
	return made, nil
}

// fill compiles a schema. An unsupported keyword is an error at start, because a silently ignored rule is worse.
func (c *Compiler) fill(s *Schema, of *openapi3.Schema) error {
	if len(of.AllOf) == 1 && len(of.Properties) == 0 {
		return c.fillFrom(s, of)
	}
	if len(of.AllOf) > 0 || len(of.AnyOf) > 0 || of.Not != nil {
		return fmt.Errorf("%w: allOf of several, anyOf or not", errUnsupported)
	}
	*s = Schema{kinds: kindsOf(of), maxLength: -1, maxItems: -1, minimum: math.MinInt64, maximum: math.MaxInt64}
	if err := c.fillText(s, of); err != nil {
		return err
	}
	fillNumber(s, of)
	if err := c.fillArray(s, of); err != nil {
		return err
	}
	if err := c.fillObject(s, of); err != nil {
		return err
	}
	return c.fillOneOf(s, of)
}

// fillFrom compiles an allOf with one part, which OpenAPI 3.0 uses to add a description to a reference.
func (c *Compiler) fillFrom(s *Schema, of *openapi3.Schema) error {
	part, err := c.Compile(of.AllOf[0])
	if err != nil {
		return err
	}
	*s = *part
	return nil
}

// kindsOf returns the allowed JSON types. A number may be an integer.
func kindsOf(of *openapi3.Schema) kind {
	kinds := anyKind
	if of.Type != nil {
		kinds = 0
		for _, name := range of.Type.Slice() {
			kinds |= map[string]kind{
				"string": kindString, "integer": kindInteger, "number": kindNumber | kindInteger,
				"boolean": kindBoolean, "object": kindObject, "array": kindArray,
			}[name]
		}
	}
	if of.Nullable {
		kinds |= kindNull
	}
	return kinds
}

// fillText compiles the rules for strings and booleans. Code checks a known format, so its pattern is not
// compiled.
func (c *Compiler) fillText(s *Schema, of *openapi3.Schema) error {
	s.format = formatNamed(of.Format)
	s.minLength = int(min(of.MinLength, math.MaxInt32))
	if of.MaxLength != nil {
		s.maxLength = int(min(*of.MaxLength, math.MaxInt32))
	}
	if of.Pattern != "" && s.format == nil {
		pattern, err := regexp.Compile(of.Pattern)
		if err != nil {
			return fmt.Errorf("pattern: %w", err)
		}
		s.pattern = pattern
		if example, ok := of.Example.(string); ok && pattern.MatchString(example) {
			s.having = ", such as " + strconv.Quote(example)
		}
	}
	s.allowTrue, s.allowFalse = len(of.Enum) == 0, len(of.Enum) == 0
	for _, value := range of.Enum {
		switch v := value.(type) {
		case string:
			s.texts = append(s.texts, v)
		case bool:
			s.allowTrue, s.allowFalse = s.allowTrue || v, s.allowFalse || !v
		default:
			return fmt.Errorf("%w: enum of %T", errUnsupported, value)
		}
	}
	return nil
}

func fillNumber(s *Schema, of *openapi3.Schema) {
	if of.Min != nil {
		s.minimum = int64(*of.Min)
	}
	if of.Max != nil {
		s.maximum = int64(*of.Max)
	}
}

func (c *Compiler) fillArray(s *Schema, of *openapi3.Schema) error {
	s.minItems = int(min(of.MinItems, math.MaxInt32))
	if of.MaxItems != nil {
		s.maxItems = int(min(*of.MaxItems, math.MaxInt32))
	}
	items, err := c.Compile(of.Items)
	s.items = items
	return err
}

// fillObject compiles the fields in alphabetical order. Each field has one bit in a set, so a check needs no
// allocation.
func (c *Compiler) fillObject(s *Schema, of *openapi3.Schema) error {
	s.open = !c.Closed || len(of.Properties) == 0 && of.Type == nil
	if has := of.AdditionalProperties.Has; has != nil {
		s.open = *has
	}
	if ref := of.AdditionalProperties.Schema; ref != nil {
		additional, err := c.Compile(ref)
		if err != nil {
			return err
		}
		s.open, s.additional = true, additional
	}
	if len(of.Properties) > mostFields {
		return errTooManyNames
	}
	names := make([]string, 0, len(of.Properties))
	for name := range of.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	s.byName = make(map[string]int, len(names))
	for i, name := range names {
		schema, err := c.Compile(of.Properties[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.fields = append(s.fields, field{name, schema})
		s.byName[name] = i
		if slices.Contains(of.Required, name) {
			s.required |= 1 << i
		}
	}
	return nil
}

// fillOneOf distinguishes the two uses of oneOf: exactly one of several fields, or one of several schemas.
func (c *Compiler) fillOneOf(s *Schema, of *openapi3.Schema) error {
	var group []int
	for _, part := range of.OneOf {
		if len(part.Value.Required) == 1 && part.Ref == "" && part.Value.Type == nil {
			group = append(group, s.find(part.Value.Required[0]))
			continue
		}
		alternative, err := c.Compile(part)
		if err != nil {
			return err
		}
		s.alternatives = append(s.alternatives, alternative)
	}
	if group != nil {
		if s.alternatives != nil || slices.Contains(group, -1) {
			return fmt.Errorf("%w: oneOf of fields and schemas", errUnsupported)
		}
		s.exactlyOne = append(s.exactlyOne, group)
	}
	if s.alternatives != nil && (len(s.fields) > 0 || s.pattern != nil || strings.TrimSpace(of.Format) != "") {
		return fmt.Errorf("%w: oneOf beside other rules", errUnsupported)
	}
	return nil
}
