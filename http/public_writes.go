package http

import (
	"context"
	"net/http"
	"time"
)

// rate is the number of calls that one network may make in a window.
type rate struct {
	limit  int
	window time.Duration
}

// publicRate returns the rate of an operation that changes something without a session. Operations
// that send mail have a low rate; the rate of the others exceeds the needs of an office.
func publicRate(operation string) rate {
	if operation == "sendEmailVerification" {
		return rate{30, time.Hour}
	}
	return rate{1000, 15 * time.Minute}
}

// paceNetwork counts a call that changes something and takes no session, by the caller's
// network. The contract decides which operations these are.
func (s *Server) paceNetwork(ctx context.Context, c *Call) error {
	if c.operation.permission != permissionPublic || c.operation.method == http.MethodGet {
		return nil
	}
	allowed := publicRate(c.operation.id)
	return s.patience(ctx, "write "+c.operation.id+" "+c.Caller.network(), allowed.limit, allowed.window)
}
