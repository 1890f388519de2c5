package main

import (
	"runtime/debug"
	"sync"
)

// importMemory limits the memory of imports: while a package is imported, garbage is collected more often. The decoded
// package, the events and the rows are garbage soon after they exist; with the usual setting they would take about twice
// the memory (see docs/benchmarks.md). The collection is a setting of the whole process, so exports do not use it: they
// are frequent, and the collection delayed the requests of other organizations. Its methods are safe for concurrent use.
type importMemory struct {
	mutex   sync.Mutex
	running int
	former  int
}

// importGCPercent is the value of GOGC while a package is imported.
const importGCPercent = 25

// begin marks the beginning of an import. The result marks its end.
func (m *importMemory) begin() (end func()) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running++; m.running == 1 {
		if m.former = debug.SetGCPercent(importGCPercent); m.former < importGCPercent {
			debug.SetGCPercent(m.former) // the operator saves more memory
		}
	}
	return m.end
}

func (m *importMemory) end() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.running--; m.running == 0 {
		debug.SetGCPercent(m.former)
	}
}
