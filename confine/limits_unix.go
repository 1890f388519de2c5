//go:build (linux || darwin) && !race

package confine

import (
	"syscall"
	"time"
)

// maxFiles leaves room for the descriptors of the runtime.
const maxFiles = 16

// limitProcess bounds the memory, the processor time and the open files of this process. RLIMIT_DATA counts writable memory. RLIMIT_AS
// would also count the addresses that Go reserves without using them. The system measures processor time in ticks, which can count too much; it
// kills the process a second after the limit, if watch did not end it.
func limitProcess(l Limits) error {
	preferAsVictim()
	for resource, limit := range map[int]uint64{
		syscall.RLIMIT_DATA: 2 * uint64(max(l.Memory, 0)), syscall.RLIMIT_CPU: uint64(max(l.Processor/time.Second, 1)) + 1,
		syscall.RLIMIT_FSIZE: 0, syscall.RLIMIT_CORE: 0, syscall.RLIMIT_NOFILE: maxFiles,
	} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return err
		}
	}
	return nil
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
