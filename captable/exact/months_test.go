package exact_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
)

func TestAddMonths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim, from string
		months      int
		to          string
	}{
		{"keeps the day of the month", "2023-01-15", 1, "2023-02-15"},
		{"ends with a short month", "2023-01-31", 1, "2023-02-28"},
		{"knows leap years", "2024-01-31", 1, "2024-02-29"},
		{"comes back to the 31st when counted from the first day", "2023-01-31", 2, "2023-03-31"},
		{"goes over the end of the year", "2023-11-30", 3, "2024-02-29"},
		{"goes back", "2024-03-31", -1, "2024-02-29"},
		{"goes back over the beginning of the year", "2024-01-31", -13, "2022-12-31"},
		{"adds years", "2020-02-29", 12, "2021-02-28"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			equal(t, c.from, exact.MustDate(c.from).AddMonths(c.months), exact.MustDate(c.to))
		})
	}
	t.Run("a date with one more month is later", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			from := exact.Date(rapid.Int32Range(1, int32(exact.MustDate("9900-01-01"))).Draw(t, "from"))
			months := rapid.IntRange(0, 600).Draw(t, "months")
			if one, next := from.AddMonths(months), from.AddMonths(months+1); next <= one || next > one+31 {
				t.Fatalf("%s: %d months is %s, one more %s", from, months, one, next)
			}
		})
	})
}
