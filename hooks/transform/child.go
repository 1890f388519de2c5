package transform

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The limits of a child process.
const (
	// mostTime is the time of a transform from the request to the kill of its process.
	mostTime = 4500 * time.Millisecond
	// mostMemory bounds the objects of a child, in bytes. The operating system bounds its writable memory at twice that.
	mostMemory = 128 << 20
	watchEvery = 10 * time.Millisecond
	// mostInput bounds the request of a child, in bytes.
	mostInput = 32 << 20
)

// The statuses of a child that exceeds a limit.
const (
	exitTime   = 3
	exitMemory = 4
)

// Child reads a request, runs it within the limits and writes the response. It ends the process if a limit is exceeded.
func Child(in io.Reader, out io.Writer) error {
	go watch()
	var request Request
	if err := json.NewDecoder(io.LimitReader(in, mostInput)).Decode(&request); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	debug.SetMemoryLimit(mostMemory)
	limitProcess()
	return json.NewEncoder(out).Encode(Run(request))
}

// watch ends the process after its time, or when it has too many objects in memory.
func watch() {
	end := time.NewTimer(mostTime)
	tick := time.NewTicker(watchEvery)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case <-end.C:
			os.Exit(exitTime)
		case <-tick.C:
			if metrics.Read(used); used[0].Value.Uint64() > mostMemory {
				os.Exit(exitMemory)
			}
		}
	}
}
