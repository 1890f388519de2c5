package timeline_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/timeline"
)

func TestLine(t *testing.T) {
	t.Parallel()
	t.Run("a line agrees with a sum over a list of changes", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			line, changes := timeline.Line{}, map[exact.Date]exact.Decimal{}
			for range rapid.IntRange(0, 60).Draw(draw, "changes") {
				day := exact.Date(rapid.Int32Range(1, 30).Draw(draw, "day"))
				change := exact.NewDecimal(rapid.Int64Range(-5, 5).Draw(draw, "change"))
				line, changes[day] = line.Add(day, change), changes[day].Add(change)
			}
			value := func(day exact.Date) (sum exact.Decimal) {
				for changed, change := range changes {
					if changed <= day {
						sum = sum.Add(change)
					}
				}
				return sum
			}
			from := exact.Date(rapid.Int32Range(0, 31).Draw(draw, "from"))
			to := from + exact.Date(rapid.Int32Range(0, 31).Draw(draw, "length"))
			most := value(from)
			for day := from; day <= to; day++ {
				most = most.Max(value(day))
			}
			if got := line.Most(from, to); !got.Equal(most) {
				draw.Fatalf("the most from %d to %d is %s, want %s", from, to, got, most)
			}
			if got := line.On(from); !got.Equal(value(from)) {
				draw.Fatalf("the value on %d is %s, want %s", from, got, value(from))
			}
			last := exact.Date(0)
			for day, got := range line.Days() {
				if !got.Equal(value(day)) || day <= last {
					draw.Fatalf("the value on %d is listed as %s, want %s", day, got, value(day))
				}
				last = day
			}
		})
	})
	t.Run("a later change does not change an earlier line", func(t *testing.T) {
		t.Parallel()
		var lines []timeline.Line
		line := timeline.Line{}
		for day := range exact.Date(100) {
			line = line.Add(day*37%101, exact.NewDecimal(1))
			lines = append(lines, line)
		}
		for i := range slices.Backward(lines) {
			if got := lines[i].On(200); !got.Equal(exact.NewDecimal(int64(i + 1))) {
				t.Errorf("line %d is %s", i, got)
			}
		}
	})
}

func BenchmarkAddInThePast(b *testing.B) {
	line := timeline.Line{}
	for day := range exact.Date(4000) {
		line = line.Add(day, exact.NewDecimal(1))
	}
	b.ReportAllocs()
	i := exact.Date(0)
	for b.Loop() {
		i += 1237
		_ = line.Add(i%4000, exact.NewDecimal(1)).Most(i%4000, 5000)
	}
}
