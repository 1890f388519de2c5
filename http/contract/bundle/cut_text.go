package main

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	errNoValue  = errors.New("a key has no value; quote a text that contains a comma or a colon")
	errKey      = errors.New("a key contains a space; quote a text that contains a comma or a colon")
	errSentence = errors.New("a description must end with a period; quote a text that contains a comma or a colon")
	errComment  = errors.New("a comment follows a value; quote a text that contains #")
)

// checkText refuses the traces of an unquoted text that YAML has cut. In a flow mapping, a comma ends the text, and its
// rest becomes a key: one without a value, or one with a space if a colon follows. The sign # begins a comment.
func checkText(node *yaml.Node) error {
	var failure error
	refuse := func(at *yaml.Node, err error) {
		failure = errors.Join(failure, fmt.Errorf("line %d: %q: %w", at.Line, at.Value, err))
	}
	if node.Kind == yaml.ScalarNode && node.LineComment != "" {
		refuse(node, errComment)
	}
	if node.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			if fault := faultOfEntry(key.Value, value); fault != nil {
				refuse(key, fault)
			}
			if key.Value != "example" {
				failure = errors.Join(failure, checkText(value))
			}
		}
		return failure
	}
	for _, child := range node.Content {
		failure = errors.Join(failure, checkText(child))
	}
	return failure
}

func faultOfEntry(key string, value *yaml.Node) error {
	scalar := value.Kind == yaml.ScalarNode
	switch {
	case scalar && value.Tag == "!!null" && value.Value == "":
		return errNoValue
	case strings.Contains(key, " "):
		return errKey
	case scalar && key == "description" && !strings.HasSuffix(strings.TrimSpace(value.Value), "."):
		return errSentence
	default:
		return nil
	}
}
