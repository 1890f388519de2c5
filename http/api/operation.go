package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/schema"
)

// Handler executes an operation. Its request is valid and permitted.
type Handler func(ctx context.Context, c *Call) (Answer, error)

// Operation is a compiled operation of the contract.
type Operation struct {
	ID, Method, Path string
	Permission       string
	agent, feature   string
	confirm          string // x-confirm: confirmAlways, or empty
	Off              bool
	OptionalSession  bool
	writes           bool   // a GET that changes something
	beforeChange     bool   // open to users who must change their password first
	home             string // the source of the organization if the path has none: homeInBody or homeInForm
	onlyFiles        bool   // it never returns JSON
	sendsContent     bool   // it returns the bytes of a stored file, which are no export
	// ownCursor reports that the cursor is a position outside the journal, which the handler reads.
	ownCursor  bool
	streamed   bool // it stores files instead of importing them
	onlyEvents bool // it returns a stream of events
	outside    bool // its changes carry no command id
	owner      bool // the holder of the record in the path is permitted too
	factor     bool // it requires a recent second factor
	replaces   *replacement
	guard      guard
	handler    Handler
	tool       *declaredTool // nil if it is not offered as a tool

	inPath, inQuery, inHeader []parameter
	body                      *body
}

// parameter is a declared parameter.
type parameter struct {
	name     string
	pointer  string // the pointer of its faults
	locate   string // the kind of record that leads to the organization
	subject  bool   // it names the entity of the operation
	required bool
	schema   *schema.Schema
	argument *argument
}

// body describes the accepted bodies of an operation.
type body struct {
	required bool
	json     *schema.Schema // nil for uploads
	amounts  *amounts       // of the JSON body; nil without any
	argument *argument      // of the JSON body, or of the objects of a package; nil without one
	files    *schema.Schema // the fields of an upload
	fields   *schema.Schema // the fields of a form without files
	kinds    []string       // the accepted media types
	uploads  bool           // files are accepted
	raw      bool           // the handler checks the body itself
	limit    int64
	// each limits a single file; 0 for no own limit.
	each int64
}

// Limits of a body in bytes. Only uploads may be large.
const (
	JSONLimit = 1 << 20
	FileLimit = 20 << 20
	RawLimit  = 256 << 10
)

// agentRead is the x-agent value of an operation that only reads.
const agentRead = "read"

// confirmAlways is the x-confirm value of an operation that gives authority: a person confirms it under every setting.
const confirmAlways = "always"

// Values of x-organization.
const (
	homeInBody = "body" // the field "organization" of the JSON body
	homeInForm = "form" // the query or a form field
)

// Media types of bodies.
const (
	MediaJSON  = "application/json"
	mediaPatch = "application/merge-patch+json"
	MediaForm  = "multipart/form-data"
	MediaZip   = "application/zip"
	MediaCSV   = "text/csv"
)

// compiler compiles the operations of a contract.
type compiler struct {
	schema.Compiler
	arguments
}

func compile(c *compiler, path, method string, item *openapi3.PathItem, declared *openapi3.Operation) (*Operation, error) {
	op := &Operation{
		ID: declared.OperationID, Method: method, Path: path,
		Permission:      extension(declared.Extensions, "x-permission"),
		agent:           extension(declared.Extensions, "x-agent"),
		feature:         extension(declared.Extensions, "x-feature"),
		confirm:         extension(declared.Extensions, "x-confirm"),
		OptionalSession: extension(declared.Extensions, "x-session") == "optional",
		writes:          declared.Extensions["x-writes"] == true,
		beforeChange:    extension(declared.Extensions, "x-session") == "mustChangePassword",
		owner:           declared.Extensions["x-owner"] == true,
		factor:          declared.Extensions["x-second-factor"] == true,
		home:            extension(declared.Extensions, "x-organization"),
		streamed:        extension(declared.Extensions, "x-body") == "stream",
		ownCursor:       extension(declared.Extensions, "x-cursor") == "own",
		sendsContent:    extension(declared.Extensions, "x-answer") == "stream",
		outside:         declared.Extensions["x-repeat"] == false,
		onlyEvents:      answersEvents(declared.Responses.Value("200")),
		replaces:        replacementOf(method, item, declared),
	}
	op.onlyFiles = answersFiles(declared.Responses.Value("200")) && !op.sendsContent
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
	result, err := compileBody(c, method, declared.RequestBody.Value)
	op.body = result
	return op, err
}

