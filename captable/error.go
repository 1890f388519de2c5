package captable

import (
	"maps"
	"slices"
	"strings"
)

// Code is the kind of a refusal. Clients branch on codes, so codes are stable: they may be
// added but never changed or removed.
type Code string

// The codes of the refusals of the cap table.
const (
	// CodeInvalid refuses a command with invalid fields. Fields lists all of them.
	CodeInvalid Code = "invalidFields"
	// CodeNotFound refuses a command that refers to a record that does not exist.
	CodeNotFound Code = "resourceNotFound"
	// CodeConflict refuses a change that the present state does not allow.
	CodeConflict Code = "conflict"
	// CodeInsufficientShares refuses to issue, transfer or end more shares than are available.
	CodeInsufficientShares Code = "insufficientShares"
	// CodeHasResults refuses to void or correct a record from which other records result.
	CodeHasResults Code = "hasResults"
	// CodeInUse refuses to delete a record with references.
	CodeInUse Code = "inUse"
	// CodeStale refuses a change based on an older version of the record.
	CodeStale Code = "stale"
)

// FieldError describes one invalid field of a command.
type FieldError struct {
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
	Fields []FieldError
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

// Faults collects the invalid fields of a command, so that all are reported together.
type Faults []FieldError //nolint:recvcheck // Add grows the list, Err only reads it

// Add appends an invalid field.
func (f *Faults) Add(pointer, code, message string) {
	*f = append(*f, FieldError{Pointer: pointer, Code: code, Message: message})
}

// Err returns an [Error] that lists the faults, or nil if the list is empty.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: "Some fields are not valid.", Fields: f}
}

// AppendIndependent returns the faults followed by those of the others that are independent of them. A
// fault of the same field, of a parent or of a child is a consequence and is left out. A field
// that does not belong to a type is also left out if the type itself is invalid.
func (f Faults) AppendIndependent(others Faults) Faults {
	all := slices.Clip(f)
	for _, other := range others {
		if !slices.ContainsFunc(f, other.follows) {
			all = append(all, other)
		}
	}
	return all
}

// follows reports whether this fault is a consequence of the other one.
func (e FieldError) follows(other FieldError) bool {
	about := other.Pointer
	if holder, ok := strings.CutSuffix(about, "/member"); ok && e.Pointer == holder+"/entity" {
		return true // a missing member is reported as a missing entity
	}
	in := strings.HasPrefix(e.Pointer+"/", about+"/") || strings.HasPrefix(about+"/", e.Pointer+"/")
	return in || other.Code == "enum" && strings.HasPrefix(e.Code, "notOf")
}

// within returns the faults with the given prefix removed from their pointers, so that they
// refer to the part itself.
func (f Faults) within(pointer string) Faults {
	within := make(Faults, len(f))
	for i, fault := range f {
		fault.Pointer = strings.TrimPrefix(fault.Pointer, pointer)
		within[i] = fault
	}
	return within
}
