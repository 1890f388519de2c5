package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// Request is a request for an operation, independent of the transport.
type Request struct {
	// Operation is the operationId of the contract.
	Operation string
	Caller    Caller
	// ID identifies the request in logs and answers.
	ID string
	At time.Time
	// Path holds the path parameters. RawQuery is the encoded query.
	Path     map[string]string
	RawQuery string
	// Header returns a request header; empty if it is absent.
	Header func(name string) string
	// Body is the request body; nil without a body. Length is its declared length; -1 if undeclared.
	Body   io.Reader
	Length int64
	// Within confines the request to an organization; the zero ID permits all.
	Within organization.ID
	// Admit may refuse the request after all checks, before the handler; nil admits it. The organization is zero if the request has none.
	Admit func(ctx context.Context, in organization.ID) error
	// Route may refuse the request when its organization is known, because another server answers it; nil answers all. Read reports that the
	// body was read before.
	Route func(id organization.ID, read bool) error
	// Forwarded reports that another server has counted the request already.
	Forwarded bool
	// Repeated reports that an earlier attempt with the same command id may have been executed.
	Repeated bool
	// CheckOnly ends the request before the handler, after all checks.
	CheckOnly bool
	// Receive runs the function that reads the rest of a large body; nil calls it directly.
	Receive func(read func() error) error
}

// unified rewrites the amounts of the body. The faults of the body report its syntax.
func unified(c *Call) fault.Fields {
	of := c.Operation.body.amounts
	if of == nil || c.View == nil || !json.Valid(c.Body) {
		return nil
	}
	written, faults := of.unify(c.Body, c.Present.State.Profile().Currency)
	if !bytes.Equal(written, c.Body) {
		c.asSent, c.Body = c.Body, written
	}
	return faults
}

// check validates the whole request and returns all faults in one error.
func (s *Kernel) check(ctx context.Context, c *Call, r *Request) error {
	faults := c.checkQuery(r.RawQuery)
	faults = append(faults, c.Operation.checkHeaders(c.header)...)
	inBody, err := c.bodyOnce(r)
	var amounts fault.Fields
	if err == nil && len(c.Body) > 0 {
		amounts = unified(c)
	}
	if err == nil && c.Operation.replaces != nil && len(c.Body) > 0 {
		c.unchanged, inBody, err = readback{s, c, r}.accept(ctx, inBody)
		c.inBody.faults = inBody
	}
	inBody = append(inBody, amounts...)
	if err != nil {
		return err
	}
	return WrongFields(append(faults, inBody...))
}

// WrongFields returns an error with the faults; nil without faults.
func WrongFields(faults fault.Fields) error {
	if len(faults) == 0 {
		return nil
	}
	message := someFields
	for _, problem := range faults {
		if problem.Code == "syntax" && !strings.HasPrefix(problem.Pointer, "/query") {
			message = "The body is not valid JSON."
		}
	}
	return &fault.Error{Code: fault.Invalid, Message: message, Fields: faults}
}

func (op *Operation) checkPath(path map[string]string) error {
	var faults fault.Fields
	for i := range op.inPath {
		p := &op.inPath[i]
		faults = append(faults, p.schema.CheckText(p.pointer, path[p.name])...)
	}
	return WrongFields(faults)
}

// checkQuery checks the query. Unknown parameters are refused, because a misspelled asOf would answer
// for today.
func (c *Call) checkQuery(raw string) fault.Fields {
	c.rawQuery = raw
	var faults fault.Fields
	if raw != "" {
		values, err := url.ParseQuery(raw)
		if err != nil {
			faults.Add("/query", "syntax", "The query must be URL-encoded: write % as %25 and ; as %3B.")
		}
		c.query = make(map[string]string, len(values))
		for name, list := range values {
			faults = append(faults, c.Operation.checkQueryValue(name, list, c.query)...)
		}
	}
	for i := range c.Operation.inQuery {
		p := &c.Operation.inQuery[i]
		if _, there := c.query[p.name]; p.required && !there {
			faults.Add(p.pointer, "required", "The parameter is required.")
		}
	}
	return faults
}

