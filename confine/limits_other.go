//go:build !(linux || darwin) || race

package confine

import "time"

// limitProcess limits nothing: the watch and the parent bound the process. The race detector needs more memory than a child may use.
func limitProcess(Limits) error {
	preferAsVictim()
	return nil
}

// processorTime returns 0: the time of the process bounds it.
func processorTime() time.Duration { return 0 }
