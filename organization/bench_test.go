package organization_test

import (
	"encoding/binary"
	"encoding/json"
	"runtime"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/organization"
)

const (
	manyHolders       = 1_000
	manyShareholdings = 100_000
)

// crowded gives an organization of 1,000 members who hold 100,000 certificates, made
// from the JSON of its events as a replay does, and one of those events.
func crowded(tb testing.TB) (*organization.State, organization.Event) {
	tb.Helper()
	b := founded(tb)
	var members []organization.MemberID
	for i := range manyHolders {
		var user organization.UserID
		binary.BigEndian.PutUint64(user[:], uint64(i+1)*0x9E3779B97F4A7C15)
		events, err := organization.Decide(b.state, adding(user, "Holder of Shares", organization.RoleInvestor), organization.Moment{Now: b.now, NewID: b.newID})
		if err != nil {
			tb.Fatal(err)
		}
		b.state.Apply(events[0], captable.Stamp{Sequence: uint64(i)})
		members = append(members, events[0].(organization.MemberAdded).Member.ID)
	}
	b.issue(captable.HolderRef{Member: members[0]}, 1)
	var class captable.SecurityID
	for security := range b.state.Table().Securities() {
		class = security.ID
	}
	decoder := organization.NewDecoder()
	var event organization.Event
	for i := range manyShareholdings {
		command := organization.Table{Command: captable.IssueShareholding{
			HolderRef: captable.HolderRef{Member: members[i%manyHolders]}, Security: class, Shares: exact.NewDecimal(100), IssueDate: exact.MustDate("2025-03-01"),
			ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: &captable.Price{Amount: exact.MustDecimal("1.25")}},
		}}
		events, err := organization.Decide(b.state, command, organization.Moment{Now: b.now, NewID: b.newID})
		if err != nil {
			tb.Fatal(err)
		}
		payload, err := json.Marshal(events[0])
		if err == nil {
			event, err = decoder.Decode(events[0].EventType(), payload)
		}
		if err != nil {
			tb.Fatal(err)
		}
		b.state.Apply(event, captable.Stamp{Sequence: uint64(i), At: captable.InstantOf(b.now)})
	}
	return b.state, event
}

func BenchmarkRestore(b *testing.B) { // of 100,000 shareholdings
	state, _ := crowded(b)
	snapshot := state.Snapshot()
	b.ReportAllocs()
	b.ReportMetric(float64(len(snapshot)/manyShareholdings), "snapshot-B/shareholding") //nolint:forbidigo // the testing package takes no other number
	for b.Loop() {
		if _, err := organization.Restore(snapshot); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) { // of 100,000 shareholdings
	state, _ := crowded(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = state.Snapshot()
	}
}

func BenchmarkDecode(b *testing.B) {
	_, event := crowded(b)
	payload, err := json.Marshal(event)
	if err != nil {
		b.Fatal(err)
	}
	decoder := organization.NewDecoder()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decoder.Decode(event.EventType(), payload); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMemory(b *testing.B) { // of 100,000 shareholdings, live and restored
	for b.Loop() {
		before := heap()
		state, _ := crowded(b)
		live := heap() - before
		snapshot := state.Snapshot()
		runtime.KeepAlive(state) // and no longer
		before = heap()
		again, err := organization.Restore(snapshot)
		if err != nil {
			b.Fatal(err)
		}
		restored := heap() - before
		runtime.KeepAlive(again)
		b.ReportMetric(float64(live/manyShareholdings), "live-B/shareholding")         //nolint:forbidigo // the testing package takes no other number
		b.ReportMetric(float64(restored/manyShareholdings), "restored-B/shareholding") //nolint:forbidigo // the testing package takes no other number
	}
}

// heap is how many bytes are in use when all that is not was collected.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkPermissions(b *testing.B) { // as every request asks for them
	state, _ := crowded(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := state.Permissions(owner); !ok {
			b.Fatal("the owner has none")
		}
	}
}
