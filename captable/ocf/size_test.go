package ocf_test

import (
	"runtime"
	"testing"

	"equity/captable"
	"equity/captable/ocf"
)

// TestReadPackageIsCompact compares the memory of a package with that of the cap table that it makes. Decoded maps of its
// fields alone would take five times as much as the cap table.
//
//nolint:paralleltest // the runtime counts the heap of the whole process
func TestReadPackageIsCompact(t *testing.T) {
	w := setup(t)
	files := large(20_000)
	before := liveHeap()
	p, _ := ocf.Read(files)
	read := liveHeap() - before
	p.Prepare(w.newID)
	entities := map[string]captable.EntityID{}
	for _, s := range p.Stakeholders {
		entities[s.ID], w.holders[s.Entity] = s.Entity, s.Name
	}
	table := captable.NewState()
	before = liveHeap()
	d := &draft{world: w, state: table}
	if findings := p.Enter(entities, d); findings.Refused() {
		t.Fatal(findings.Refusals())
	}
	d.events = nil
	entered := liveHeap() - before
	runtime.KeepAlive(p)
	runtime.KeepAlive(table)
	if read > 2*entered {
		t.Errorf("the package takes %d kB, more than twice the %d kB of the cap table", read>>10, entered>>10)
	}
}

// liveHeap returns the bytes of live objects.
func liveHeap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
