package main

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// get returns the value of a mapping's key, or nil.
func get(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// textAt returns the scalar of the key, or an empty string.
func textAt(mapping *yaml.Node, key string) string {
	if found := get(mapping, key); found != nil {
		return found.Value
	}
	return ""
}

// set replaces the value of the key, or appends the key.
func set(mapping *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = value
			return
		}
	}
	mapping.Content = append(mapping.Content, text(key), value)
}

// remove removes the key and returns its value, or nil.
func remove(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			value := mapping.Content[i+1]
			mapping.Content = append(mapping.Content[:i:i], mapping.Content[i+2:]...)
			return value
		}
	}
	return nil
}

// ensure returns the mapping of the key and creates it if needed.
func ensure(mapping *yaml.Node, key string) *yaml.Node {
	if found := get(mapping, key); found != nil {
		return found
	}
	made := newMapping()
	set(mapping, key, made)
	return made
}

// each calls do with every key and value of the mapping.
func each(mapping *yaml.Node, do func(key string, value *yaml.Node)) {
	if mapping == nil {
		return
	}
	content := mapping.Content
	for i := 0; i+1 < len(content); i += 2 {
		do(content[i].Value, content[i+1])
	}
}

func newMapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func newSequence(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items, Style: yaml.FlowStyle}
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func quoted(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: yaml.DoubleQuotedStyle}
}

func yes() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"} }

// reference returns {$ref: '#/components/SECTION/NAME'}.
func reference(section, name string) *yaml.Node {
	made := newMapping()
	made.Style = yaml.FlowStyle
	set(made, "$ref", text("#/components/"+section+"/"+name))
	return made
}

// named returns the last part of the node's $ref, or an empty string.
func named(node *yaml.Node) string {
	if node == nil || node.Kind != yaml.MappingNode {
		return ""
	}
	ref := get(node, "$ref")
	if ref == nil {
		return ""
	}
	return ref.Value[strings.LastIndexByte(ref.Value, '/')+1:]
}

// clone copies a node with its descendants.
func clone(node *yaml.Node) *yaml.Node {
	if node == nil {
		return nil
	}
	copied := *node
	copied.Content = make([]*yaml.Node, len(node.Content))
	for i, child := range node.Content {
		copied.Content[i] = clone(child)
	}
	return &copied
}

// values lists the scalars of a sequence.
func values(sequence *yaml.Node) []string {
	if sequence == nil {
		return nil
	}
	list := make([]string, len(sequence.Content))
	for i, item := range sequence.Content {
		list[i] = item.Value
	}
	return list
}
