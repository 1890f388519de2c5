package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
)

// Error codes that neither the domain nor the actors declare.
const (
	codeUnauthorized     captable.Code = "unauthorized"
	CodeMethodNotAllowed captable.Code = "methodNotAllowed"
	codeTooLarge         captable.Code = "tooLarge"
	codeMediaType        captable.Code = "unsupportedMediaType"
	codeTooManyAttempts  captable.Code = "tooManyAttempts"
	codeTooManyExports   captable.Code = "tooManyExports"
	codeQueryTimeUsed    captable.Code = "queryTimeUsed"
	CodeMissingFile      captable.Code = "missingFileArgument"
	CodeUnavailable      captable.Code = "unavailable"
	CodeOutcomeUnknown   captable.Code = "outcomeUnknown"
	CodeOverloaded       captable.Code = "overloaded"
	codeInternal         captable.Code = "internal"

	codeMustChangePassword captable.Code = "mustChangePassword"
)

// Error codes of accounts, invitations and sign-in.
const (
	codeUserNotFound       captable.Code = "userNotFound"
	CodeInvalidCredentials captable.Code = "invalidCredentials"
	CodeEmailNotVerified   captable.Code = "emailNotVerified"
	CodeRecentVerification captable.Code = "recentEmailVerification"
	CodeAddressLimit       captable.Code = "ipLimit"
	CodeTwoFactor          captable.Code = "invalidTwoFactorToken"
	codeInvitationRecent   captable.Code = "recentInvitation"
	// CodeAuthentication reveals no details.
	CodeAuthentication captable.Code = "authenticationFailed"
)

const someFields = "Some fields are not valid."

// statuses maps codes to HTTP statuses.
func statuses() map[captable.Code]int {
	return map[captable.Code]int{
		captable.CodeInvalid:            http.StatusBadRequest,
		CodeMissingFile:                 http.StatusBadRequest,
		organization.CodePackageRefused: http.StatusBadRequest,
		organization.CodeRowsRefused:    http.StatusBadRequest,
		codeUnauthorized:                http.StatusUnauthorized,
		organization.CodeForbidden:      http.StatusForbidden,
		codeMustChangePassword:          http.StatusForbidden,
		captable.CodeNotFound:           http.StatusNotFound,
		CodeMethodNotAllowed:            http.StatusMethodNotAllowed,
		captable.CodeConflict:           http.StatusConflict,
		captable.CodeInsufficientShares: http.StatusConflict,
		credit.CodeInsufficientCredit:   http.StatusConflict,
		codeInvitationRecent:            http.StatusConflict,
		captable.CodeHasResults:         http.StatusConflict,
		captable.CodeInUse:              http.StatusConflict,
		organization.CodeLastOwner:      http.StatusConflict,
		messages.ErrKeyReused.Code:      http.StatusConflict,
		captable.CodeStale:              http.StatusPreconditionFailed,
		codeTooLarge:                    http.StatusRequestEntityTooLarge,
		codeMediaType:                   http.StatusUnsupportedMediaType,
		codeTooManyAttempts:             http.StatusTooManyRequests,
		codeTooManyExports:              http.StatusTooManyRequests,
		codeQueryTimeUsed:               http.StatusTooManyRequests,
		codeInternal:                    http.StatusInternalServerError,
		CodeOutcomeUnknown:              http.StatusServiceUnavailable,
		CodeUnavailable:                 http.StatusServiceUnavailable,
		messages.ErrDamaged.Code:        http.StatusServiceUnavailable,
		messages.ErrClock.Code:          http.StatusServiceUnavailable,
		CodeOverloaded:                  http.StatusServiceUnavailable,
	}
}

// keys maps the codes of authentication errors to the keys in their bodies. Their status is 400.
func keys() map[captable.Code]string {
	return map[captable.Code]string{
		"emailUnavailable":             "emailUnavailable",
		"emailNotVerified":             "emailNotVerified",
		"existingActiveTempPassword":   "existingActiveTempPassword",
		"invalidCredentials":           "invalidCredentials",
		"invalidEmailVerificationCode": "invalidEmailVerificationCode",
		"invalidTwoFactorToken":        "invalidTwoFactorToken",
		CodeAuthentication:             "Unauthorized",
		"recentEmailVerification":      "recentEmailVerification",
		"userNotFound":                 "userNotFound",
		"emailBlacklisted":             "EmailBlacklisted",
		"domainBlacklisted":            "DomainBlacklisted",
		"ipLimit":                      "ipLimitReached",
	}
}

// Unauthorized returns the error of a request without a session.
func Unauthorized() error {
	return captable.Refuse(codeUnauthorized, "Sign in first.")
}

// Forbidden returns the error of a caller without the permission.
func Forbidden() error {
	return captable.Refuse(organization.CodeForbidden, "Your roles do not permit this operation.")
}

// NotMember returns the error of a caller outside the organization.
func NotMember() error {
	return captable.Refuse(organization.CodeForbidden, "You are not a member of this organization.")
}

