package fault

import (
	"errors"
	"time"
)

// FailureError is a public error with a private cause, which is only logged.
type FailureError struct {
	Refusal    *Error
	Cause      error
	RetryAfter time.Duration
	// MayNotRepeat reports that repeating the request might have a second effect. The answer then has
	// no Retry-After.
	MayNotRepeat bool
	// ContentRange is the value of the header Content-Range; empty if absent.
	ContentRange string
}

// Error returns the cause, for the log.
func (f *FailureError) Error() string {
	if f.Cause == nil {
		return f.Refusal.Error()
	}
	return f.Cause.Error()
}

// Unwrap returns the public error and its cause.
func (f *FailureError) Unwrap() []error {
	if f.Cause == nil {
		return []error{f.Refusal}
	}
	return []error{f.Refusal, f.Cause}
}

// Is reports whether the error is a refusal with the code.
func Is(err error, code Code) bool {
	refusal, ok := errors.AsType[*Error](err)
	return ok && refusal.Code == code
}

// InvalidField returns the refusal of a command with one invalid field.
func InvalidField(pointer, code, message string) error {
	var faults Fields
	faults.Add(pointer, code, message)
	return faults.Err()
}

// StaleRecord returns the refusal of a change that is based on an older version of the record.
func StaleRecord() *Error {
	return Refuse(Stale, "The record was changed since it was read. Read it again and repeat the change.")
}
