package actors

import (
	"fmt"
	"runtime/debug"

	"equity/captable"
)

// errPanicked is the reply to a command after a panic. Unlike unavailable it
// does not suggest a retry: the same command would panic again.
var errPanicked = &captable.Error{
	Code: "internal", Message: "Something went wrong on our side; nothing was changed.",
}

// contained runs the work of an actor in a goroutine and converts a panic to an error
// with its stack. Without a supervisor, the panic would end the program with
// all organizations.
func contained(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return work()
}