// NotTheirs returns the error of a caller who acts for another entity.
func NotTheirs() error {
	return captable.Refuse(organization.CodeForbidden, "You may not act for this entity.")
}

// NotFound returns the error of an unknown record.
func NotFound() error {
	return captable.Refuse(captable.CodeNotFound, "There is no such record.")
}

// NoPath returns the error of an unknown path.
func NoPath() error {
	return captable.Refuse(captable.CodeNotFound, "This path does not exist.")
}

// FailureError is a public error with a private cause, which is only logged.
type FailureError struct {
	Refusal    *captable.Error
	Cause      error
	RetryAfter time.Duration
	// MayNotRepeat reports that repeating the request might have a second effect. The answer then has
	// no Retry-After.
	MayNotRepeat bool
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

// Unavailable converts a store failure into a temporary error. It returns a captable.Error unchanged.
func Unavailable(err error) error { return Unreachable("The store", err) }

// Unreachable is [Unavailable] for the named service.
func Unreachable(service string, err error) error {
	var refusal *captable.Error
	if err == nil || errors.As(err, &refusal) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, messages.ErrUnknownOutcome) {
		return &FailureError{Refusal: messages.ErrOutcomeUnknown, Cause: err}
	}
	return &FailureError{Refusal: RefuseUnavailable(service), Cause: err}
}

// RefuseUnavailable returns the refusal while a service cannot be reached.
func RefuseUnavailable(service string) *captable.Error {
	return captable.Refuse(CodeUnavailable, service+" cannot be reached at the moment. Try again.")
}

// problems converts errors into answers.
type problems struct {
	statuses map[captable.Code]int
	keys     map[captable.Code]string
}

// Problem is the body of an error. Its fields depend on the kind of error.
type Problem struct {
	Error     string                `json:"error"`
	Message   string                `json:"message,omitempty"`
	Key       string                `json:"key,omitempty"`
	Code      captable.Code         `json:"code"`
	Errors    []captable.FieldError `json:"errors,omitempty"`
	Details   map[string]string     `json:"details,omitempty"`
	RequestID string                `json:"requestId"`
}

// Explain converts an error into a status and a body. Unexpected errors get a generic message.
func (p problems) Explain(err error, id string) (status int, body Problem, retryAfter int) {
	refusal := &captable.Error{Code: codeInternal, Message: "An unexpected error occurred. The log has details under the request id."}
	if told, ok := errors.AsType[*captable.Error](err); ok {
		refusal = told
	}
	body = Problem{Error: refusal.Message, Code: refusal.Code, Errors: refusal.Fields, Details: refusal.Details, RequestID: id}
	if key, known := p.keys[refusal.Code]; known {
		body.Error, body.Key = "Bad Request", key
		return http.StatusBadRequest, body, 0
	}
	status, known := p.statuses[refusal.Code]
	if !known {
		status = http.StatusInternalServerError
	}
	switch status {
	case http.StatusBadRequest:
		body.Error, body.Message = "Bad Request", refusal.Message
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		retryAfter = 1
	}
	if refusal.Code == messages.ErrDamaged.Code || refusal.Code == messages.ErrClock.Code { // a retry does not help
		retryAfter = 0
	}
	var private *FailureError
	if errors.As(err, &private) && private.RetryAfter > 0 {
		retryAfter = int((private.RetryAfter + time.Second - 1) / time.Second)
	}
	if private != nil && private.MayNotRepeat {
		retryAfter = 0
	}
	return status, body, retryAfter
}

// Fail sends an error.
func (p problems) Fail(w http.ResponseWriter, err error, id string) int {
	status, body, retryAfter := p.Explain(err, id)
	if retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, status, body)
	return status
}

// IsUnknownUser reports whether the error states that no account has the address.
func IsUnknownUser(err error) bool {
	var refusal *captable.Error
	return errors.As(err, &refusal) && refusal.Code == codeUserNotFound
}

// Disabled returns the error of a disabled account. It is returned only to callers who have proven that the account is theirs.
func Disabled() error {
	return captable.Refuse(CodeAuthentication, "A site administrator has disabled this account.")
}

// WrongCredentials returns the error of a sign-in with a wrong address or password.
func WrongCredentials() error {
	return captable.Refuse(CodeInvalidCredentials, "The e-mail address or the password is wrong.")
}

// IsNotFound reports whether the error states that a record does not exist.
func IsNotFound(err error) bool {
	refusal, ok := errors.AsType[*captable.Error](err)
	return ok && refusal.Code == captable.CodeNotFound
}

// IsRefusal reports whether the error is a refusal with the code.
func IsRefusal(err error, code captable.Code) bool {
	var refusal *captable.Error
	return errors.As(err, &refusal) && refusal.Code == code
}

// ErrPanic is the error of an operation that panicked.
var ErrPanic = errors.New("panic")

// Wrap wraps an error with the name of the operation.
func Wrap(ctx context.Context, operation string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// TheProvider is the name of the provider in error messages.
const TheProvider = "The identity provider"
