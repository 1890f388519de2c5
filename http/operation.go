package http

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/schema"
)

// Handler carries out an operation whose request was found right and permitted.
type Handler func(ctx context.Context, c *Call) (Answer, error)

// operation is one operation of the contract, compiled.
type operation struct {
	id, method, path string
	permission       string
	agent, feature   string
	off              bool
	optionalSession  bool
	beforeChange     bool   // open to who must change their password first
	home             string // what names the organization, where the path does not: homeInBody or homeInForm
	onlyFiles        bool   // it never answers with JSON
	guard            guard
	handler          Handler

	inPath, inQuery, inHeader []parameter
	body                      *body
}

// parameter is a declared parameter.
type parameter struct {
	name     string
	pointer  string // where faults of it are told
	locate   string // the kind of record whose organization it leads to
	subject  bool   // it names the entity that the operation is about
	required bool
	schema   *schema.Schema
}

// body is what a request may carry.
type body struct {
	required bool
	json     *schema.Schema // nil where the operation takes files
	files    *schema.Schema // the form's fields
	fields   *schema.Schema // those of a form without files
	kinds    []string       // the media types
	uploads  bool           // it takes files
	limit    int64
}

// Limits of a body in bytes. Only files may be large.
const (
	jsonLimit = 1 << 20
	fileLimit = 20 << 20
)

// agentRead is what x-agent says of an operation that only reads.
const agentRead = "read"

// What x-organization says.
const (
	homeInBody = "body" // the field of this name
	homeInForm = "form" // the query or a field of the form
)

const (
	mediaJSON  = "application/json"
	mediaPatch = "application/merge-patch+json"
	mediaForm  = "multipart/form-data"
	mediaZip   = "application/zip"
	mediaCSV   = "text/csv"
)

func compile(c *schema.Compiler, path, method string, item *openapi3.PathItem, declared *openapi3.Operation) (*operation, error) {
	op := &operation{
		id: declared.OperationID, method: method, path: path,
		permission:      extension(declared.Extensions, "x-permission"),
		agent:           extension(declared.Extensions, "x-agent"),
		feature:         extension(declared.Extensions, "x-feature"),
		optionalSession: extension(declared.Extensions, "x-session") == "optional",
		beforeChange:    extension(declared.Extensions, "x-session") == "mustChangePassword",
		home:            extension(declared.Extensions, "x-organization"),
		onlyFiles:       answersFiles(declared.Responses.Value("200")),
	}
	for _, list := range []openapi3.Parameters{item.Parameters, declared.Parameters} {
		for _, ref := range list {
			if err := op.add(c, ref.Value); err != nil {
				return nil, err
			}
		}
	}
	if declared.RequestBody == nil {
		return op, nil
	}
	made, err := compileBody(c, method, declared.RequestBody.Value)
	op.body = made
	return op, err
}

// add compiles a parameter. One of a kind that nothing checks keeps the server from starting.
func (op *operation) add(c *schema.Compiler, declared *openapi3.Parameter) error {
	compiled, err := c.Compile(declared.Schema)
	if err != nil {
		return fmt.Errorf("parameter %s: %w", declared.Name, err)
	}
	made := parameter{
		name: declared.Name, pointer: "/" + declared.In + "/" + declared.Name, required: declared.Required, schema: compiled,
		locate: extension(declared.Extensions, "x-locate"), subject: declared.Extensions["x-subject"] == true,
	}
	switch declared.In {
	case openapi3.ParameterInPath:
		op.inPath = append(op.inPath, made)
	case openapi3.ParameterInQuery:
		op.inQuery = append(op.inQuery, made)
	case openapi3.ParameterInHeader:
		op.inHeader = append(op.inHeader, made)
	default:
		return fmt.Errorf("%w: parameter %s is in %s", errContract, declared.Name, declared.In)
	}
	return nil
}

// compileBody compiles what bodies an operation takes, by their types. Patches are JSON by another
// name (RFC 7396), with the same schema.
func compileBody(c *schema.Compiler, method string, declared *openapi3.RequestBody) (*body, error) {
	made := &body{required: declared.Required, limit: jsonLimit}
	for kind, media := range declared.Content {
		compiled, err := c.Compile(media.Schema)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		made.kinds = append(made.kinds, kind)
		switch kind {
		case mediaJSON:
			made.json = compiled
		case mediaForm:
			made.files, made.uploads, made.limit = compiled, true, fileLimit
		case mediaURLEncoded:
			made.fields = compiled
		case mediaZip, mediaCSV:
			made.uploads, made.limit = true, fileLimit
		default:
			return nil, fmt.Errorf("%w: no body of type %s is known", errContract, kind)
		}
	}
	if method == "PATCH" && made.json != nil {
		made.kinds = append(made.kinds, mediaPatch)
	}
	return made, nil
}

// answersFiles reports whether an answer is anything but JSON.
func answersFiles(answer *openapi3.ResponseRef) bool {
	return answer != nil && len(answer.Value.Content) > 0 && answer.Value.Content[mediaJSON] == nil
}

// reads reports whether the operation changes nothing.
func (op *operation) reads() bool { return op.agent == agentRead || op.method == "GET" }

// canBeTried reports whether the operation knows dry runs.
func (op *operation) canBeTried() bool {
	return slices.ContainsFunc(op.inQuery, func(p parameter) bool { return p.name == "dryRun" })
}

// takes reports whether the operation declares the header.
func (op *operation) takes(header string) bool {
	for i := range op.inHeader {
		if strings.EqualFold(op.inHeader[i].name, header) {
			return true
		}
	}
	return false
}
