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

// crowded returns an organization with 1,000 members and 100,000 certificates, decoded from the JSON of its events
// as in a replay, and one of those events.
func crowded(tb testing.TB) (*organization.State, organization.Event) {
	tb.Helper()
	b := founded(tb)
	var members []organization.MemberID
	for i := range manyHolders {
		var user organization.UserID
		binary.BigEndian.PutUint64(user[:], uint64(i+1)*0x9E3779B97F4A7C15)
		events, err := organization.Decide(
			b.state, adding(user, "Holder of Shares", organization.RoleInvestor), organization.DecideContext{Now: b.now, NewID: b.newID},
		)
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
	decoder := organization.NewSchema()
	var event organization.Event
	for i := range manyShareholdings {
		command := organization.Table{Command: captable.IssueShareholding{
			HolderRef: captable.HolderRef{Member: members[i%manyHolders]}, Security: class, Shares: exact.NewDecimal(100),
			IssueDate:           exact.MustDate("2025-03-01"),
			ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: &captable.Price{Amount: exact.MustDecimal("1.25")}},
		}}
		events, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, NewID: b.newID})
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
	b.ReportMetric(float64(len(snapshot)/manyShareholdings), "snapshot-B/shareholding") //nolint:forbidigo // ReportMetric accepts float64 only
	for b.Loop() {
		if _, err := restore(snapshot); err != nil {
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
	decoder := organization.NewSchema()
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
		runtime.KeepAlive(state) // keep the state until the measurement
		before = heap()
		again, err := restore(snapshot)
		if err != nil {
			b.Fatal(err)
		}
		restored := heap() - before
		runtime.KeepAlive(again)
		b.ReportMetric(float64(live/manyShareholdings), "live-B/shareholding")         //nolint:forbidigo // ReportMetric accepts float64 only
		b.ReportMetric(float64(restored/manyShareholdings), "restored-B/shareholding") //nolint:forbidigo // ReportMetric accepts float64 only
	}
}

// heap returns the bytes in use after a garbage collection.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkPermissions(b *testing.B) { // every request reads the permissions
	state, _ := crowded(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := state.Permissions(owner); !ok {
			b.Fatal("the owner has none")
		}
	}
}
