package http

import (
	"context"
	"errors"
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
	codeMethodNotAllowed captable.Code = "methodNotAllowed"
	codeTooLarge         captable.Code = "tooLarge"
	codeMediaType        captable.Code = "unsupportedMediaType"
	codeTooManyAttempts  captable.Code = "tooManyAttempts"
	codeTooManyExports   captable.Code = "tooManyExports"
	codeQueryTimeUsed    captable.Code = "queryTimeUsed"
	codeMissingFile      captable.Code = "missingFileArgument"
	codeUnavailable      captable.Code = "unavailable"
	codeOutcomeUnknown   captable.Code = "outcomeUnknown"
	codeOverloaded       captable.Code = "overloaded"
	codeInternal         captable.Code = "internal"

	codeMustChangePassword captable.Code = "mustChangePassword"
)

const someFields = "Some fields are not valid."

// statuses maps codes to HTTP statuses.
func statuses() map[captable.Code]int {
	return map[captable.Code]int{
		captable.CodeInvalid:            http.StatusBadRequest,
		codeMissingFile:                 http.StatusBadRequest,
		organization.CodePackageRefused: http.StatusBadRequest,
		organization.CodeRowsRefused:    http.StatusBadRequest,
		codeUnauthorized:                http.StatusUnauthorized,
		organization.CodeForbidden:      http.StatusForbidden,
		codeMustChangePassword:          http.StatusForbidden,
		captable.CodeNotFound:           http.StatusNotFound,
		codeMethodNotAllowed:            http.StatusMethodNotAllowed,
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
		codeOutcomeUnknown:              http.StatusServiceUnavailable,
		codeUnavailable:                 http.StatusServiceUnavailable,
		messages.ErrDamaged.Code:        http.StatusServiceUnavailable,
		messages.ErrClock.Code:          http.StatusServiceUnavailable,
		codeOverloaded:                  http.StatusServiceUnavailable,
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
		codeAuthentication:             "Unauthorized",
		"recentEmailVerification":      "recentEmailVerification",
		"userNotFound":                 "userNotFound",
		"emailBlacklisted":             "EmailBlacklisted",
		"domainBlacklisted":            "DomainBlacklisted",
		"ipLimit":                      "ipLimitReached",
	}
}

// Errors with a fixed message.
func errUnauthorized() error {
	return captable.Refuse(codeUnauthorized, "Sign in first.")
}

func errForbidden() error {
	return captable.Refuse(organization.CodeForbidden, "Your roles do not permit this operation.")
}

func errNotMember() error {
	return captable.Refuse(organization.CodeForbidden, "You are not a member of this organization.")
}

func errNotTheirs() error {
	return captable.Refuse(organization.CodeForbidden, "You may not act for this entity.")
}

func errNotFound() error {
	return captable.Refuse(captable.CodeNotFound, "There is no such record.")
}

func errNoPath() error {
	return captable.Refuse(captable.CodeNotFound, "This path does not exist.")
}

// failure is a public error with a private cause, which is only logged.
type failure struct {
	refusal    *captable.Error
	cause      error
	retryAfter time.Duration
	// mayNotRepeat reports that repeating the request might have a second effect. The answer then has
	// no Retry-After.
	mayNotRepeat bool
}

// Error returns the cause, for the log.
func (f *failure) Error() string {
	if f.cause == nil {
		return f.refusal.Error()
	}
	return f.cause.Error()
}

// Unwrap returns the public error and its cause.
func (f *failure) Unwrap() []error {
	if f.cause == nil {
		return []error{f.refusal}
	}
	return []error{f.refusal, f.cause}
}

// unavailable converts a store failure into a temporary error. It returns a captable.Error unchanged.
func unavailable(err error) error { return unreachable("The store", err) }

// unreachable is unavailable for the named service.
func unreachable(service string, err error) error {
	var refusal *captable.Error
	if err == nil || errors.As(err, &refusal) || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, messages.ErrUnknownOutcome) {
		return &failure{refusal: messages.ErrOutcomeUnknown, cause: err}
	}
	return &failure{refusal: refuseUnavailable(service), cause: err}
}

func refuseUnavailable(service string) *captable.Error {
	return captable.Refuse(codeUnavailable, service+" cannot be reached at the moment. Try again.")
}

// problem is the body of an error. Its fields depend on the kind of error.
type problem struct {
	Error     string                `json:"error"`
	Message   string                `json:"message,omitempty"`
	Key       string                `json:"key,omitempty"`
	Code      captable.Code         `json:"code"`
	Errors    []captable.FieldError `json:"errors,omitempty"`
	Details   map[string]string     `json:"details,omitempty"`
	RequestID string                `json:"requestId"`
}

// explain converts an error into a status and a body. Unexpected errors get a generic message.
func (s *Server) explain(err error, id string) (status int, body problem, retryAfter int) {
	refusal := &captable.Error{Code: codeInternal, Message: "An unexpected error occurred. The log has details under the request id."}
	if told, ok := errors.AsType[*captable.Error](err); ok {
		refusal = told
	}
	body = problem{Error: refusal.Message, Code: refusal.Code, Errors: refusal.Fields, Details: refusal.Details, RequestID: id}
	if key, known := s.keys[refusal.Code]; known {
		body.Error, body.Key = "Bad Request", key
		return http.StatusBadRequest, body, 0
	}
	status, known := s.statuses[refusal.Code]
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
	var private *failure
	if errors.As(err, &private) && private.retryAfter > 0 {
		retryAfter = int((private.retryAfter + time.Second - 1) / time.Second)
	}
	if private != nil && private.mayNotRepeat {
		retryAfter = 0
	}
	return status, body, retryAfter
}

// fail sends an error.
func (s *Server) fail(w http.ResponseWriter, err error, id string) int {
	status, body, retryAfter := s.explain(err, id)
	if retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, status, body)
	return status
}
