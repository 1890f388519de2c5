// Package fault declares the refusals that callers see: codes, errors and invalid fields. It imports no other package.
package fault

import (
	"maps"
	"slices"
	"strings"
)

// Field describes one invalid field of a command.
type Field struct {
	// Pointer is the JSON pointer of the field in the body, such as /consideration/cash.
	Pointer string `json:"pointer"`
	// Code is a stable code, such as required, unknownReference or notWhole.
	Code string `json:"code"`
	// Message is a sentence for the user.
	Message string `json:"message"`
}

// Error is a refusal. It contains no confidential data and may be shown to the caller.
type Error struct {
	Code    Code
	Message string
	// Fields lists all invalid fields. It is nil if the refusal does not concern a field.
	Fields []Field
	// Details contains the figures of the refusal by name, such as available. It may be nil.
	Details map[string]string
}

// Error returns the message followed by the messages of the fields.
func (e *Error) Error() string {
	if len(e.Fields) == 0 {
		return e.Message
	}
	parts := make([]string, 0, len(e.Fields))
	for _, field := range e.Fields {
		parts = append(parts, strings.TrimPrefix(field.Pointer+": ", ": ")+field.Message)
	}
	return e.Message + ": " + strings.Join(parts, "; ")
}

// Refuse returns an [Error] without fields.
func Refuse(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// With returns a copy of the error with one more detail. The original may be shared and is not
// changed.
func (e *Error) With(name, value string) *Error {
	with := *e
	with.Details = maps.Clone(e.Details)
	if with.Details == nil {
		with.Details = map[string]string{}
	}
	with.Details[name] = value
	return &with
}

// At returns the error with the invalid field; unchanged if the pointer is empty.
func (e *Error) At(pointer, code, message string) *Error {
	if pointer == "" {
		return e
	}
	with := *e
	with.Fields = []Field{{Pointer: pointer, Code: code, Message: message}}
	return &with
}

// Fields collects the invalid fields of a command, so that all are reported together.
type Fields []Field //nolint:recvcheck // Add grows the list, Err only reads it

// Add appends an invalid field.
func (f *Fields) Add(pointer, code, message string) {
	*f = append(*f, Field{Pointer: pointer, Code: code, Message: message})
}

// Err returns an [Error] that lists the faults, or nil if the list is empty.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: "Some fields are not valid.", Fields: f}
}

// WithIndependent returns the faults followed by those of the others that are independent of them. A
// fault of the same field, of a parent or of a child is a consequence and is left out. A field
// that does not belong to a type is also left out if the type itself is invalid.
func (f Fields) WithIndependent(others Fields) Fields {
	all := slices.Clip(f)
	for _, other := range others {
		if !slices.ContainsFunc(f, other.follows) {
			all = append(all, other)
		}
	}
	return all
}

// follows reports whether this fault is a consequence of the other one.
func (e Field) follows(other Field) bool {
	about := other.Pointer
	if holder, ok := strings.CutSuffix(about, "/member"); ok && e.Pointer == holder+"/entity" {
		return true // a missing member is reported as a missing entity
	}
	in := strings.HasPrefix(e.Pointer+"/", about+"/") || strings.HasPrefix(about+"/", e.Pointer+"/")
	return in || other.Code == "enum" && strings.HasPrefix(e.Code, "notOf")
}

// Within returns the faults with the given prefix removed from their pointers, so that they
// refer to the part itself.
func (f Fields) Within(pointer string) Fields {
	parts := make(Fields, len(f))
	for i, field := range f {
		field.Pointer = strings.TrimPrefix(field.Pointer, pointer)
		parts[i] = field
	}
	return parts
}