// add compiles a parameter. It returns an error for a parameter that no code would check.
func (op *Operation) add(c *compiler, declared *openapi3.Parameter) error {
	compiled, err := c.Compile(declared.Schema)
	if err != nil {
		return fmt.Errorf("parameter %s: %w", declared.Name, err)
	}
	described, err := c.of(declared.Schema)
	if err != nil {
		return fmt.Errorf("parameter %s: %w", declared.Name, err)
	}
	result := parameter{
		argument: described,
		name:     declared.Name, pointer: "/" + declared.In + "/" + declared.Name, required: declared.Required, schema: compiled,
		locate: extension(declared.Extensions, "x-locate"), subject: declared.Extensions["x-subject"] == true,
	}
	switch declared.In {
	case openapi3.ParameterInPath:
		op.inPath = append(op.inPath, result)
	case openapi3.ParameterInQuery:
		op.inQuery = append(op.inQuery, result)
	case openapi3.ParameterInHeader:
		op.inHeader = append(op.inHeader, result)
	default:
		return fmt.Errorf("%w: parameter %s is in %s", ErrContract, declared.Name, declared.In)
	}
	return nil
}

// compileBody compiles the body schemas of an operation by media type. Merge patches (RFC 7396) share
// the JSON schema.
func compileBody(c *compiler, method string, declared *openapi3.RequestBody) (*body, error) {
	result := &body{required: declared.Required, limit: JSONLimit}
	if extension(declared.Extensions, "x-body") == "raw" {
		result.raw, result.limit = true, RawLimit
	}
	for kind, media := range declared.Content {
		compiled, err := c.Compile(media.Schema)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		result.kinds = append(result.kinds, kind)
		switch kind {
		case MediaJSON:
			result.json = compiled
			if result.amounts, err = amountsOf(media.Schema, nil); err != nil {
				return nil, fmt.Errorf("body: %w", err)
			}
			if result.argument, err = c.of(media.Schema); err != nil {
				return nil, fmt.Errorf("body: %w", err)
			}
		case MediaForm:
			result.files, result.uploads, result.limit = compiled, true, FileLimit
		case mediaURLEncoded:
			result.fields = compiled
		case MediaZip, MediaCSV:
			result.uploads, result.limit = true, FileLimit
			if marked, ok := media.Extensions["x-marks"].(map[string]any); ok {
				if result.argument, err = marksOf(marked); err != nil {
					return nil, fmt.Errorf("body: %w", err)
				}
			}
		default:
			return nil, fmt.Errorf("%w: no body of type %s is known", ErrContract, kind)
		}
	}
	if method == "PATCH" && result.json != nil {
		result.kinds = append(result.kinds, mediaPatch)
	}
	return result, nil
}

// mediaEvents is the media type of a stream of events, which is not an export.
const mediaEvents = "text/event-stream"

// answersFiles reports whether the operation returns files only.
func answersFiles(answer *openapi3.ResponseRef) bool {
	return answer != nil && len(answer.Value.Content) > 0 && answer.Value.Content[MediaJSON] == nil &&
		answer.Value.Content[mediaEvents] == nil
}

// answersEvents reports whether the operation returns a stream of events.
func answersEvents(answer *openapi3.ResponseRef) bool {
	return answer != nil && answer.Value.Content[mediaEvents] != nil
}

// Reads reports whether the operation is read-only.
func (op *Operation) Reads() bool {
	return op.agent == agentRead || op.Method == http.MethodGet && !op.writes
}

// Streams reports whether the operation returns a stream of events.
func (op *Operation) Streams() bool { return op.onlyEvents }

// Repeatable reports whether a server may send the request again although an earlier attempt may have been executed: it changes
// nothing, or the command id makes both attempts one change.
func (op *Operation) Repeatable() bool {
	return op.Reads() || op.Takes(IdempotencyHeader) || op.Method != http.MethodPost && !op.outside
}

// open reports whether the operation can be used without a session.
func (op *Operation) open() bool {
	return op.Permission == PermissionPublic || op.Permission == PermissionGateway || op.OptionalSession
}

// canBeTried reports whether the operation supports dry runs.
func (op *Operation) canBeTried() bool {
	return slices.ContainsFunc(op.inQuery, func(p parameter) bool { return p.name == "dryRun" })
}

// Takes reports whether the operation declares the header.
func (op *Operation) Takes(header string) bool {
	for i := range op.inHeader {
		if strings.EqualFold(op.inHeader[i].name, header) {
			return true
		}
	}
	return false
}

// choosesFormat reports whether a parameter selects the format of the answer.
func (op *Operation) choosesFormat() bool {
	for i := range op.inQuery {
		if op.inQuery[i].name == "format" {
			return true
		}
	}
	return false
}

// Feature returns the switch of the operation; empty if it is always on.
func (op *Operation) Feature() string { return op.feature }

// FeatureBilling enables subscriptions.
const FeatureBilling = "billing"

// FeatureAgent enables the assistant.
const (
	FeatureAgent = "agent"
	// FeatureHooks enables inbound hooks.
	FeatureHooks = "hooks"
)

// FeatureDiagnostic enables the diagnostic operation, which is for development and tests.
const FeatureDiagnostic = "diagnostic"
