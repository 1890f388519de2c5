//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time used by this process, in user and kernel mode. It returns 0 if the system
// does not report it.
func processorTime() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
