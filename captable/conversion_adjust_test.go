package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestAdjustingConversions(t *testing.T) {
	t.Parallel()
	adjust := func(id captable.SecurityID, ratio, on string) captable.AdjustConversion {
		return captable.AdjustConversion{ID: id, Ratio: number(ratio), Date: exact.MustDate(on)}
	}
	t.Run("an adjustment changes the fully diluted shares from its date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, class := b.convertible("1000", "1")
		b.issue(ada, class, "100", "2025-01-01")
		b.do(adjust(class, "1.25", "2025-06-01"))
		equal(t, "before", b.on("2025-05-31").Totals.FullyDiluted.String(), "100")
		equal(t, "after", b.on("2025-06-01").Totals.FullyDiluted.String(), "125")
	})
	t.Run("an adjustment without a conversion, without a ratio or before the last one is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1")
		b.refused(adjust(common, "2", today), fault.Conflict)
		b.refused(adjust(class, "0", "2030-01-01"), fault.Invalid, "/date dateInFuture", "/ratio notPositive")
		b.do(adjust(class, "1.25", "2025-06-01"))
		b.refused(adjust(class, "1.5", "2025-05-31"), fault.Invalid, "/date datesOutOfOrder")
		b.do(split(class, "2", "1", "2025-07-01"))
		b.refused(adjust(class, "1.5", "2025-05-31"), fault.Invalid, "/date datesOutOfOrder")
		b.do(adjust(class, "1.5", "2025-06-30"))
		equal(t, "restated by the split", b.class(class).Conversion.Ratio.String(), "0.75")
		b.refused(adjust(captable.SecurityID{1}, "1", today), fault.NotFound)
	})
}
