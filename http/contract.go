package http

import (
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/docs"
	"equity/http/schema"
)

// openapi is the bundled contract as it is served.
//
//go:embed openapi.yaml
var openapi []byte

var errContract = errors.New("contract")

// Contract is an OpenAPI document with its compiled operations and its reference page. It
// is immutable; any number of servers can share it.
type Contract struct {
	text       []byte // the document as YAML
	operations map[string]operation
	docs       http.Handler
}

// LoadContract compiles the contract of this build.
func LoadContract() (*Contract, error) { return loadContract(openapi) }

func loadContract(text []byte) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errContract, err)
	}
	c := &Contract{text: text, operations: map[string]operation{}}
	compiler := &schema.Compiler{}
	for _, path := range doc.Paths.InMatchingOrder() {
		item := doc.Paths.Find(path)
		for method, declared := range item.Operations() {
			made, err := compile(compiler, path, method, item, declared)
			if err != nil {
				return nil, fmt.Errorf("%w: %s %s: %w", errContract, method, path, err)
			}
			if _, declared := c.operations[made.id]; declared {
				return nil, fmt.Errorf("%w: %s is declared twice", errContract, made.id)
			}
			c.operations[made.id] = *made
		}
	}
	c.docs, err = docs.New(doc, text)
	return c, err
}

// bind returns the operations with their handlers, guards and switches. It fails unless
// each operation has a handler and each handler an operation.
func (c *Contract) bind(handlers map[string]Handler, features map[string]bool) (map[string]*operation, error) {
	bound := make(map[string]*operation, len(c.operations))
	var failure error
	refuse := func(format string, arguments ...any) {
		failure = errors.Join(failure, fmt.Errorf("%w: "+format, append([]any{errContract}, arguments...)...))
	}
	for id, op := range c.operations {
		bound[id] = &op
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
		if bound[id] == nil {
			refuse("handler %s has no operation", id)
		}
	}
	return bound, failure
}

// extension gives the text of an extension; empty when there is none.
func extension(extensions map[string]any, name string) string {
	text, _ := extensions[name].(string)
	return strings.TrimSpace(text)
}
