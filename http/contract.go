package http

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/schema"
)

// openapi is the bundled contract as it is served.
//
//go:embed openapi.yaml
var openapi []byte

var errContract = errors.New("contract")

// contract is the document, and what was compiled of it.
type contract struct {
	doc        *openapi3.T
	text       []byte // of the document, YAML
	operations map[string]*operation
}

// loadContract reads a bundled document and compiles its operations.
func loadContract(text []byte) (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errContract, err)
	}
	c := &contract{doc: doc, text: text, operations: map[string]*operation{}}
	compiler := &schema.Compiler{}
	for _, path := range doc.Paths.InMatchingOrder() {
		item := doc.Paths.Find(path)
		for method, declared := range item.Operations() {
			made, err := compile(compiler, path, method, item, declared)
			if err != nil {
				return nil, fmt.Errorf("%w: %s %s: %w", errContract, method, path, err)
			}
			if c.operations[made.id] != nil {
				return nil, fmt.Errorf("%w: %s is declared twice", errContract, made.id)
			}
			c.operations[made.id] = made
		}
	}
	return c, nil
}

// bind gives every operation its handler, guard and switch, and refuses a contract
// that promises what is not there or the other way round.
func (c *contract) bind(handlers map[string]Handler, features map[string]bool) error {
	var failure error
	refuse := func(format string, arguments ...any) {
		failure = errors.Join(failure, fmt.Errorf("%w: "+format, append([]any{errContract}, arguments...)...))
	}
	for id, op := range c.operations {
		op.handler = handlers[id]
		if op.handler == nil {
			refuse("operation %s has no handler", id)
		}
		var known bool
		op.guard, known = guards()[op.permission]
		if !known {
			refuse("operation %s has the unknown permission %q", id, op.permission)
		}
		on, known := features[op.feature]
		if !known && op.feature != "" {
			refuse("operation %s has the unknown feature %q", id, op.feature)
		}
		op.off = op.feature != "" && !on
		if !slices.Contains([]string{"", agentRead, "write", "destructive"}, op.agent) {
			refuse("operation %s has the unknown x-agent %q", id, op.agent)
		}
	}
	for id := range handlers {
		if c.operations[id] == nil {
			refuse("handler %s has no operation", id)
		}
	}
	return failure
}

// extension gives the text of an extension; empty when there is none.
func extension(extensions map[string]any, name string) string {
	text, _ := extensions[name].(string)
	return strings.TrimSpace(text)
}
