package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"equity/fault"
)

// File is an uploaded file.
type File struct {
	// Field is the name of the form field; empty if the file is the whole body. Name is the file name
	// from the client, without directories.
	Field, Name string
	// Content is the content, which may be in a temporary file. It is valid during the request.
	Content *io.SectionReader
	// SHA256 is the hash of the content in hexadecimal digits.
	SHA256 string
}

// Open returns a reader from the beginning of the file.
func (f File) Open() io.Reader {
	section := io.NewSectionReader(f.Content, 0, f.Content.Size())
	if kept, _, _ := f.Content.Outer(); kept != nil {
		if s, is := kept.(*spool); is && s.file != nil && s.of.directory != "" {
			return localFile{section, s.file}
		}
	}
	return section
}

// Bytes reads the file into memory.
func (f File) Bytes() ([]byte, error) {
	content := make([]byte, f.Content.Size())
	_, err := io.ReadFull(f.Open(), content)
	return content, err
}

// readBody reads and validates the body. The error is about the body as a whole, the faults about its
// fields.
func (c *Call) readBody(r *Request) (fault.Fields, error) {
	declared := c.Operation.body
	if declared == nil {
		return nil, nil
	}
	kind, parameters, mistyped := declared.mediaType(c.header)
	if mistyped != nil { // a body of an unsupported type is not read
		if empty, err := r.empty(); err != nil || !empty {
			return nil, cmp.Or(err, mistyped)
		}
	}
	if declared.uploads && kind != MediaJSON {
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
		return fault.Fields{{Code: "required", Message: "The request needs a body."}}, nil
	}
	if kind == mediaURLEncoded {
		c.Body, err = fieldsAsJSON(content)
		return declared.fields.Check(c.Body), err
	}
	c.Body = content
	if declared.raw {
		return nil, nil
	}
	return declared.json.Check(content), nil
}

// empty reports whether the request has no body. It reads at most one byte.
func (r *Request) empty() (empty bool, err error) {
	if r.Body == nil || r.Length >= 0 {
		return r.Body == nil || r.Length == 0, nil
	}
	err = r.receive(func() error {
		n, err := io.ReadFull(r.Body, make([]byte, 1))
		if empty = n == 0; errors.Is(err, io.EOF) {
			return nil
		}
		return Unreadable(err)
	})
	return empty, err
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
	if r.Length >= 0 && r.Length <= SmallBody { // the body is in memory already
		content := make([]byte, r.Length)
		_, err := io.ReadFull(r.Body, content)
		return content, Unreadable(err)
	}
	var content []byte
	err := r.receive(func() (err error) {
		content, err = readExpected(io.LimitReader(r.Body, limit+1), r.Length)
		return Unreadable(err)
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
	content, err := io.ReadAll(io.LimitReader(from, JSONLimit))
	if err != nil || len(content) < JSONLimit {
		return content, err
	}
	all := bytes.NewBuffer(make([]byte, 0, max(int(expected), 2*JSONLimit)+bytes.MinRead))
	_, _ = all.Write(content)
	_, err = all.ReadFrom(from)
	return all.Bytes(), err
}

// Unreadable converts the failure to read a body into an error for the client. It returns a fault.Error unchanged.
func Unreadable(err error) error {
	if _, known := errors.AsType[*fault.Error](err); known || err == nil {
		return err
	}
	return &fault.FailureError{Refusal: fault.Refuse(fault.Invalid, "The body is incomplete. Send the request again."), Cause: err}
}

func errTooLarge(limit int64) error {
	if limit < 1<<20 {
		return fault.Refuse(fault.TooLarge, fmt.Sprintf("The body is larger than %d KB.", limit>>10))
	}
	return fault.Refuse(fault.TooLarge, fmt.Sprintf("The body is larger than %d MB.", limit>>20))
}

// mediaType returns the media type of the body. It refuses a type that the operation does not accept.
func (b *body) mediaType(header func(name string) string) (string, map[string]string, error) {
	declared, encoding := header("Content-Type"), header("Content-Encoding")
	if declared == MediaJSON && b.json != nil && encoding == "" { // the common case
		return MediaJSON, nil, nil
	}
	kind, parameters, err := mime.ParseMediaType(declared)
	charset := strings.ToLower(parameters["charset"])
	if err != nil || !slices.Contains(b.kinds, kind) || charset != "" && charset != "utf-8" ||
		encoding != "" && encoding != "identity" {
		kinds := slices.Clone(b.kinds)
		slices.Sort(kinds)
		return "", nil, fault.Refuse(fault.MediaType, "Send the body as "+strings.Join(kinds, " or ")+", in UTF-8 and not compressed.")
	}
	return kind, parameters, nil
}

// SmallBody is the size up to which a body is read before the request takes a slot, so that a slow sender holds none.
const SmallBody = 64 << 10 // bytes

// TakesBody reports whether the operation accepts a body of the request's type. A body that cannot be used is not read.
func (op *Operation) TakesBody(r *http.Request) bool {
	if op.body == nil {
		return false
	}
	_, _, err := op.body.mediaType(r.Header.Get)
	return err == nil
}

// BodyLimit returns the maximum size of a body in bytes.
func (op *Operation) BodyLimit() int64 { return op.body.limit }

// RestLimit returns the size up to which the rest of a refused upload is read, in bytes: that of one more file, or twice the largest upload if
// it consists of a single file.
func (op *Operation) RestLimit() int64 {
	if op.body.each > 0 {
		return op.body.each
	}
	return 2 * op.body.limit //nolint:mnd // twice
}
