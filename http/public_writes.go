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

// publicRate returns the rate of an operation that needs no session. Operations that send mail have
// a low rate. The gateway sends the calls of many organizations from one address. The rate of the
// others exceeds the needs of an office.
func publicRate(op *operation) rate {
	switch {
	case op.id == "sendEmailVerification":
		return rate{30, time.Hour}
	case op.permission == permissionGateway:
		return rate{20_000, 15 * time.Minute}
	default:
		return rate{1000, 15 * time.Minute}
	}
}

// paceNetwork counts a call of an operation that needs no session, by the caller's network. A GET
// that changes nothing is not counted.
func (s *Server) paceNetwork(ctx context.Context, c *Call) error {
	if !c.operation.open() || c.operation.method == http.MethodGet && c.operation.reads() {
		return nil
	}
	allowed := publicRate(c.operation)
	return s.patience(ctx, "write "+c.operation.id+" "+c.Caller.network(), allowed.limit, allowed.window)
}
