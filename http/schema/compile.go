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
	errUnsupported  = errors.New("the schema uses what is not supported")
	errTooManyNames = errors.New("the schema has more than 64 fields")
)

const mostFields = 64 // the bits of a word tell which ones were seen

// Compiler compiles schemas, each once however often it is referred to.
type Compiler struct {
	// Closed refuses fields that a schema does not declare even where it does not
	// say so. Answers are checked like that, so that none tells what the contract
	// does not.
	Closed bool

	done map[*openapi3.Schema]*Schema
}

// Compile makes the Schema of a contract's schema. It fails on what this package
// cannot check, rather than letting it pass unchecked.
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

// fill compiles a schema. What the checks have no code for is refused at the start: a rule that is
// silently not checked is worse than none.
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

// fillFrom serves allOf with one part, which is how OpenAPI 3.0 gives a reference a
// description of its own.
func (c *Compiler) fillFrom(s *Schema, of *openapi3.Schema) error {
	part, err := c.Compile(of.AllOf[0])
	if err != nil {
		return err
	}
	*s = *part
	if of.Nullable {
		s.kinds |= kindNull
	}
	return nil
}

// kindsOf gives the kinds of values that a schema allows; a number may be a whole one.
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

// fillText compiles what is said of texts and of yes and no. A format is checked by code of its
// own, and so needs no pattern.
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
			s.having = ", as " + strconv.Quote(example) + " has"
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

// fillObject compiles the fields, in alphabetical order. Which of them are required is a bit each,
// so that checking a body allocates nothing.
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

// fillOneOf tells the two uses of oneOf apart: exactly one of several fields, or one
// of several schemas.
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
