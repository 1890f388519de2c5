package captable_test

import (
	"testing"
	"time"

	"equity/captable"
)

func TestLatestDate(t *testing.T) {
	t.Parallel()
	t.Run("the latest date is today in the earliest time zone", func(t *testing.T) {
		t.Parallel()
		moment := captable.DecideContext{Now: time.Date(2026, time.January, 15, 9, 59, 0, 0, time.UTC)}
		equal(t, "before ten", moment.Latest().String(), "2026-01-15")
		moment.Now = moment.Now.Add(time.Minute)
		equal(t, "from ten on", moment.Latest().String(), "2026-01-16")
		moment.Now = time.Date(2026, time.January, 15, 20, 0, 0, 0, time.FixedZone("west", -12*3600))
		equal(t, "told in the west", moment.Latest().String(), "2026-01-16")
	})
}
