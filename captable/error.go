package captable

import (
	"maps"
	"slices"
	"strings"
)

// Code says what kind of refusal an [Error] is. Codes are stable: clients branch
// on them. They are few and only ever added to.
type Code string

// The codes of the cap table's refusals.
const (
	// CodeInvalid refuses a command whose fields are wrong; Fields names them all.
	CodeInvalid Code = "invalidFields"
	// CodeNotFound refuses a command about something that is not there.
	CodeNotFound Code = "resourceNotFound"
	// CodeConflict refuses a change that the present state does not allow.
	CodeConflict Code = "conflict"
	// CodeInsufficientShares refuses to issue, transfer or end more shares than there are.
	CodeInsufficientShares Code = "insufficientShares"
	// CodeHasResults refuses to void or correct what something else came from.
	CodeHasResults Code = "hasResults"
	// CodeInUse refuses to delete what is referred to.
	CodeInUse Code = "inUse"
	// CodeStale refuses a change whose caller had seen an older version.
	CodeStale Code = "stale"
)

// FieldError is one wrong field of a command.
type FieldError struct {
	// Pointer is the JSON pointer into the body, such as /consideration/cash.
	Pointer string `json:"pointer"`
	// Code is stable, such as required, unknownReference or notWhole.
	Code string `json:"code"`
	// Message is a sentence for people.
	Message string `json:"message"`
}

// Error is a refusal that the caller may see: nothing in it is secret.
type Error struct {
	Code    Code
	Message string
	// Fields lists every wrong field; nil where no field is to blame.
	Fields []FieldError
	// Details are the figures of the refusal by name, such as available; nil when none.
	Details map[string]string
}

// Error gives the message followed by those of the fields.
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

// Refuse makes an [Error] without fields.
func Refuse(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// With gives the refusal with a figure more; the one at hand, which others may
// share, stays as it is.
func (e *Error) With(name, value string) *Error {
	with := *e
	with.Details = maps.Clone(e.Details)
	if with.Details == nil {
		with.Details = map[string]string{}
	}
	with.Details[name] = value
	return &with
}

// Faults gathers the wrong fields of one command, so that all are told at once.
type Faults []FieldError //nolint:recvcheck // Add grows the list, Err only reads it

// Add notes one wrong field.
func (f *Faults) Add(pointer, code, message string) {
	*f = append(*f, FieldError{Pointer: pointer, Code: code, Message: message})
}

// Err gives nil when no field was wrong, else an [Error] that lists them.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: "Some fields are not valid.", Fields: f}
}

// Beside gives the faults with those others that are about other fields: what is said of a
// field that is named already, of one in it or of one around it, follows from it, and so
// does that a field has no place where a word is none of those that decide what has.
func (f Faults) Beside(others Faults) Faults {
	all := slices.Clip(f)
	for _, other := range others {
		if !slices.ContainsFunc(f, other.follows) {
			all = append(all, other)
		}
	}
	return all
}

// follows reports whether the other fault explains this one.
func (e FieldError) follows(other FieldError) bool {
	about := other.Pointer
	if holder, ok := strings.CutSuffix(about, "/member"); ok && e.Pointer == holder+"/entity" {
		return true // who is missing as a member is told as an entity
	}
	in := strings.HasPrefix(e.Pointer+"/", about+"/") || strings.HasPrefix(about+"/", e.Pointer+"/")
	return in || other.Code == "enum" && strings.HasPrefix(e.Code, "notOf")
}

// within gives the faults of a part as those of the part alone: their pointers without
// the part's own.
func (f Faults) within(pointer string) Faults {
	within := make(Faults, len(f))
	for i, fault := range f {
		fault.Pointer = strings.TrimPrefix(fault.Pointer, pointer)
		within[i] = fault
	}
	return within
}
