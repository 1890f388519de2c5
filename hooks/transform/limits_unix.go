//go:build (linux || darwin) && !race

package transform

import "syscall"

// limitProcess bounds the memory and the processor time of this process, and forbids new files. A limit that the system refuses is
// covered by the watch and by the parent.
func limitProcess() {
	for resource, limit := range map[int]uint64{
		syscall.RLIMIT_DATA: 2 * mostMemory, syscall.RLIMIT_CPU: 10, syscall.RLIMIT_FSIZE: 0, syscall.RLIMIT_CORE: 0, syscall.RLIMIT_NOFILE: 0,
	} {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit})
	}
}
