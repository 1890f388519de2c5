package api

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// FailureLevel returns the level at which the failure of a request is logged. A failure after the caller went away is no error of the server:
// each part that works for the request fails then, in its own words.
func FailureLevel(ctx context.Context) slog.Level {
	if ctx.Err() != nil {
		return slog.LevelInfo
	}
	return slog.LevelError
}

const someFields = "Some fields are not valid."

// statuses maps codes to HTTP statuses, with those of the rooms.
func statuses(rooms []Room) map[fault.Code]int {
	all := commonStatuses()
	maps.Copy(all, serviceStatuses())
	for _, room := range rooms {
		maps.Copy(all, room.Statuses)
	}
	return all
}

// serviceStatuses maps the codes of the assistant.
func serviceStatuses() map[fault.Code]int {
	return map[fault.Code]int{
		messages.CodeRateLimited:          http.StatusTooManyRequests,
		messages.ErrBudgetSpent.Code:      http.StatusTooManyRequests,
		messages.ErrSuperseded.Code:       http.StatusConflict,
		messages.ErrStepExpired.Code:      http.StatusConflict,
		messages.ErrStepDecided.Code:      http.StatusConflict,
		messages.ErrConversationBusy.Code: http.StatusConflict,
		messages.ErrOtherCredential.Code:  http.StatusForbidden,
		messages.ErrPersonRequired.Code:   http.StatusForbidden,
		messages.ErrNotAnalyzed.Code:      http.StatusConflict,
		messages.ErrOnboardingLinked.Code: http.StatusConflict,
		messages.ErrQuestionsOpen.Code:    http.StatusConflict,
		messages.ErrOnboardingBusy.Code:   http.StatusConflict,
		messages.ErrOnboardingBuilt.Code:  http.StatusConflict,
		messages.ErrNotBuilt.Code:         http.StatusConflict,
	}
}

// commonStatuses maps the codes of the other parts.
func commonStatuses() map[fault.Code]int {
	return map[fault.Code]int{
		fault.Invalid:                 http.StatusBadRequest,
		fault.MissingFile:             http.StatusBadRequest,
		fault.PackageRefused:          http.StatusBadRequest,
		fault.RowsRefused:             http.StatusBadRequest,
		fault.Unauthorized:            http.StatusUnauthorized,
		fault.Forbidden:               http.StatusForbidden,
		fault.MustChangePassword:      http.StatusForbidden,
		fault.SessionRequired:         http.StatusForbidden,
		fault.SecondFactorNeeded:      http.StatusForbidden,
		fault.ScopeMissing:            http.StatusForbidden,
		fault.OtherOrganization:       http.StatusForbidden,
		fault.NotFound:                http.StatusNotFound,
		fault.MethodNotAllowed:        http.StatusMethodNotAllowed,
		fault.Conflict:                http.StatusConflict,
		fault.InsufficientShares:      http.StatusConflict,
		fault.InsufficientCredit:      http.StatusConflict,
		fault.RecentInvitation:        http.StatusConflict,
		fault.HasResults:              http.StatusConflict,
		document.CodeNameTaken:        http.StatusConflict,
		document.CodeLimit:            http.StatusConflict,
		document.CodeStorageLimit:     http.StatusConflict,
		document.CodeCycle:            http.StatusConflict,
		document.CodeIsFolder:         http.StatusConflict,
		document.CodeErased:           http.StatusNotFound,
		document.CodeExtension:        http.StatusBadRequest,
		document.CodeInfected:         http.StatusConflict,
		document.CodePending:          http.StatusConflict,
		document.CodeNotStampable:     http.StatusConflict,
		document.CodeDisplayOnly:      http.StatusConflict,
		document.CodeRange:            http.StatusRequestedRangeNotSatisfiable,
		document.CodeNotInSuite:       http.StatusConflict,
		document.CodeNoPreview:        http.StatusConflict,
		organization.CodeStorage:      http.StatusConflict,
		organization.CodeSecondPerson: http.StatusForbidden,
		organization.CodeClaimWaiting: http.StatusConflict,
		fault.InUse:                   http.StatusConflict,
		fault.LastOwner:               http.StatusConflict,
		organization.CodeLimit:        http.StatusConflict,

		messages.ErrKeyReused.Code: http.StatusConflict,
		fault.UnknownPlan:          http.StatusBadRequest,
		fault.InvalidCoupon:        http.StatusBadRequest,
		fault.InvalidSignature:     http.StatusBadRequest,
		fault.AlreadySubscribed:    http.StatusConflict,
		organization.CodePlanLimit: http.StatusForbidden,
		fault.Stale:                http.StatusPreconditionFailed,
		fault.TooLarge:             http.StatusRequestEntityTooLarge,
		fault.MediaType:            http.StatusUnsupportedMediaType,
		fault.TooManyAttempts:      http.StatusTooManyRequests,
		fault.TooManyExports:       http.StatusTooManyRequests,
		fault.TooManyStreams:       http.StatusTooManyRequests,
		fault.QueryTimeUsed:        http.StatusTooManyRequests,
		fault.Internal:             http.StatusInternalServerError,

		fault.OutcomeUnknown:          http.StatusServiceUnavailable,
		fault.Unavailable:             http.StatusServiceUnavailable,
		messages.ErrDamaged.Code:      http.StatusServiceUnavailable,
		messages.ErrUnknownEvent.Code: http.StatusServiceUnavailable,
		messages.ErrClock.Code:        http.StatusServiceUnavailable,
		fault.Overloaded:              http.StatusServiceUnavailable,
	}
}

