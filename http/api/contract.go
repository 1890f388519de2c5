package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/docs"
)

// ErrContract reports a document that the server does not support.
var ErrContract = errors.New("contract")

// Contract is an OpenAPI document with its compiled operations and its reference page. It
// is immutable; any number of servers can share it.
type Contract struct {
	Text       []byte // the document as YAML
	operations map[string]Operation
	docs       *docs.Page
	files      map[string]http.Handler
}

// ReadContract compiles an OpenAPI document.
func ReadContract(text []byte) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContract, err)
	}
	c := &Contract{Text: text, operations: map[string]Operation{}}
	compiler, tools := &compiler{arguments: arguments{map[*openapi3.Schema]*argument{}}}, toolSchemas{}
	if doc.Components != nil {
		tools.components = doc.Components.Schemas
	}
	for _, path := range doc.Paths.InMatchingOrder() {
		item := doc.Paths.Find(path)
		for method, declared := range item.Operations() {
			compiled, err := compile(compiler, path, method, item, declared)
			if err != nil {
				return nil, fmt.Errorf("%w: %s %s: %w", ErrContract, method, path, err)
			}
			if _, declared := c.operations[compiled.ID]; declared {
				return nil, fmt.Errorf("%w: %s is declared twice", ErrContract, compiled.ID)
			}
			if compiled.isTool() {
				if compiled.tool, err = tools.declare(compiled, item, declared); err != nil {
					return nil, fmt.Errorf("%w: %w", ErrContract, err)
				}
			}
			c.operations[compiled.ID] = *compiled
		}
	}
	c.files = map[string]http.Handler{
		Prefix + "/openapi.yaml": docs.File("application/yaml", func() ([]byte, error) { return text, nil }),
		Prefix + "/openapi.json": docs.File(ContentJSON, doc.MarshalJSON),
	}
	c.docs, err = docs.New(doc, text)
	return c, err
}

// bind returns the operations with their handlers, guards and switches. It fails unless
// each operation has a handler and each handler an operation.
func (c *Contract) bind(handlers map[string]Handler, features map[string]bool) (map[string]*Operation, error) {
	bound := make(map[string]*Operation, len(c.operations))
	var failure error
	refuse := func(format string, arguments ...any) {
		failure = errors.Join(failure, fmt.Errorf("%w: "+format, append([]any{ErrContract}, arguments...)...))
	}
	for id, op := range c.operations {
		bound[id] = &op
		op.handler = handlers[id]
		if op.handler == nil {
			refuse("operation %s has no handler", id)
		}
		var known bool
		op.guard, known = guards()[op.Permission]
		if !known {
			refuse("operation %s has the unknown permission %q", id, op.Permission)
		}
		on, known := features[op.feature]
		if !known && op.feature != "" {
			refuse("operation %s has the unknown feature %q", id, op.feature)
		}
		op.Off = op.feature != "" && !on
		if !slices.Contains([]string{"", agentRead, "write", "destructive"}, op.agent) {
			refuse("operation %s has the unknown x-agent %q", id, op.agent)
		}
		if op.confirm != "" && (op.confirm != confirmAlways || op.agent == "" || op.Reads()) {
			refuse("operation %s has the x-confirm %q; only %q is known, for changes with x-agent", id, op.confirm, confirmAlways)
		}
	}
	for id := range handlers {
		if bound[id] == nil {
			refuse("handler %s has no operation", id)
		}
	}
	return bound, failure
}

// extension returns the text of an extension; empty if it is absent.
func extension(extensions map[string]any, name string) string {
	text, _ := extensions[name].(string)
	return strings.TrimSpace(text)
}

// Reference returns the handler of the reference page. Its examples use the public base URL.
func (c *Contract) Reference(base string) http.Handler { return c.docs.At(base) }

// File returns the handler of a path of the document itself, as YAML or JSON; nil for other paths.
func (c *Contract) File(path string) http.Handler { return c.files[path] }
