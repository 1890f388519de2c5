package api

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"slices"

	"equity/fault"
)

// mostFiles bounds the parts of a form.
const mostFiles = 1000

// badForm returns the error of a form that cannot be read. It returns a fault.Error unchanged.
func badForm(cause error) error {
	if _, known := errors.AsType[*fault.Error](cause); known {
		return cause
	}
	return &fault.FailureError{
		Refusal: fault.Refuse(fault.Invalid, "Send a complete multipart form with at most 1,000 parts."), Cause: cause,
	}
}

// readUpload reads the files of the body into spools, which the request closes at its end.
func (c *Call) readUpload(r *Request, kind, boundary string) (faults fault.Fields, err error) {
	limit := c.Operation.body.limit
	if r.Length > limit {
		return nil, errTooLarge(limit)
	}
	if r.Body == nil {
		return required(), nil
	}
	c.upload = &spools{directory: c.uploads, large: r.Length > spoolMemory}
	body := &counted{from: io.LimitReader(r.Body, limit+1)}
	err = r.receive(func() error {
		if kind == MediaForm {
			faults, err = c.readForm(body, boundary)
			return err
		}
		part, err := c.upload.add(true)
		if err != nil {
			return err
		}
		sum, err := part.receive(body)
		c.Files = []File{{Content: part.content(), SHA256: sum}}
		return Unreadable(err)
	})
	switch {
	case body.read > limit:
		return nil, errTooLarge(limit)
	case body.read == 0:
		c.Files = nil
		return required(), nil
	}
	return faults, err
}

func required() fault.Fields {
	return fault.Fields{{Code: "required", Message: "The request needs a body."}}
}

// counted counts the bytes that were read.
type counted struct {
	from io.Reader
	read int64
}

// Read reads from the underlying reader.
func (c *counted) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	c.read += int64(n)
	return n, err
}

// keep receives a part and returns its hash. It stops at the limit of a file.
func keep(c *Call, kept *spool, part io.Reader) (sum string, err error) {
	each := c.Operation.body.each
	if each > 0 {
		part = io.LimitReader(part, each+1)
	}
	if sum, err = kept.receive(part); err != nil {
		return "", badForm(err)
	}
	if each > 0 && kept.size > each {
		return "", fault.Refuse(fault.TooLarge, fmt.Sprintf("The file is larger than %d MB.", each>>20))
	}
	return sum, nil
}

// readForm reads the files of a multipart form. Its fields are files too.
func (c *Call) readForm(body io.Reader, boundary string) (fault.Fields, error) {
	var faults fault.Fields
	reader := multipart.NewReader(body, boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(c.Files) == mostFiles {
			return nil, badForm(err)
		}
		if !slices.Contains(c.Operation.body.files.Fields(), part.FormName()) {
			faults.Add("/"+part.FormName(), "unknownField", "This field does not exist.")
			continue
		}
		kept, err := c.upload.add(part.FileName() != "")
		if err != nil {
			return nil, err
		}
		sum, err := keep(c, kept, part)
		if err != nil {
			return nil, err
		}
		c.Files = append(c.Files, File{Field: part.FormName(), Name: part.FileName(), Content: kept.content(), SHA256: sum})
	}
	_, _ = io.Copy(io.Discard, body) // a broken connection fails for the answer too
	if len(c.Files) == 0 && len(faults) == 0 {
		return nil, fault.Refuse(fault.MissingFile, "The form has no file. Send at least one file.")
	}
	return faults, nil
}