// keys maps the codes of authentication errors to the keys in their bodies. Their status is 400.
func keys() map[fault.Code]string {
	return map[fault.Code]string{
		"emailUnavailable":             "emailUnavailable",
		"emailNotVerified":             "emailNotVerified",
		"existingActiveTempPassword":   "existingActiveTempPassword",
		"invalidCredentials":           "invalidCredentials",
		"invalidEmailVerificationCode": "invalidEmailVerificationCode",
		"invalidTwoFactorToken":        "invalidTwoFactorToken",
		fault.AuthenticationFailed:     "Unauthorized",
		"recentEmailVerification":      "recentEmailVerification",
		"userNotFound":                 "userNotFound",
		"emailBlacklisted":             "EmailBlacklisted",
		"domainBlacklisted":            "DomainBlacklisted",
		"ipLimit":                      "ipLimitReached",
	}
}

// Unauthorized returns the error of a request without a session.
func Unauthorized() error {
	return fault.Refuse(fault.Unauthorized, "Sign in first.")
}

// Forbidden returns the error of a caller without the permission.
func Forbidden() error {
	return fault.Refuse(fault.Forbidden, "Your roles do not permit this operation.")
}

// NotMember returns the error of a caller outside the organization.
func NotMember() error {
	return fault.Refuse(fault.Forbidden, "Only members of this organization may do this. Ask one of its Owners for an invitation.")
}

// NotTheirs returns the error of a caller who acts for another entity.
func NotTheirs() error {
	return fault.Refuse(fault.Forbidden, "You may not act for this entity.")
}

// NotFound returns the error of an unknown record.
func NotFound() error {
	return fault.Refuse(fault.NotFound, "There is no such record.")
}

// NoPath returns the error of an unknown path.
func NoPath() error {
	return fault.Refuse(fault.NotFound, "This path does not exist.")
}

// Unavailable converts a store failure into a temporary error. It returns a fault.Error unchanged.
func Unavailable(err error) error { return messages.Unreachable("The store", err) }

// problems converts errors into answers.
type problems struct {
	statuses map[fault.Code]int
	keys     map[fault.Code]string
}

// Problem is the body of an error. Its fields depend on the kind of error.
type Problem struct {
	Error     string            `json:"error"`
	Message   string            `json:"message,omitempty"`
	Key       string            `json:"key,omitempty"`
	Code      fault.Code        `json:"code"`
	Errors    []fault.Field     `json:"errors,omitempty"`
	Details   map[string]string `json:"details,omitempty"`
	RequestID string            `json:"requestId"`
}

// Explain converts an error into a status and a body. Unexpected errors get a generic message.
func (p problems) Explain(err error, id string) (status int, body Problem, retryAfter int) {
	refusal := &fault.Error{Code: fault.Internal, Message: "An unexpected error occurred. The log has details under the request id."}
	if told, ok := errors.AsType[*fault.Error](err); ok {
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
	if messages.IsUnreadable(refusal) || refusal.Code == messages.ErrClock.Code { // a retry does not help
		retryAfter = 0
	}
	var private *fault.FailureError
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
	if private, is := errors.AsType[*fault.FailureError](err); is && private.ContentRange != "" {
		w.Header().Set("Content-Range", private.ContentRange)
	}
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, body, func(text []byte) { sendPlain(w, status, text) })
	return status
}

// IsUnknownUser reports whether the error states that no account has the address.
func IsUnknownUser(err error) bool { return fault.Is(err, fault.UserNotFound) }

// Disabled returns the error of a disabled account. It is returned only to callers who have proven that the account is theirs.
func Disabled() error {
	return fault.Refuse(fault.AuthenticationFailed, "A site administrator has disabled this account.")
}

// WrongCredentials returns the error of a sign-in with a wrong address or password.
func WrongCredentials() error {
	return fault.Refuse(fault.InvalidCredentials, "The e-mail address or the password is wrong.")
}

// IsNotFound reports whether the error states that a record does not exist.
func IsNotFound(err error) bool { return fault.Is(err, fault.NotFound) }

// ErrPanic is the error of an operation that panicked.
var ErrPanic = errors.New("panic")

// Wrap adds the operation to an error, unless the request has ended.
func Wrap(ctx context.Context, operation string, err error) error {
	return messages.Wrap(ctx, operation, err)
}

// TheProvider is the name of the provider in error messages.
const TheProvider = "The identity provider"
