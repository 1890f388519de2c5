package exact_test

import (
	"testing"

	"equity/captable/exact"
)

func TestDatesEndWithTheYear9999(t *testing.T) {
	t.Parallel()
	last := exact.MustDate("9999-12-31")
	if last != exact.MaxDate {
		t.Errorf("MaxDate is %s", exact.MaxDate)
	}
	for _, later := range []exact.Date{last + 1, last.AddMonths(1), last.AddMonths(1200)} {
		if later.String() != "9999-12-31" {
			t.Errorf("%d is written as %s", later, later)
		}
	}
}
