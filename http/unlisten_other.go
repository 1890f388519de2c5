//go:build !linux

package http

import (
	"errors"
	"syscall"
)

// ignoreNewConnections is only possible on Linux.
func ignoreNewConnections(syscall.Conn) error { return errors.ErrUnsupported }
