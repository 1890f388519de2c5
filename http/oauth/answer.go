package oauth

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"equity/fault"
	"equity/http/api"
)

// refusal is an error in the form of RFC 6749.
type refusal struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

// The codes of RFC 6749, RFC 7591, RFC 7009 and RFC 8707.
const (
	invalidRequest     = "invalid_request"
	invalidClient      = "invalid_client"
	invalidGrant       = "invalid_grant"
	invalidScope       = "invalid_scope"
	invalidTarget      = "invalid_target"
	invalidRedirect    = "invalid_redirect_uri"
	invalidMetadata    = "invalid_client_metadata"
	accessDenied       = "access_denied"
	unsupportedGrant   = "unsupported_grant_type"
	unsupportedAnswer  = "unsupported_response_type"
	temporarilyMissing = "temporarily_unavailable"
	slowDown           = "slow_down"
)

// Error returns the description.
func (r *refusal) Error() string { return r.Code + ": " + r.Description }

// send sends a record as JSON.
func send(w http.ResponseWriter, status int, record any) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(record) //nolint:errchkjson // a client that went away needs no answer
}

// refuse sends an error in the form of RFC 6749.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if told, ok := errors.AsType[*refusal](err); ok {
		status := http.StatusBadRequest
		if told.Code == invalidClient {
			status = http.StatusUnauthorized
		}
		send(w, status, told)
		return
	}
	if fault.Is(err, fault.TooManyAttempts) {
		if private, ok := errors.AsType[*fault.FailureError](err); ok {
			w.Header().Set("Retry-After", strconv.Itoa(int((private.RetryAfter+time.Second-1)/time.Second)))
		}
		send(w, http.StatusTooManyRequests, &refusal{slowDown, "Too many attempts. Try again later."})
		return
	}
	s.Log.Log(r.Context(), api.FailureLevel(r.Context()), "authorization failed", "path", r.URL.Path, "cause", err)
	send(w, http.StatusServiceUnavailable, &refusal{temporarilyMissing, "This is not possible at the moment. Try again."})
}

// mayWrite returns the refusal of changes.
func (s *Server) mayWrite() error {
	if s.Writable == nil {
		return nil
	}
	return s.Writable()
}
