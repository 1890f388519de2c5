package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	errShape     = errors.New("not a mapping")
	errDuplicate = errors.New("declared twice")
	errDangling  = errors.New("does not exist")
	errNoType    = errors.New("a property of a patch has no type")
	errUnused    = errors.New("is not used")
	errHead      = errors.New("openapi.yaml is missing")
)

// document collects the files before they are joined.
type document struct {
	head       *yaml.Node
	paths      *yaml.Node
	components *yaml.Node
	fragments  *yaml.Node
	places     map[string][]string // file and line of each reference, by target
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
	if err := checkText(root); err != nil {
		return err
	}
	stripComments(root)
	if d.paths == nil {
		d.paths, d.components, d.fragments = newMapping(), newMapping(), newMapping()
		d.places = map[string][]string{}
	}
	eachReference(root, func(target *yaml.Node) {
		d.places[target.Value] = append(d.places[target.Value], fmt.Sprintf("%s line %d", nameOf(file), target.Line))
	})
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
	if err := d.callbacks(); err != nil {
		return nil, err
	}
	set(d.head, "paths", d.paths)
	set(d.head, "components", d.components)
	if err := d.prune(); err != nil {
		return nil, err
	}
	if err := d.examples(); err != nil {
		return nil, err
	}
	d.distinguish(schemas)
	return d.head, nil
}

// distinguish renames parameters and responses that differ from a schema in the first letter at most, because generators of clients
// create a type for each of them.
func (d *document) distinguish(schemas *yaml.Node) {
	renamed := map[string]string{}
	for section, suffix := range map[string]string{"parameters": "Parameter", "responses": "Response"} {
		entries := get(d.components, section)
		if entries == nil {
			continue
		}
		for i := 0; i+1 < len(entries.Content); i += 2 {
			key := entries.Content[i]
			if get(schemas, strings.ToUpper(key.Value[:1])+key.Value[1:]) == nil {
				continue
			}
			path := "#/components/" + section + "/" + key.Value
			renamed[path] = path + suffix
			key.Value += suffix
		}
	}
	eachReference(d.head, func(target *yaml.Node) {
		if path, is := renamed[target.Value]; is {
			target.Value = path
		}
	})
}

// prune reports dangling references and unused components as errors.
func (d *document) prune() error {
	used := map[string]bool{}
	eachReference(d.head, func(target *yaml.Node) { used[target.Value] = true })
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
	for _, path := range slices.Sorted(maps.Keys(used)) {
		places := d.places[path]
		if len(places) == 0 {
			places = []string{"a derived part"}
		}
		failure = errors.Join(failure, fmt.Errorf("%s: %s: %w", strings.Join(places, ", "), path, errDangling))
	}
	return failure
}

// eachReference calls do with the value of every $ref below the node.
func eachReference(node *yaml.Node, do func(target *yaml.Node)) {
	if node.Kind == yaml.MappingNode {
		if ref := get(node, "$ref"); ref != nil {
			do(ref)
		}
	}
	for _, child := range node.Content {
		eachReference(child, do)
	}
}

// stripComments removes the comments of the sources, which describe the files.
func stripComments(node *yaml.Node) {
	node.HeadComment, node.LineComment, node.FootComment = "", "", ""
	for _, child := range node.Content {
		stripComments(child)
	}
}
