package confine

import (
	"bufio"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"
)

// The statuses of a child. Go uses 2 for its fatal errors.
const (
	statusDone    = 0
	statusRefused = 10
	statusTime    = 11
	statusMemory  = 12
	// statusLimits reports that the operating system refused the limits. The child then ends before it reads.
	statusLimits  = 13
	statusUnknown = 14 // no such work
	statusOutput  = 15 // the answer could not be written
)

const (
	watchEvery = 10 * time.Millisecond
	// maxStack bounds the stack of a goroutine, which grows with the nesting of a content. Go's own bound is 1 GB.
	maxStack = 32 << 20
)

// Child executes the named work in this process, which must exit with the returned status. It sets the limits before it reads.
func Child(name string, works []Work, in io.Reader, out io.Writer) (status int) {
	at := slices.IndexFunc(works, func(w Work) bool { return w.Name == name })
	if at < 0 {
		return statusUnknown
	}
	limits := works[at].Limits
	go watch(limits)
	debug.SetMemoryLimit(limits.Memory)
	debug.SetMaxStack(maxStack)
	if err := limitProcess(limits); err != nil {
		return statusLimits
	}
	buffered := bufio.NewWriter(out)
	if err := works[at].Do(in, buffered); err != nil {
		return statusRefused
	}
	if err := buffered.Flush(); err != nil {
		return statusOutput
	}
	return statusDone
}

// watch ends the process after its time or its processor time, or when it has too many objects in memory. It also works where the operating
// system has no limits, and where the parent has ended.
func watch(limits Limits) {
	end := time.NewTimer(limits.Time)
	tick := time.NewTicker(watchEvery)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case <-end.C:
			os.Exit(statusTime)
		case <-tick.C:
			if limits.Processor > 0 && processorTime() > limits.Processor {
				os.Exit(statusTime)
			}
			if metrics.Read(used); used[0].Value.Uint64() > uint64(max(limits.Memory, 0)) {
				os.Exit(statusMemory)
			}
		}
	}
}
