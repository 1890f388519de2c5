package main

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

var errNoExample = errors.New("has no example and none can be composed")

// examples adds an example to every body of every operation.
func (d *document) examples() error {
	var failure error
	each(d.paths, func(path string, item *yaml.Node) {
		for _, method := range methods() {
			operation := get(item, method)
			if operation == nil {
				continue
			}
			bodies := []*yaml.Node{get(get(operation, "requestBody"), "content")}
			each(get(operation, "responses"), func(_ string, response *yaml.Node) {
				bodies = append(bodies, get(d.resolve(response), "content"))
			})
			for _, content := range bodies {
				if err := d.exampleBody(content); err != nil {
					failure = errors.Join(failure, fmt.Errorf("%s %s: %w", method, path, err))
				}
			}
		}
	})
	return failure
}

// exampleBody adds an example composed from the examples of the body's fields. A body without any is a mistake in
// the contract.
func (d *document) exampleBody(content *yaml.Node) error {
	var failure error
	each(content, func(kind string, media *yaml.Node) {
		schema := get(media, "schema")
		if of := remove(media, "x-example-of"); of != nil {
			schema = of
		}
		if get(media, "example") != nil {
			return
		}
		example := d.exampleOf(schema)
		if example == nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %w", kind, errNoExample))
			return
		}
		set(media, "example", example)
	})
	return failure
}

// exampleOf returns the schema's own example, or one composed of the examples of its parts. It returns nil if a
// required part has none.
func (d *document) exampleOf(schema *yaml.Node) *yaml.Node {
	schema = d.resolve(schema)
	if own := get(schema, "example"); own != nil {
		return clone(own)
	}
	if values := get(schema, "enum"); values != nil {
		return clone(values.Content[0])
	}
	for _, key := range []string{"allOf", "oneOf"} {
		if parts := get(schema, key); parts != nil && get(schema, "properties") == nil {
			return d.exampleOf(parts.Content[0])
		}
	}
	if items := get(schema, "items"); items != nil {
		item := d.exampleOf(items)
		if item == nil {
			return nil
		}
		return newSequence(item)
	}
	properties := get(schema, "properties")
	if properties == nil {
		return nil
	}
	made, complete := newMapping(), true
	each(properties, func(key string, property *yaml.Node) {
		example := d.exampleOf(property)
		if example == nil {
			complete = false
			return
		}
		set(made, key, example)
	})
	if !complete {
		return nil
	}
	return made
}
