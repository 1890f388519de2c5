package ocf

import (
	"errors"
	"io"
)

// Limits bound a package. They are checked in a streaming pass before any content is kept. A
// package beyond them therefore needs no memory in proportion to its size.
type Limits struct {
	// Bytes bounds the total size of the unpacked JSON files.
	Bytes int64
	// Files bounds the number of JSON files.
	Files int
	// Objects bounds the number of objects in all files.
	Objects int
	// ObjectBytes bounds the size of one object.
	ObjectBytes int
	// Depth bounds the nesting of objects and lists.
	Depth int
}

// DefaultLimits returns limits for several times the size of a company with 100,000
// shareholdings.
func DefaultLimits() Limits {
	return Limits{Bytes: 256 << 20, Files: 1_000, Objects: 600_000, ObjectBytes: 256 << 10, Depth: 32}
}

var (
	errTooLarge = errors.New("the package is too large")
	errTooMany  = errors.New("the package has too many objects")
	errTooLong  = errors.New("an object is too long")
	errTooDeep  = errors.New("an object is nested too deeply")
)

// objectDepth is the nesting depth around the items of a file: a list within an object.
const objectDepth = 2

// gauge measures streamed files against the limits.
type gauge struct {
	limits   Limits
	bytes    int64
	elements int
}

// measure reads a file to its end. It uses a single buffer.
func (g *gauge) measure(r io.Reader) error {
	buffer := make([]byte, 64<<10)
	t := tally{gauge: g}
	for {
		n, err := r.Read(buffer)
		if g.bytes += int64(n); g.bytes > g.limits.Bytes {
			return errTooLarge
		}
		for _, c := range buffer[:n] {
			if err := t.next(c); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// tally is the scanner state within one file. Invalid JSON is detected later; here it only
// has to stay within the limits.
type tally struct {
	*gauge
	depth, length   int
	quoted, escaped bool
}

func (t *tally) next(c byte) error {
	if t.length++; t.length > t.limits.ObjectBytes {
		return errTooLong
	}
	if t.quoted {
		t.quoted, t.escaped = t.escaped || c != '"', !t.escaped && c == '\\'
		return nil
	}
	switch c {
	case '"':
		t.quoted = true
	case '{', '[':
		if t.depth++; t.depth > t.limits.Depth {
			return errTooDeep
		}
		return t.element(t.depth == objectDepth+1)
	case '}', ']':
		t.depth--
	case ',':
		return t.element(t.depth == objectDepth)
	}
	return nil
}

// element starts a list element of the file. An object is counted both by its opening bracket
// and by the preceding comma, so that lists of other values are bounded too.
func (t *tally) element(begins bool) error {
	if !begins {
		return nil
	}
	t.length = 0
	if t.elements++; t.elements > 2*t.limits.Objects {
		return errTooMany
	}
	return nil
}
