package captable_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
)

// limitedUntil returns a company with 100 shares authorized in 2025, no limit from 2025-02-01 on,
// 70 shares from 2025-03-01 on and the given limit from 2025-04-01 on.
func limitedUntil(t *testing.T, last string) (b *bundle, id captable.SecurityID) {
	t.Helper()
	b = setup(t)
	id = b.common("100")
	for _, change := range [][2]string{{"2025-02-01", "unlimited"}, {"2025-03-01", "70"}, {"2025-04-01", last}} {
		stated := authorize(id, "0", change[0])
		stated.Total = new(limit(change[1]))
		b.do(stated)
	}
	return b, id
}

// Shares that are added before a period without a limit are added before and after the period.
func TestSharesAddedBeforeAnUnlimitedPeriod(t *testing.T) {
	t.Parallel()
	b, id := limitedUntil(t, "80")
	b.do(authorize(id, "5", "2025-01-15"))
	for day, want := range map[string]string{
		"2025-01-14": "100", "2025-01-15": "105", "2025-02-01": "unlimited", "2025-03-01": "75", "2025-04-01": "85",
	} {
		equal(t, "authorized on "+day, b.on(day).Securities[0].Authorized.String(), want)
	}
}

// Shares cannot be added before a period with a limit if the class has no limit at present. The
// event states the last limit only, so that it would remove the limit of the period.
func TestSharesAddedBeforeALimitThatFellAwayAreRefused(t *testing.T) {
	t.Parallel()
	b, id := limitedUntil(t, "unlimited")
	for _, day := range []string{"2025-01-15", "2025-02-15", "2025-03-15"} {
		b.refused(authorize(id, "5", day), fault.Conflict, "/effectiveDate beforeUnlimited")
	}
	b.do(authorize(id, "5", "2025-04-01"))
	equal(t, "the limit of the period", b.on("2025-03-15").Securities[0].Authorized.String(), "70")
}
