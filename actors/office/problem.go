package office

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"equity/actors/consumer"
	"equity/fault"
	"equity/messages"
)

// Service is the name of the outside service in messages to users.
const Service = "The office suite"

// The refusals of the office suite. All other failures are refusals with [fault.Unavailable].
var (
	// ErrNotFound reports an item that does not exist, or that belongs to another drive.
	ErrNotFound = errors.New("the item is not in the drive of the office suite")
	// ErrExists reports that the folder has another item with the name.
	ErrExists = errors.New("the folder of the office suite has an item with the name")
	// ErrChanged reports that the item no longer has the expected entity tag.
	ErrChanged = errors.New("the item of the office suite was changed")
	// ErrRange reports a range outside the content.
	ErrRange = errors.New("the range is outside the content")
	// ErrMalware reports a content that the office suite holds back because of malware.
	ErrMalware = errors.New("the office suite found malware in the content")
	// ErrLocked reports an item that another user has locked.
	ErrLocked = fault.Refuse(fault.InUse, "The document is locked in the office suite. Close it there and try again.")
	// ErrFull reports that the drive has no space for the content.
	ErrFull = fault.Refuse(
		fault.Conflict, "The storage of the office suite is full. Delete documents there or ask its administrator for more space.",
	)
	// ErrTooMany reports a folder with more items than a listing returns.
	ErrTooMany = fault.Refuse(fault.Conflict, "The folder in the office suite has too many items.")
	// ErrTooLarge reports a content beyond the limit of an upload.
	ErrTooLarge = fault.Refuse(fault.TooLarge, "The office suite accepts documents of at most 250 MB.")
	// ErrRefused reports a request that the office suite does not accept, for example because of the rules of its administrator.
	ErrRefused = fault.Refuse(
		fault.Conflict, "The office suite does not accept the request. Its administrator may have restricted names, types or paths.",
	)

	errForeign = fmt.Errorf("%w: it belongs to another drive", ErrNotFound)
	// errAccess concerns the operator, not the caller.
	errAccess  = errors.New("the office suite refuses the access of OFFICE_SUITE_CLIENT_ID")
	errAnswer  = errors.New("the answer of the office suite is not readable")
	errAddress = errors.New("the office suite names an address that is not permitted")
)

// StatusError reports a call that the office suite refused.
type StatusError struct {
	Status int
	// Code is the code of the office suite; empty without one.
	Code string
}

// Error describes the failure.
func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the office suite answered with the status %d %s", e.Status, e.Code))
}

// busyError reports that the office suite does not accept calls until the time After; zero for an unknown time.
type busyError struct {
	cause error
	after time.Time
}

// Error describes the failure.
func (e *busyError) Error() string { return e.cause.Error() }

// Unwrap returns the refusal.
func (e *busyError) Unwrap() error { return e.cause }

// problemBody is the body of an error. The inner errors are more precise.
type problemBody struct {
	Error *problemPart `json:"error"`
}

type problemPart struct {
	Code  string       `json:"code"`
	Inner *problemPart `json:"innerError"`
}

// codes returns the codes of an error of the API, the most general first.
func codes(answer *http.Response) (all []string) {
	const mostInner = 8
	var body problemBody
	_ = json.NewDecoder(io.LimitReader(answer.Body, mostProblem)).Decode(&body) // the status remains without it
	for part := body.Error; part != nil && len(all) < mostInner; part = part.Inner {
		all = append(all, part.Code)
	}
	return all
}

// refused returns the error of an answer with the codes.
func refused(answer *http.Response, codes []string, now time.Time) error {
	plain := &StatusError{Status: answer.StatusCode}
	if len(codes) > 0 {
		plain.Code = printable(codes[0])
	}
	has := func(code string) bool { return slices.Contains(codes, code) }
	if isBusy(answer.StatusCode) {
		return &busyError{plain, consumer.RetryAfter(answer.Header, now)}
	}
	switch answer.StatusCode {
	case http.StatusInsufficientStorage:
		return because(ErrFull, plain)
	case http.StatusPreconditionFailed:
		return because(ErrChanged, plain)
	case http.StatusRequestedRangeNotSatisfiable:
		return because(ErrRange, plain)
	case http.StatusLocked:
		return because(ErrLocked, plain)
	}
	switch {
	case has("malwareDetected"):
		return because(ErrMalware, plain)
	case has("nameAlreadyExists"):
		return because(ErrExists, plain)
	case has("resourceModified"):
		return because(ErrChanged, plain)
	case has("resourceLocked"), has("lockMismatch"):
		return because(ErrLocked, plain)
	case has("quotaLimitReached"):
		return because(ErrFull, plain)
	case answer.StatusCode == http.StatusUnauthorized, answer.StatusCode == http.StatusForbidden:
		return because(errAccess, plain)
	case answer.StatusCode == http.StatusNotFound, answer.StatusCode == http.StatusGone:
		return because(ErrNotFound, plain)
	case answer.StatusCode == http.StatusRequestEntityTooLarge:
		return because(ErrTooLarge, plain)
	case answer.StatusCode >= http.StatusBadRequest && answer.StatusCode < http.StatusInternalServerError && answer.StatusCode != http.StatusRequestTimeout:
		return because(ErrRefused, plain)
	}
	return plain
}

// isBusy reports whether the status is the request to call again later.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

func because(refusal, cause error) error { return fmt.Errorf("%w: %w", refusal, cause) }

// printable returns a code of the other side for an error text. It is empty if the value is not a code.
func printable(code string) string {
	const mostCode = 64
	strange := func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' }
	if len(code) > mostCode || strings.ContainsFunc(code, strange) {
		return ""
	}
	return code
}

// failure returns the error of a call for its caller: a refusal of the office suite, or [fault.Unavailable].
func (c *Client) failure(ctx context.Context, operation string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	err = fmt.Errorf("office suite: %s: %w", operation, err)
	for _, own := range []error{ErrNotFound, ErrExists, ErrChanged, ErrRange, ErrMalware, errContent} {
		if errors.Is(err, own) {
			return err
		}
	}
	err = messages.Unreachable(Service, err)
	if failed, is := errors.AsType[*fault.FailureError](err); is {
		after := consumer.NotBefore(err)
		if busy, is := errors.AsType[*busyError](err); is {
			after = busy.after
		}
		if !after.IsZero() {
			failed.RetryAfter = max(after.Sub(c.now()), 0)
		}
	}
	return err
}
