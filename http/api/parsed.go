package api

import (
	"errors"
	"time"

	"equity/confine"
	"equity/fault"
	"equity/messages"
)

// parsePause is the advised time until other contents have been parsed.
const parsePause = 10 * time.Second

// NotParsed returns the refusal of a content that could not be parsed for a reason that is not its own: too many others are being
// parsed, or a child process cannot work.
func NotParsed(err error) error {
	if _, busy := errors.AsType[*confine.BusyError](err); busy {
		return &fault.FailureError{
			Refusal: fault.Refuse(fault.TooManyExports, "Too many files are being read or made at the moment. Try again later."),
			Cause:   err, RetryAfter: parsePause,
		}
	}
	return messages.Unreachable("The reader of files", err)
}
