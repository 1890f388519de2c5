package actors

import (
	"fmt"
	"runtime/debug"

	"equity/captable"
)

// errPanicked answers the command whose handling panicked. Unlike unavailable it
// does not invite to try again: the same command would panic again.
var errPanicked = &captable.Error{
	Code: "internal", Message: "Something went wrong on our side; nothing was changed.",
}

// contained runs what an actor leaves to a goroutine. A panic there has no
// supervisor and would end the program, all organizations with it; here it is an
// error, with its stack.
func contained(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return work()
}
