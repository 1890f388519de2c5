package api

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

// publicRate returns the rate of an operation that needs no session. The gateway sends the calls of many organizations from one address.
// The rate of the others exceeds the needs of an office. Operations that send mail have lower limits, see [messages.ChosenMail].
func publicRate(op *Operation) rate {
	switch {
	case op.Permission == PermissionGateway:
		return rate{20_000, 15 * time.Minute}
	case op.Feature() == FeatureBilling: // the provider sends the events of all organizations from a few addresses
		return rate{100_000, 15 * time.Minute}
	default:
		return rate{1000, 15 * time.Minute}
	}
}

// paceNetwork counts a call of an operation that needs no session, by the caller's network. A GET
// that changes nothing is not counted.
func (s *Kernel) paceNetwork(ctx context.Context, c *Call) error {
	if !c.Operation.open() || c.Operation.Method == http.MethodGet && c.Operation.Reads() {
		return nil
	}
	allowed := publicRate(c.Operation)
	return s.Throttle(ctx, "write "+c.Operation.ID+" "+c.Caller.Network(), allowed.limit, allowed.window)
}
