package http

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"

	"equity/captable"
)

// File is one uploaded file.
type File struct {
	// Field is the form's field, empty when the file was the whole body; Name is as the
	// caller's, without folders.
	Field, Name string
	Content     []byte
}

// readBody reads and checks what was sent. An error is about the body as a whole,
// the faults about what is in it.
func (c *Call) readBody(r *Request) (captable.Faults, error) {
	declared := c.operation.body
	if declared == nil {
		return nil, nil
	}
	kind, parameters, mistyped := c.mediaType(declared)
	if mistyped != nil && !r.empty() { // what cannot be used is not read
		return nil, mistyped
	}
	content, err := readAll(r, declared.limit)
	if err != nil {
		return nil, err
	}
	if len(content) == 0 {
		if !declared.required {
			return nil, nil
		}
		return captable.Faults{{Code: "required", Message: "The request needs a body."}}, nil
	}
	switch kind {
	case mediaForm:
		return c.readForm(content, parameters["boundary"])
	case mediaURLEncoded:
		return c.readFields(content)
	case mediaZip, mediaCSV:
		c.Files, c.Body = []File{{Content: content}}, content
		return nil, nil
	}
	c.Body = content
	return declared.json.Check(content), nil
}

// empty reports whether the request has no body. It reads no more than a byte to find out.
func (r *Request) empty() bool {
	if r.Body == nil || r.Length >= 0 {
		return r.Body == nil || r.Length == 0
	}
	n, _ := io.ReadFull(r.Body, make([]byte, 1))
	return n == 0
}

// readAll reads the body. Room for much is made only as it arrives: that it will is but
// the caller's word.
func readAll(r *Request, limit int64) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	if r.Length > limit {
		return nil, errTooLarge(limit)
	}
	if r.Length >= 0 && r.Length <= smallBody { // it is in memory
		content := make([]byte, r.Length)
		_, err := io.ReadFull(r.Body, content)
		return content, unreadable(err)
	}
	var content []byte
	err := r.receive(func() (err error) {
		content, err = io.ReadAll(io.LimitReader(r.Body, limit+1))
		return unreadable(err)
	})
	if int64(len(content)) > limit {
		return nil, errTooLarge(limit)
	}
	return content, err
}

func (r *Request) receive(read func() error) error {
	if r.Receive == nil {
		return read()
	}
	return r.Receive(read)
}

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &failure{refusal: captable.Refuse(captable.CodeInvalid, "The body could not be read to its end."), cause: err}
}

func errTooLarge(limit int64) error {
	return captable.Refuse(codeTooLarge, fmt.Sprintf("The body is larger than %d MB.", limit>>20))
}

// mediaType reads the body's type and refuses one that the operation does not take.
func (c *Call) mediaType(declared *body) (string, map[string]string, error) {
	header, encoding := c.header("Content-Type"), c.header("Content-Encoding")
	if header == mediaJSON && declared.json != nil && encoding == "" { // what nearly everybody sends
		return mediaJSON, nil, nil
	}
	kind, parameters, err := mime.ParseMediaType(header)
	charset := strings.ToLower(parameters["charset"])
	if err != nil || !slices.Contains(declared.kinds, kind) || charset != "" && charset != "utf-8" ||
		encoding != "" && encoding != "identity" {
		kinds := slices.Clone(declared.kinds)
		slices.Sort(kinds)
		return "", nil, captable.Refuse(codeMediaType, "Send the body as "+strings.Join(kinds, " or ")+", in UTF-8 and not compressed.")
	}
	return kind, parameters, nil
}

const mostFiles = 1000

func badForm(cause error) error {
	return &failure{
		refusal: captable.Refuse(captable.CodeInvalid, "The form is not well formed, ends too early, or has too many parts."), cause: cause,
	}
}

// readForm reads the files of a form.
func (c *Call) readForm(content []byte, boundary string) (captable.Faults, error) {
	var faults captable.Faults
	reader := multipart.NewReader(bytes.NewReader(content), boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(c.Files) == mostFiles {
			return nil, badForm(err)
		}
		if !slices.Contains(c.operation.body.files.Fields(), part.FormName()) {
			faults.Add("/"+part.FormName(), "unknownField", "There is no such field here.")
			continue
		}
		file, err := io.ReadAll(part)
		if err != nil {
			return nil, badForm(err)
		}
		c.Files = append(c.Files, File{Field: part.FormName(), Name: part.FileName(), Content: file})
	}
	if len(c.Files) == 0 && len(faults) == 0 {
		return nil, captable.Refuse(codeMissingFile, "The form has no file in it.")
	}
	c.Body = content
	return faults, nil
}
