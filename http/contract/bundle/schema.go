package main

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// include adds the properties and required names of the fragments to every schema with x-include. The order is id
// and organization, then the fragments, then the schema's own properties.
func (d *document) include(schemas *yaml.Node) error {
	var failure error
	each(schemas, func(name string, schema *yaml.Node) {
		fragments := remove(schema, "x-include")
		if fragments == nil {
			return
		}
		properties, required := newMapping(), []string{}
		for _, key := range []string{"id", "organization"} {
			if own := get(get(schema, "properties"), key); own != nil {
				set(properties, key, own)
			}
		}
		for _, fragment := range values(fragments) {
			source := get(d.fragments, fragment)
			if source == nil {
				failure = errors.Join(failure, fmt.Errorf("%s: fragment %s: %w", name, fragment, errDangling))
				continue
			}
			each(get(source, "properties"), func(key string, value *yaml.Node) { set(properties, key, clone(value)) })
			required = append(required, values(get(source, "required"))...)
		}
		each(get(schema, "properties"), func(key string, value *yaml.Node) { set(properties, key, value) })
		required = append(required, values(get(schema, "required"))...)
		set(schema, "properties", properties)
		setRequired(schema, required)
	})
	return failure
}

func setRequired(schema *yaml.Node, required []string) {
	list := newSequence()
	for i, name := range required {
		if !slices.Contains(required[:i], name) {
			list.Content = append(list.Content, text(name))
		}
	}
	if len(list.Content) > 0 {
		set(schema, "required", list)
	}
}

// patches creates the schemas with x-patch, and removes internal schemas afterwards.
func patches(schemas *yaml.Node) error {
	var failure error
	each(schemas, func(name string, schema *yaml.Node) {
		source := remove(schema, "x-patch")
		if source == nil {
			return
		}
		of := get(schemas, source.Value)
		if of == nil {
			failure = errors.Join(failure, fmt.Errorf("%s: x-patch %s: %w", name, source.Value, errDangling))
			return
		}
		patch, err := patchOf(schemas, of)
		if err != nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %w", name, err))
			return
		}
		set(schema, "type", text("object"))
		set(schema, "additionalProperties", get(of, "additionalProperties"))
		set(schema, "properties", patch)
	})
	each(clone(schemas), func(name string, _ *yaml.Node) {
		if remove(get(schemas, name), "x-internal") != nil {
			remove(schemas, name)
		}
	})
	return failure
}

// patchOf returns the properties of a merge patch. Optional properties may be null.
func patchOf(schemas, schema *yaml.Node) (*yaml.Node, error) {
	var failure error
	properties := newMapping()
	required := values(get(schema, "required"))
	each(get(schema, "properties"), func(key string, value *yaml.Node) {
		value = clone(value)
		if !slices.Contains(required, key) {
			var err error
			if value, err = nullable(schemas, value); err != nil {
				failure = errors.Join(failure, fmt.Errorf("%s: %w", key, err))
			}
		}
		set(properties, key, value)
	})
	return properties, failure
}

// nullable returns the schema with null as a further value, of its first alternative if it has several. In OpenAPI 3.0, `nullable` applies
// only beside a `type`, and a schema behind `allOf` would refuse null. The schema is therefore inlined.
func nullable(schemas, value *yaml.Node) (*yaml.Node, error) {
	value = inlined(schemas, value)
	if get(value, "type") != nil {
		set(value, "nullable", yes())
		return value, nil
	}
	alternatives := get(value, "oneOf")
	if alternatives == nil || len(alternatives.Content) == 0 {
		return nil, errNoType
	}
	first, err := nullable(schemas, alternatives.Content[0])
	alternatives.Content[0] = first
	return value, err
}

// inlined returns the schema with the content of the schema that it refers to. The extension x-schema keeps the names of the inlined
// schemas, the outer first: the app chooses the inputs of forms by them.
func inlined(schemas, value *yaml.Node) *yaml.Node {
	target := value
	if parts := get(value, "allOf"); parts != nil && len(parts.Content) == 1 {
		target = parts.Content[0]
	}
	source := get(schemas, named(target))
	if source == nil {
		return value
	}
	whole := inlined(schemas, clone(source))
	names := newSequence(text(named(target)))
	if inner := get(whole, "x-schema"); inner != nil {
		names.Content = append(names.Content, inner.Content...)
	}
	set(whole, "x-schema", names)
	if get(value, "description") != nil {
		remove(whole, "x-help") // it explains the inlined schema, not this use of it
	}
	each(value, func(key string, own *yaml.Node) {
		if key != "allOf" && key != "$ref" {
			set(whole, key, own)
		}
	})
	return whole
}
