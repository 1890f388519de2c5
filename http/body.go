package http

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"

	"equity/captable"
)

// File is an uploaded file.
type File struct {
	// Field is the name of the form field; empty if the file is the whole body. Name is the file name
	// from the client, without directories.
	Field, Name string
	// Content is the content, which may be in a temporary file. It is valid during the request.
	Content *io.SectionReader
}

// open returns a reader from the beginning of the file.
func (f File) open() io.Reader { return io.NewSectionReader(f.Content, 0, f.Content.Size()) }

// bytes reads the file into memory.
func (f File) bytes() ([]byte, error) {
	content := make([]byte, f.Content.Size())
	_, err := io.ReadFull(f.open(), content)
	return content, err
}

// readBody reads and validates the body. The error is about the body as a whole, the faults about its
// fields.
func (c *Call) readBody(r *Request) (captable.Faults, error) {
	declared := c.operation.body
	if declared == nil {
		return nil, nil
	}
	kind, parameters, mistyped := c.mediaType(declared)
	if mistyped != nil && !r.empty() { // a body of an unsupported type is not read
		return nil, mistyped
	}
	if declared.uploads && kind != mediaJSON {
		return c.readUpload(r, kind, parameters["boundary"])
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
	if kind == mediaURLEncoded {
		return c.readFields(content)
	}
	c.Body = content
	return declared.json.Check(content), nil
}

// empty reports whether the request has no body. It reads at most one byte.
func (r *Request) empty() bool {
	if r.Body == nil || r.Length >= 0 {
		return r.Body == nil || r.Length == 0
	}
	n, _ := io.ReadFull(r.Body, make([]byte, 1))
	return n == 0
}

// readAll reads the body. Buffers grow as data arrives, because Content-Length is only a claim of the
// client.
func readAll(r *Request, limit int64) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	if r.Length > limit {
		return nil, errTooLarge(limit)
	}
	if r.Length >= 0 && r.Length <= smallBody { // the body is in memory already
		content := make([]byte, r.Length)
		_, err := io.ReadFull(r.Body, content)
		return content, unreadable(err)
	}
	var content []byte
	err := r.receive(func() (err error) {
		content, err = readExpected(io.LimitReader(r.Body, limit+1), r.Length)
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

// readExpected reads to the end. After the first megabyte it allocates the expected size at once,
// because growing step by step would hold the data twice. Slots bound the number of such bodies.
func readExpected(from io.Reader, expected int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, jsonLimit))
	if err != nil || len(content) < jsonLimit {
		return content, err
	}
	all := bytes.NewBuffer(make([]byte, 0, max(int(expected), 2*jsonLimit)+bytes.MinRead))
	_, _ = all.Write(content)
	_, err = all.ReadFrom(from)
	return all.Bytes(), err
}

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &failure{refusal: captable.Refuse(captable.CodeInvalid, "The body ended too early."), cause: err}
}

func errTooLarge(limit int64) error {
	return captable.Refuse(codeTooLarge, fmt.Sprintf("The body is larger than %d MB.", limit>>20))
}

// mediaType returns the media type of the body. It refuses a type that the operation does not accept.
func (c *Call) mediaType(declared *body) (string, map[string]string, error) {
	header, encoding := c.header("Content-Type"), c.header("Content-Encoding")
	if header == mediaJSON && declared.json != nil && encoding == "" { // the common case
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
