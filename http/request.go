package http

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"equity/captable"
	"equity/organization"
)

// Request is a wish to run an operation, whoever transports it.
type Request struct {
	// Operation is the operationId of the contract.
	Operation string
	Caller    Caller
	// ID names the request in logs and answers.
	ID string
	At time.Time
	// Path holds the parameters of the path, RawQuery the query as it was sent.
	Path     map[string]string
	RawQuery string
	// Header gives a header of the request; empty when it is absent.
	Header func(name string) string
	// Body is what was sent, and Length how long it says it is, -1 when it does not say;
	// nil for none.
	Body   io.Reader
	Length int64
	// Receive runs a wait for the rest of a large body; nil runs it directly.
	Receive func(read func() error) error
}

// check reads everything that the request carries and gives all faults at once.
func (s *Server) check(c *Call, r *Request) error {
	faults := c.checkQuery(r.RawQuery)
	faults = append(faults, c.checkHeaders()...)
	inBody, err := c.bodyOnce(r)
	if err != nil {
		return err
	}
	return wrongFields(append(faults, inBody...))
}

// wrongFields makes the refusal that lists the faults; nil when there are none.
func wrongFields(faults captable.Faults) error {
	if len(faults) == 0 {
		return nil
	}
	message := someFields
	for _, fault := range faults {
		if fault.Code == "syntax" && !strings.HasPrefix(fault.Pointer, "/query") {
			message = "The body is not valid JSON."
		}
	}
	return &captable.Error{Code: captable.CodeInvalid, Message: message, Fields: faults}
}

// checkPath checks the parameters of the path.
func (c *Call) checkPath() error {
	var faults captable.Faults
	for i := range c.operation.inPath {
		p := &c.operation.inPath[i]
		faults = append(faults, p.schema.CheckText(p.pointer, c.path[p.name])...)
	}
	return wrongFields(faults)
}

// checkQuery checks the query: a misspelled asOf must not answer for today.
func (c *Call) checkQuery(raw string) captable.Faults {
	c.rawQuery = raw
	var faults captable.Faults
	if raw != "" {
		values, err := url.ParseQuery(raw)
		if err != nil {
			faults.Add("/query", "syntax", "The query is not well formed.")
		}
		c.query = make(map[string]string, len(values))
		for name, list := range values {
			faults = append(faults, c.checkQueryValue(name, list)...)
		}
	}
	for i := range c.operation.inQuery {
		p := &c.operation.inQuery[i]
		if _, there := c.query[p.name]; p.required && !there {
			faults.Add(p.pointer, "required", "The parameter is required.")
		}
	}
	return faults
}

func (c *Call) checkQueryValue(name string, list []string) captable.Faults {
	var faults captable.Faults
	for i := range c.operation.inQuery {
		p := &c.operation.inQuery[i]
		if p.name != name {
			continue
		}
		c.query[name] = list[0]
		if len(list) > 1 {
			faults.Add(p.pointer, "duplicateField", "The parameter is there twice.")
		}
		return append(faults, p.schema.CheckText(p.pointer, list[0])...)
	}
	const longestEcho = 100 // of what the caller sent
	faults.Add("/query/"+name[:min(len(name), longestEcho)], "unknownField", "There is no such parameter here.")
	return faults
}

func (c *Call) checkHeaders() captable.Faults {
	var faults captable.Faults
	for i := range c.operation.inHeader {
		p := &c.operation.inHeader[i]
		if value := c.header(p.name); value != "" {
			faults = append(faults, p.schema.CheckText(p.pointer, value)...)
		}
	}
	return faults
}

// place finds the organization that the path leads to, and the caller's standing in
// it. Somebody else's record is answered exactly like one that does not exist;
// somebody else's organization, which the caller named, is refused.
func (s *Server) place(ctx context.Context, c *Call, r *Request) error {
	switch c.operation.home {
	case homeInBody:
		return s.placeByBody(ctx, c, r)
	case homeInForm:
		return s.placeByForm(ctx, c, r)
	}
	for i := range c.operation.inPath {
		switch p := &c.operation.inPath[i]; {
		case p.subject:
			return s.stand(ctx, c, pathID[captable.Entity](c, p.name))
		case p.name == "organization":
			return s.enter(ctx, c, pathOrganization(c), errNotMember())
		case p.locate != "":
			id, _ := captable.ParseID[struct{}](c.path[p.name])
			home, kind, err := s.locator.locate(ctx, id)
			if err != nil {
				return unavailable(err)
			}
			if kind != p.locate {
				return errNotFound()
			}
			return s.enter(ctx, c, home, errNotFound())
		}
	}
	return nil
}

// placeByBody enters the organization that the body names. So the body is read before it
// is known whether the caller may do this at all; what is wrong with the rest of it
// is told only to those who may.
func (s *Server) placeByBody(ctx context.Context, c *Call, r *Request) error {
	faults, err := c.bodyOnce(r)
	if err != nil {
		return err
	}
	var named struct {
		Organization organization.ID `json:"organization"`
	}
	if len(c.Body) == 0 || json.Unmarshal(c.Body, &named) != nil || named.Organization.IsZero() {
		if len(faults) == 0 { // as a merge patch may be null
			faults.Add("/organization", "required", "The organization must be named.")
		}
		return wrongFields(faults)
	}
	return s.enter(ctx, c, named.Organization, errNotMember())
}

// placeByForm enters the organization that the query names, before the files are read; or else the one that a field of
// the form does.
func (s *Server) placeByForm(ctx context.Context, c *Call, r *Request) error {
	values, _ := url.ParseQuery(r.RawQuery) // what is wrong with it is told later
	named := values.Get("organization")
	if named == "" {
		if faults, err := c.bodyOnce(r); err != nil || len(faults) > 0 {
			return errors.Join(err, wrongFields(faults))
		}
		for _, file := range c.Files {
			if file.Field == "organization" {
				named = strings.TrimSpace(string(file.Content))
			}
		}
	}
	id, err := captable.ParseID[organization.Organization](named)
	if err != nil || id.IsZero() {
		return wrongField("/organization", "required", "The organization must be named by its id.")
	}
	return s.enter(ctx, c, id, errNotMember())
}

// bodyChecked is a body that was read, and what is wrong with it.
type bodyChecked struct {
	faults captable.Faults
	err    error
}

// bodyOnce reads the body when it is first asked for.
func (c *Call) bodyOnce(r *Request) (captable.Faults, error) {
	if c.inBody == nil {
		faults, err := c.readBody(r)
		c.inBody = &bodyChecked{faults, err}
	}
	return c.inBody.faults, c.inBody.err
}
