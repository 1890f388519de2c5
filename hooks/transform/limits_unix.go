//go:build (linux || darwin) && !race

package transform

import "syscall"

// mostFiles leaves room for the descriptors of the runtime.
const mostFiles = 16

// limitProcess bounds the memory, the processor time and the open files of this process. A limit that the system refuses is
// covered by the watch and by the parent.
func limitProcess() {
	for resource, limit := range map[int]uint64{
		syscall.RLIMIT_DATA: 2 * mostMemory, syscall.RLIMIT_CPU: 10, syscall.RLIMIT_FSIZE: 0, syscall.RLIMIT_CORE: 0, syscall.RLIMIT_NOFILE: mostFiles,
	} {
		_ = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit})
	}
}
