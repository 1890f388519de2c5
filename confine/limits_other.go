//go:build !(linux || darwin) || race

package confine

// limitProcess limits nothing: the watch and the parent bound the process. The race detector needs more memory than a child may use.
func limitProcess(Limits) error {
	preferAsVictim()
	return nil
}
