package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errNoDocument = errors.New("the contract is empty")

// order is the order of declarations in the contract, which the maps of the parsed document do not keep.
type order struct {
	paths   []string
	schemas []string
	// fields are the field names by schema.
	fields map[string][]string
	root   *yaml.Node
}

// readOrder reads the order of declarations from the text of the contract.
func readOrder(text []byte) (order, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return order{}, fmt.Errorf("read contract: %w", err)
	}
	if len(root.Content) == 0 {
		return order{}, errNoDocument
	}
	top := root.Content[0]
	found := order{paths: keys(child(top, "paths")), fields: map[string][]string{}, root: top}
	schemas := child(top, "components", "schemas")
	found.schemas = keys(schemas)
	for _, name := range found.schemas {
		found.fields[name] = keys(child(schemas, name, "properties"))
	}
	return found, nil
}

// example returns the example at the place: indented JSON with its fields in order, or the text itself. It returns
// an empty string if there is no example.
func (o order) example(place ...string) (string, error) {
	node := child(o.root, append(place, "example")...)
	if node == nil {
		return "", nil
	}
	if node.Kind == yaml.ScalarNode && node.Tag == "!!str" {
		return node.Value, nil
	}
	var out strings.Builder
	err := write(&out, node, "\n")
	return out.String(), err
}

// write writes the node as JSON. Each line after the first starts with indent.
func write(out *strings.Builder, node *yaml.Node, indent string) error {
	open, closing, step := "[", "]", 1
	switch node.Kind {
	case yaml.MappingNode:
		open, closing, step = "{", "}", 2
	case yaml.SequenceNode:
	case yaml.ScalarNode, yaml.DocumentNode, yaml.AliasNode: // the bundle contains no documents or aliases here
		return writeScalar(out, node)
	}
	if len(node.Content) == 0 {
		out.WriteString(open + closing)
		return nil
	}
	out.WriteString(open)
	for i := 0; i < len(node.Content); i += step {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(indent + "  ")
		if step == 2 {
			out.WriteString(`"` + node.Content[i].Value + `": `)
		}
		if err := write(out, node.Content[i+step-1], indent+"  "); err != nil {
			return err
		}
	}
	out.WriteString(indent + closing)
	return nil
}

func writeScalar(out *strings.Builder, node *yaml.Node) error {
	var value any
	if err := node.Decode(&value); err != nil {
		return fmt.Errorf("read example: %w", err)
	}
	if node.Tag == "!!timestamp" {
		value = node.Value
	}
	text, err := json.Marshal(value)
	out.Write(text)
	return err
}

// child returns the descendant of the mapping with these names, or nil.
func child(mapping *yaml.Node, names ...string) *yaml.Node {
	for _, name := range names {
		if mapping == nil {
			return nil
		}
		var found *yaml.Node
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			if mapping.Content[i].Value == name {
				found = mapping.Content[i+1]
			}
		}
		mapping = found
	}
	return mapping
}

func keys(mapping *yaml.Node) []string {
	if mapping == nil {
		return nil
	}
	var names []string
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		names = append(names, mapping.Content[i].Value)
	}
	return names
}