// checkQueryValue checks the values of one parameter and adds the first one to the query.
func (op *Operation) checkQueryValue(name string, list []string, query map[string]string) fault.Fields {
	var faults fault.Fields
	for i := range op.inQuery {
		p := &op.inQuery[i]
		if p.name != name {
			continue
		}
		query[name] = list[0]
		if len(list) > 1 {
			faults.Add(p.pointer, "duplicateField", "The parameter must not be repeated.")
		}
		return append(faults, p.schema.CheckText(p.pointer, list[0])...)
	}
	const longestEcho = 100 // characters of the unknown name
	faults.Add("/query/"+name[:min(len(name), longestEcho)], "unknownField", "This parameter does not exist.")
	return faults
}

func (op *Operation) checkHeaders(header func(name string) string) fault.Fields {
	var faults fault.Fields
	for i := range op.inHeader {
		p := &op.inHeader[i]
		if value := header(p.name); value != "" {
			faults = append(faults, p.schema.CheckText(p.pointer, value)...)
		}
	}
	return faults
}

// kindFile is the kind of a file. Files of profiles are outside of organizations.
const kindFile = "file"

// place determines the organization of the path and the caller's standing in it. A record in a foreign
// organization is answered like an unknown record; a foreign organization itself is refused.
func (s *Kernel) place(ctx context.Context, c *Call, r *Request) error {
	switch c.Operation.home {
	case homeInBody:
		return s.placeByBody(ctx, c, r)
	case homeInForm:
		return s.placeByForm(ctx, c, r)
	}
	for i := range c.Operation.inPath {
		switch p := &c.Operation.inPath[i]; {
		case p.subject:
			return s.stand(ctx, c, PathID[captable.Entity](c, p.name))
		case p.name == "organization":
			return s.enter(ctx, c, pathOrganization(c), NotMember())
		case p.locate != "":
			id, _ := captable.ParseID[struct{}](c.path[p.name])
			home, kind, err := s.Locator.Locate(ctx, id)
			if err != nil {
				return Unavailable(err)
			}
			if kind == "" && p.locate == kindFile {
				return s.standByFile(ctx, c, id)
			}
			if kind != p.locate {
				return NotFound()
			}
			return s.enter(ctx, c, home, NotFound())
		}
	}
	return nil
}

// placeByBody enters the organization that the body names. The body is therefore read before the
// permission check; its other faults are reported only to permitted callers.
func (s *Kernel) placeByBody(ctx context.Context, c *Call, r *Request) error {
	faults, err := c.bodyOnce(r)
	if err != nil {
		return err
	}
	var named struct {
		Organization organization.ID `json:"organization"`
	}
	if len(c.Body) == 0 || json.Unmarshal(c.Body, &named) != nil || named.Organization.IsZero() {
		if len(faults) == 0 { // a merge patch may set the field to null
			faults.Add("/organization", "required", "The organization is required.")
		}
		return WrongFields(faults)
	}
	return s.enter(ctx, c, named.Organization, NotMember())
}

// placeByForm enters the organization in the query, before the files are read; else the one in a form
// field.
func (s *Kernel) placeByForm(ctx context.Context, c *Call, r *Request) error {
	values, _ := url.ParseQuery(r.RawQuery) // errors in it are reported later
	named := values.Get("organization")
	if named == "" {
		if faults, err := c.bodyOnce(r); err != nil || len(faults) > 0 {
			return errors.Join(err, WrongFields(faults))
		}
		for _, file := range c.Files {
			if file.Field == "organization" {
				text, _ := io.ReadAll(io.LimitReader(file.Open(), SmallBody))
				named = strings.TrimSpace(string(text))
			}
		}
	}
	id, err := captable.ParseID[organization.Organization](named)
	if err != nil || id.IsZero() {
		return WrongField("/organization", "required", "The id of the organization is required.")
	}
	return s.enter(ctx, c, id, NotMember())
}

// bodyChecked is the result of reading a body.
type bodyChecked struct {
	faults fault.Fields
	err    error
}

// bodyOnce reads the body on the first call.
func (c *Call) bodyOnce(r *Request) (fault.Fields, error) {
	if c.inBody == nil {
		faults, err := c.readBody(r)
		c.inBody = &bodyChecked{faults, err}
	}
	return c.inBody.faults, c.inBody.err
}

// CheckBody returns the faults of a JSON body of an operation.
func (s *Kernel) CheckBody(operation string, body []byte) fault.Fields {
	return s.operations[operation].body.json.Check(body)
}
