package api

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// argument describes the values of a parameter or of a part of a body for their readers. It is immutable once compiled.
type argument struct {
	// mark is the extension x-mark of the schema; empty for a value that decides nothing by itself. It applies to all parts of the value.
	mark string
	// word reports a text of a fixed form, such as a date, which is shown without quotation marks.
	word bool
	// percent reports a percentage, whose value is a fraction.
	percent bool
	// id reports the id of a record.
	id bool
	// secret values are hidden.
	secret bool
	fields map[string]*argument
	// items describes the items of lists, and others the fields with any name. Both may be nil.
	items, others *argument
}

// Values of x-mark. A reader of a proposed change must see the marked values.
const (
	markAddress = "address"
	markPrice   = "price"
)

func marks() []string {
	return []string{markAddress, "role", "permission", "recipient", "money", markPrice}
}

var errMark = errors.New("unknown x-mark")

// arguments compiles the schemas of a contract. Schemas can refer to themselves.
type arguments struct {
	compiled map[*openapi3.Schema]*argument
}

// marksOf returns the description of objects in which a field with a name has the same mark at each place.
func marksOf(marked map[string]any) (*argument, error) {
	made := &argument{fields: map[string]*argument{}}
	made.items, made.others = made, made
	for name, mark := range marked {
		text, _ := mark.(string)
		if !slices.Contains(marks(), text) {
			return nil, fmt.Errorf("%s: %w %q", name, errMark, text)
		}
		made.fields[name] = &argument{mark: text}
	}
	return made, nil
}

// of returns the description of the values of a schema.
func (a *arguments) of(ref *openapi3.SchemaRef) (*argument, error) {
	if ref == nil || ref.Value == nil {
		return &argument{}, nil
	}
	schema := ref.Value
	if known := a.compiled[schema]; known != nil {
		return known, nil
	}
	made := &argument{
		mark: extension(schema.Extensions, "x-mark"), word: schema.Format != "" || len(schema.Enum) > 0, id: schema.Format == "uuid",
		percent: schema.Format == "fraction" || schema.Format == "rate",
		secret:  schema.WriteOnly || schema.Format == "password" || schema.Extensions["x-secret"] == true,
	}
	a.compiled[schema] = made
	if made.mark == "" && slices.Contains([]string{"email", "uri", "website"}, schema.Format) {
		made.mark = markAddress
	}
	if made.mark != "" && !slices.Contains(marks(), made.mark) {
		return nil, fmt.Errorf("%w %q", errMark, made.mark)
	}
	for name, field := range schema.Properties {
		part, err := a.of(field)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		made.addField(name, part)
	}
	var err error
	if schema.Items != nil {
		if made.items, err = a.of(schema.Items); err != nil {
			return nil, err
		}
	}
	if schema.AdditionalProperties.Schema != nil {
		if made.others, err = a.of(schema.AdditionalProperties.Schema); err != nil {
			return nil, err
		}
	}
	for _, part := range slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf) {
		found, err := a.of(part)
		if err != nil {
			return nil, err
		}
		made.add(found)
	}
	return made, nil
}

// add extends the description by that of a part or of an alternative of its schema.
func (a *argument) add(part *argument) {
	if a.mark == "" {
		a.mark = part.mark
	}
	a.word, a.percent, a.id, a.secret = a.word || part.word, a.percent || part.percent, a.id || part.id, a.secret || part.secret
	if a.items == nil {
		a.items = part.items
	}
	if a.others == nil {
		a.others = part.others
	}
	for _, name := range slices.Sorted(maps.Keys(part.fields)) {
		a.addField(name, part.fields[name])
	}
}

// addField adds a field. A field of several alternatives has the properties of all of them.
func (a *argument) addField(name string, part *argument) {
	if a.fields == nil {
		a.fields = map[string]*argument{}
	}
	known := a.fields[name]
	if known == nil || known == part {
		a.fields[name] = part
		return
	}
	both := &argument{
		mark: known.mark, word: known.word, percent: known.percent, id: known.id, secret: known.secret, items: known.items,
		others: known.others,
	}
	both.fields = maps.Clone(known.fields)
	both.add(part)
	a.fields[name] = both
}

// field returns the description of a field; an empty one for a field that the schema does not declare.
func (a *argument) field(name string) *argument {
	if part := a.fields[name]; part != nil {
		return part
	}
	if a.others != nil {
		return a.others
	}
	return &argument{}
}

// item returns the description of the items of a list.
func (a *argument) item() *argument {
	if a.items != nil {
		return a.items
	}
	return &argument{}
}
