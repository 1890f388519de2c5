package main

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errNoObject = errors.New("has no schema in x-callbacks")

// anyAction ends a type that stands for all types of its subject, which have no list of values.
const anyAction = ".*"

// callbacks replaces the extension x-callbacks of operations: a callback for each of its types of events, and the schema of its body for
// each subject, the first word of a type.
func (d *document) callbacks() error {
	var failure error
	each(d.paths, func(path string, item *yaml.Node) {
		for _, method := range methods() {
			operation := get(item, method)
			if get(operation, "x-callbacks") == nil {
				continue
			}
			made, err := d.callbacksOf(remove(operation, "x-callbacks"))
			if err != nil {
				failure = errors.Join(failure, fmt.Errorf("%s %s: %w", method, path, err))
				continue
			}
			set(operation, "callbacks", made)
		}
	})
	return failure
}

func (d *document) callbacksOf(declared *yaml.Node) (*yaml.Node, error) {
	made, schemas := newMapping(), ensure(d.components, "schemas")
	types := values(get(declared, "types"))
	for _, eventType := range types {
		subject, action, _ := strings.Cut(eventType, ".")
		object := get(get(declared, "objects"), subject)
		if object == nil {
			return nil, fmt.Errorf("%s: %w", eventType, errNoObject)
		}
		name := "Delivered" + capitalized(subject)
		if get(schemas, name) == nil {
			set(schemas, name, d.deliveryOf(subject, object.Value, types))
		}
		media := newMapping()
		set(media, "schema", reference("schemas", name))
		set(media, "example", d.deliveryExample(get(schemas, name), eventType))
		content, body := newMapping(), newMapping()
		set(content, "application/json", media)
		set(body, "required", yes())
		set(body, "content", content)
		item := clone(get(declared, "item"))
		operation := newMapping()
		set(operation, "operationId", text("receive"+capitalized(subject)+capitalized(strings.Trim(action, "*"))))
		set(operation, "summary", text(eventType))
		each(get(item, "post"), func(key string, value *yaml.Node) { set(operation, key, value) })
		set(operation, "requestBody", body)
		set(item, "post", operation)
		address := newMapping()
		set(address, get(declared, "address").Value, item)
		set(made, eventType, address)
	}
	return made, nil
}

// deliveryOf returns the schema of deliveries about a subject, which have some of all types.
func (d *document) deliveryOf(subject, object string, all []string) *yaml.Node {
	schema := clone(get(d.fragments, "Delivery"))
	properties := get(schema, "properties")
	set(get(get(properties, "data"), "properties"), "object", reference("schemas", object))
	types := newSequence()
	for _, eventType := range all {
		if strings.HasPrefix(eventType, subject+".") && !strings.HasSuffix(eventType, anyAction) {
			types.Content = append(types.Content, text(eventType))
		}
	}
	if len(types.Content) > 0 {
		set(get(properties, "type"), "enum", types)
		set(get(properties, "type"), "example", text(types.Content[0].Value))
	}
	return schema
}

// deliveryExample returns the example of a delivery. Deliveries of updates have previous values.
func (d *document) deliveryExample(schema *yaml.Node, eventType string) *yaml.Node {
	example := d.exampleOf(schema)
	if !strings.HasSuffix(eventType, anyAction) {
		set(example, "type", text(eventType))
	}
	if strings.HasSuffix(eventType, ".updated") {
		previous := newMapping()
		set(previous, "version", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "41"})
		set(get(example, "data"), "previous_attributes", previous)
	}
	return example
}

// capitalized returns the words of a name in upper camel case.
func capitalized(name string) string {
	var made strings.Builder
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '.' }) {
		made.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return made.String()
}
