package conversion_test

import (
	"math/big"
	"testing"

	"equity/captable/conversion"
)

// TestThirty360 counts days by the interest on 360 at 100 % per year, which is one per day.
func TestThirty360(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		days     int64
	}{
		{"2023-01-01", "2023-02-01", 30},
		{"2023-01-15", "2023-07-15", 180},
		{"2023-01-30", "2023-01-31", 0},
		{"2023-01-31", "2023-02-01", 1},
		{"2023-01-31", "2023-03-31", 60},
		{"2023-01-30", "2023-03-31", 60},
		{"2023-01-29", "2023-03-31", 62},
		{"2023-02-28", "2023-03-31", 30},
		{"2023-02-28", "2024-02-28", 358},
		{"2023-02-28", "2024-02-29", 360},
		{"2024-02-29", "2025-02-28", 360},
		{"2024-02-28", "2024-02-29", 1},
		{"2024-02-29", "2024-03-01", 1},
		{"2024-01-31", "2024-02-29", 29},
		{"2024-02-29", "2024-08-31", 180},
		{"2023-12-31", "2024-12-31", 360},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			t.Parallel()
			terms := at("1", c.from, func(i *conversion.Interest) { i.DayCount = conversion.Thirty360 })
			same(t, "days", terms.Accrued(number("360"), day(c.from), day(c.to)), big.NewRat(c.days, 1).RatString())
		})
	}
}
