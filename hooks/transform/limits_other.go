//go:build !(linux || darwin) || race

package transform

// limitProcess does nothing: the watch and the parent bound the process. The race detector needs more memory than a transform may use.
func limitProcess() {}
