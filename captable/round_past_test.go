package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// The outcome of a round of a past day is the same before and after convertibles end on later days.
func TestRoundsOfAPastDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		b, _ := founded(t)
		issued := exact.MustDate("2025-02-01")
		var safes []captable.InstrumentID
		for range rapid.IntRange(1, 3).Draw(draw, "convertibles") {
			command := postMoney(bob)
			command.IssueDate = issued
			safes = append(safes, b.instrument(command))
		}
		end := issued + captable.Date(rapid.IntRange(1, 9).Draw(draw, "end"))
		planned := func(day captable.Date) string {
			terms := priced()
			terms.Date = day
			return text(b, b.outcome(terms))
		}
		before := map[captable.Date]string{}
		for day := issued; day <= end; day++ {
			before[day] = planned(day)
		}
		b.do(captable.CancelInstrument{ID: rapid.SampledFrom(safes).Draw(draw, "ended"), Date: end, Reason: "waived"})
		for day := issued; day < end; day++ {
			equal(t, "round of "+day.String(), planned(day), before[day])
		}
		if planned(end) == before[end] {
			draw.Fatal("the end of the convertible does not change the round of its day")
		}
	})
}
