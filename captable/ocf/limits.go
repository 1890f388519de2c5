package ocf

import (
	"errors"
	"io"
)

// Limits bound a package. They are checked while its files stream by, before anything is
// kept: a package beyond them costs no memory in proportion to its size.
type Limits struct {
	// Bytes bounds the unpacked JSON files together.
	Bytes int64
	// Files bounds the JSON files.
	Files int
	// Objects bounds the objects together.
	Objects int
	// ObjectBytes bounds one object.
	ObjectBytes int
	// Depth bounds the nesting of objects and lists.
	Depth int
}

// DefaultLimits hold a company of 100,000 shareholdings several times.
func DefaultLimits() Limits {
	return Limits{Bytes: 256 << 20, Files: 1_000, Objects: 600_000, ObjectBytes: 256 << 10, Depth: 32}
}

var (
	errTooLarge = errors.New("the package is too large")
	errTooMany  = errors.New("the package has too many objects")
	errTooLong  = errors.New("an object is too long")
	errTooDeep  = errors.New("an object is nested too deeply")
)

// objectDepth is the nesting of the items of a file: they are in a list in an object.
const objectDepth = 2

// gauge measures files as they stream by, within limits.
type gauge struct {
	limits   Limits
	bytes    int64
	elements int
}

// measure reads a file to its end and returns its size. It keeps nothing but one buffer.
func (g *gauge) measure(r io.Reader) (size int64, err error) {
	buffer := make([]byte, 64<<10)
	t := tally{gauge: g}
	for {
		n, err := r.Read(buffer)
		size += int64(n)
		if g.bytes += int64(n); g.bytes > g.limits.Bytes {
			return size, errTooLarge
		}
		for _, c := range buffer[:n] {
			if err := t.next(c); err != nil {
				return size, err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return size, nil
		case err != nil:
			return size, err
		}
	}
}

// tally is the place in one file. What is no JSON is found later; here it only has to stay
// within the limits.
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

// element begins an element of a list of the file. An object counts by its bracket and by
// the comma before it, so that lists of anything else are bounded too.
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
