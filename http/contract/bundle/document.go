package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	errShape     = errors.New("not a mapping")
	errDuplicate = errors.New("declared twice")
	errDangling  = errors.New("does not exist")
	errUnused    = errors.New("is not used")
	errHead      = errors.New("openapi.yaml is missing")
	errNoValue   = errors.New("a key has no value; quote a text that contains a comma or a colon")
)

// document collects the files before they are joined.
type document struct {
	head       *yaml.Node
	paths      *yaml.Node
	components *yaml.Node
	fragments  *yaml.Node
}

// read adds one file: the head if it has the key openapi, otherwise paths and components.
func (d *document) read(file string) error {
	content, err := os.ReadFile(file) //nolint:gosec // a file of the contract
	if err != nil {
		return err
	}
	var parsed yaml.Node
	if err := yaml.Unmarshal(content, &parsed); err != nil {
		return err
	}
	if len(parsed.Content) != 1 || parsed.Content[0].Kind != yaml.MappingNode {
		return errShape
	}
	root := parsed.Content[0]
	stripComments(root)
	if err := checkValues(root); err != nil {
		return err
	}
	if d.paths == nil {
		d.paths, d.components, d.fragments = newMapping(), newMapping(), newMapping()
	}
	if get(root, "openapi") != nil {
		d.head = root
		return nil
	}
	if err := add(d.paths, get(root, "paths")); err != nil {
		return err
	}
	return d.addComponents(get(root, "components"))
}

func (d *document) addComponents(components *yaml.Node) error {
	var failure error
	each(components, func(section string, entries *yaml.Node) {
		into := d.fragments
		if section != "x-fragments" {
			into = ensure(d.components, section)
		}
		failure = errors.Join(failure, add(into, entries))
	})
	return failure
}

// add adds the entries to the mapping. Duplicate keys are an error.
func add(into, entries *yaml.Node) error {
	var failure error
	each(entries, func(key string, value *yaml.Node) {
		if get(into, key) != nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %w", key, errDuplicate))
			return
		}
		set(into, key, value)
	})
	return failure
}

// join returns the complete document.
func (d *document) join() (*yaml.Node, error) {
	if d.head == nil {
		return nil, errHead
	}
	schemas := ensure(d.components, "schemas")
	if err := d.include(schemas); err != nil {
		return nil, err
	}
	if err := patches(schemas); err != nil {
		return nil, err
	}
	each(d.paths, func(_ string, item *yaml.Node) { d.complete(item) })
	set(d.head, "paths", d.paths)
	set(d.head, "components", d.components)
	if err := d.prune(); err != nil {
		return nil, err
	}
	return d.head, d.examples()
}

// prune reports dangling references and unused components as errors.
func (d *document) prune() error {
	used := map[string]bool{}
	collect(d.head, used)
	var failure error
	each(d.components, func(section string, entries *yaml.Node) {
		each(entries, func(name string, _ *yaml.Node) {
			path := "#/components/" + section + "/" + name
			if !used[path] && section != "securitySchemes" {
				failure = errors.Join(failure, fmt.Errorf("%s: %w", path, errUnused))
			}
			delete(used, path)
		})
	})
	for path := range used {
		failure = errors.Join(failure, fmt.Errorf("%s: %w", path, errDangling))
	}
	return failure
}

// collect records every $ref below the node.
func collect(node *yaml.Node, used map[string]bool) {
	if node.Kind == yaml.MappingNode {
		if ref := get(node, "$ref"); ref != nil && strings.HasPrefix(ref.Value, "#/") {
			used[ref.Value] = true
		}
	}
	for _, child := range node.Content {
		collect(child, used)
	}
}

// checkValues refuses keys without a value. In a flow mapping, a comma in an unquoted text ends the text, and its rest
// becomes such a key.
func checkValues(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			if value := node.Content[i+1]; value.Kind == yaml.ScalarNode && value.Tag == "!!null" && value.Value == "" {
				return fmt.Errorf("line %d: %q: %w", node.Content[i].Line, node.Content[i].Value, errNoValue)
			}
		}
	}
	var failure error
	for _, child := range node.Content {
		failure = errors.Join(failure, checkValues(child))
	}
	return failure
}

// stripComments removes the comments of the sources, which describe the files.
func stripComments(node *yaml.Node) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	for _, child := range node.Content {
		stripComments(child)
	}
}
