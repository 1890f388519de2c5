package main

import (
	"runtime/debug"
	"sync"
)

// strain makes the collection of garbage more frequent during work with much garbage. Its methods are safe for concurrent
// use.
type strain struct {
	mutex   sync.Mutex
	running int
	former  int
}

// strainedPercent is the value of GOGC during the import or export of a package.
const strainedPercent = 25

// begin marks the beginning of such work. The result marks its end.
func (s *strain) begin() (end func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.running++; s.running == 1 {
		if s.former = debug.SetGCPercent(strainedPercent); s.former < strainedPercent {
			debug.SetGCPercent(s.former) // the operator saves more memory
		}
	}
	return s.end
}

func (s *strain) end() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.running--; s.running == 0 {
		debug.SetGCPercent(s.former)
	}
}
