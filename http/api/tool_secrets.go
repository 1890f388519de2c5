package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// The extension that marks secrets in answers: true for a field, or a list of names of fields at any depth of an object without a schema, such
// as the content of an event. An address is a secret too: services put keys into its path.
const extensionSecret = "x-secret"

// secretFields are the places of secrets in a JSON value. Elements of an array have the places of the array.
type secretFields struct {
	whole    bool
	anywhere []string
	within   map[string]*secretFields
}

func (f *secretFields) empty() bool {
	return f == nil || !f.whole && len(f.anywhere) == 0 && len(f.within) == 0
}

// without returns the JSON value without the secrets.
func (f *secretFields) without(value json.RawMessage) json.RawMessage {
	value = bytes.TrimSpace(value)
	if f.empty() || len(value) == 0 {
		return value
	}
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case value[0] == '[' && json.Unmarshal(value, &list) == nil:
		for i := range list {
			list[i] = f.without(list[i])
		}
		return encoded(list)
	case value[0] != '{' || json.Unmarshal(value, &object) != nil:
		return value
	}
	for name, part := range object {
		inner := f.within[name]
		switch {
		case inner != nil && inner.whole || slices.Contains(f.anywhere, name):
			delete(object, name)
		case inner == nil && len(f.anywhere) > 0:
			object[name] = (&secretFields{anywhere: f.anywhere}).without(part)
		default:
			object[name] = inner.without(part)
		}
	}
	return encoded(object)
}

// encoded returns the JSON of parts that are JSON, or null.
func encoded(parts any) json.RawMessage {
	text, err := json.Marshal(parts)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// secretsOf returns the places of secrets in the successful answers of an operation.
func (t toolSchemas) secretsOf(declared *openapi3.Operation) *secretFields {
	found := &secretFields{}
	for status, ref := range declared.Responses.Map() {
		if strings.HasPrefix(status, "2") && ref.Value.Content[MediaJSON] != nil {
			found.add(ref.Value.Content[MediaJSON].Schema, nil)
		}
	}
	return found
}

// add adds the places of secrets in a schema. Outer are the schemas around it, because schemas can contain themselves.
func (f *secretFields) add(ref *openapi3.SchemaRef, outer []*openapi3.Schema) {
	if ref == nil || ref.Value == nil || slices.Contains(outer, ref.Value) {
		return
	}
	schema := ref.Value
	outer = append(slices.Clip(outer), schema)
	switch marked := schema.Extensions[extensionSecret].(type) {
	case bool:
		f.whole = f.whole || marked
	case []any:
		for _, name := range marked {
			if text, is := name.(string); is && !slices.Contains(f.anywhere, text) {
				f.anywhere = append(f.anywhere, text)
			}
		}
	}
	for _, parts := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		for _, part := range parts {
			f.add(part, outer)
		}
	}
	f.add(schema.Items, outer)
	for name, field := range schema.Properties {
		inner := f.within[name]
		if inner == nil {
			inner = &secretFields{}
		}
		if inner.add(field, outer); !inner.empty() {
			if f.within == nil {
				f.within = map[string]*secretFields{}
			}
			f.within[name] = inner
		}
	}
}
