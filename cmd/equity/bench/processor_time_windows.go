package bench

import (
	"time"

	"golang.org/x/sys/windows"
)

// tick is the unit of the times that Windows reports for a process.
const tick = 100 * time.Nanosecond

// processorTime returns the processor time used by this process, in user and kernel mode. It returns 0 if the system
// does not report it.
func processorTime() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts a duration that Windows stores as a Filetime. Filetime.Nanoseconds would count from 1970.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * tick
}
