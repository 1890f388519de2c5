package captable_test

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// manyHolders is the number of holders in the register of each benchmark.
const manyHolders = 1000

func nthHolder(i int) (entity captable.EntityID) {
	binary.BigEndian.PutUint64(entity[:], uint64(i%manyHolders+1)*0x9E3779B97F4A7C15)
	return entity
}

// busy returns a cap table with one class without an authorized limit, and a function that
// creates the command for the i-th certificate.
func busy(b *testing.B) (*bundle, func(i int) captable.IssueShareholding) {
	b.Helper()
	table := setup(b)
	for i := range manyHolders {
		table.holders[nthHolder(i)] = "Holder of Shares"
	}
	class := table.common("unlimited")
	return table, func(i int) captable.IssueShareholding {
		command := issue(nthHolder(i), class, "100", "2025-03-01")
		command.PricePerShare = price("1.25")
		return command
	}
}

// issued decides one command and applies its event, as an actor does.
func issued(b *testing.B, table *bundle, command captable.Command, sequence uint64) captable.Event {
	b.Helper()
	events, err := captable.Decide(table.state, command, table.moment())
	if err != nil {
		b.Fatal(err)
	}
	table.state.Apply(events[0], captable.Stamp{Sequence: sequence, At: 1, By: "bench"})
	return events[0]
}

func BenchmarkIssue(b *testing.B) {
	table, next := busy(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		issued(b, table, next(i), uint64(i))
		i++
	}
}

func BenchmarkIssuePublished(b *testing.B) { // includes the copy that an actor publishes after a batch of 16
	table, next := busy(b)
	b.ReportAllocs()
	i := 0
	var view *captable.State
	for b.Loop() {
		issued(b, table, next(i), uint64(i))
		if i++; i%16 == 0 {
			view = table.state.Copy()
		}
	}
	_ = view
}

func BenchmarkTransfer(b *testing.B) {
	table, next := busy(b)
	id := issued(b, table, next(1), 1).(captable.ShareholdingIssued).ID
	b.ReportAllocs()
	i := 1
	for b.Loop() {
		i++
		command := transfer(id, nthHolder(i), "100", "2025-03-01")
		id = issued(b, table, command, uint64(i)).(captable.ShareholdingEnded).Results[0].ID
	}
}

func BenchmarkEventEncode(b *testing.B) {
	table, next := busy(b)
	event := issued(b, table, next(1), 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(event); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEventDecode(b *testing.B) {
	table, next := busy(b)
	event := issued(b, table, next(1), 1)
	payload, err := json.Marshal(event)
	if err != nil {
		b.Fatal(err)
	}
	decode := captable.Decoders()[event.EventType()]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(payload); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTable(b *testing.B) { // with a thousand holders
	table, next := busy(b)
	for i := range manyHolders {
		issued(b, table, next(i), uint64(i))
	}
	day := exact.MustDate(today)
	b.ReportAllocs()
	for b.Loop() {
		_ = table.state.TableOn(day, func(captable.EntityID) string { return "Holder of Shares" })
	}
}

func BenchmarkSplit(b *testing.B) { // with ten thousand certificates
	table, next := busy(b)
	for i := range 10_000 {
		issued(b, table, next(i), uint64(i))
	}
	class := next(0).Security
	b.ReportAllocs()
	for b.Loop() {
		state := table.state.Copy()
		events, err := captable.Decide(state, split(class, "2", "1", today), table.moment())
		if err != nil {
			b.Fatal(err)
		}
		state.Apply(events[0], captable.Stamp{})
	}
}
