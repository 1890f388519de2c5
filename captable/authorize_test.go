package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func authorize(id captable.SecurityID, quantity, from string) captable.AuthorizeShares {
	return captable.AuthorizeShares{ID: id, Quantity: number(quantity), EffectiveDate: exact.MustDate(from)}
}

func TestAuthorizeShares(t *testing.T) {
	t.Parallel()
	t.Run("an authorization adds to the limit and keeps the approvals in the event", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("500000")
		command := authorize(id, "250000", today)
		command.BoardApprovalDate, command.StockholderApprovalDate = exact.MustDate("2025-12-01"), exact.MustDate("2025-12-02")
		event := b.do(command)[0].(captable.SharesAuthorized)
		equal(t, "board", event.BoardApprovalDate.String(), "2025-12-01")
		equal(t, "stockholders", event.StockholderApprovalDate.String(), "2025-12-02")
		b.totals(id, "0", "0", "0", "750000")
	})
	t.Run("a refused authorization names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("10")
		b.refused(authorize(id, "0.5", "2026-01-17"), fault.Invalid, "/effectiveDate dateInFuture", "/quantity notWhole")
		b.refused(captable.AuthorizeShares{ID: id}, fault.Invalid, "/effectiveDate required", "/quantity notPositive")
		b.refused(authorize(id, "-1", today), fault.Invalid, "/quantity notPositive")
		b.refused(authorize(captable.SecurityID{9}, "1", today), fault.NotFound)
	})
	t.Run("an authorization beyond the largest number is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("9999999999999999999")
		b.refused(authorize(id, "1", today), fault.Invalid, "/quantity tooLarge")
	})
	t.Run("a stated total may be lower than before, but not below the issued shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.issue(ada, id, "60", today)
		command := authorize(id, "0", today)
		command.Total = new(limit("60"))
		b.do(command)
		b.totals(id, "60", "60", "0", "0")
		command.Total = new(limit("59"))
		b.refused(command, fault.Conflict)
		command.Total = new(limit("unlimited"))
		b.do(command)
		b.totals(id, "60", "60", "0", "unlimited")
	})
}

func TestAuthorizedOfThePast(t *testing.T) {
	t.Parallel()
	authorized := func(b *bundle, day string) string {
		classes := b.on(day).Securities
		if len(classes) == 0 {
			return "not listed"
		}
		return classes[0].Authorized.String()
	}

	t.Run("an authorization counts from its effective date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.do(authorize(b.common("100"), "50", "2025-06-01"))
		for day, want := range map[string]string{"1999-01-01": "100", "2025-05-31": "100", "2025-06-01": "150", today: "150"} {
			equal(t, day, authorized(b, day), want)
		}
	})
	t.Run("a late authorization counts from its day before other authorizations", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.do(authorize(id, "50", "2025-06-01"))
		b.do(authorize(id, "25", "2025-01-01"))
		for day, want := range map[string]string{"2024-12-31": "100", "2025-01-01": "125", "2025-05-31": "125", "2025-06-01": "175", today: "175"} {
			equal(t, day, authorized(b, day), want)
		}
		equal(t, "now", b.class(id).AuthorizedShares.String(), "175")
	})
	t.Run("an earlier authorization counts before a replacement of today", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: preferred("A")})
		b.do(authorize(id, "25", "2025-01-01"))
		for day, want := range map[string]string{"2025-01-01": "125", today: "1025"} {
			equal(t, day, authorized(b, day), want)
		}
	})
	t.Run("an unlimited total and a later limit count from their dates on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.do(authorize(id, "50", "2025-06-01"))
		free := authorize(id, "0", "2025-03-01")
		free.Total = new(limit("unlimited"))
		b.do(free)
		for day, want := range map[string]string{"2025-02-28": "100", "2025-03-01": "unlimited", "2025-06-01": "unlimited"} {
			equal(t, day, authorized(b, day), want)
		}
		bound := authorize(id, "0", "2025-05-01")
		bound.Total = new(limit("70"))
		b.do(bound)
		for day, want := range map[string]string{"2025-04-30": "unlimited", "2025-05-01": "70", "2025-06-01": "70", today: "70"} {
			equal(t, day, authorized(b, day), want)
		}
	})
	t.Run("the record's history is in the order of the dates", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		for _, day := range []string{"2025-06-01", "2025-01-01", "2025-03-01", "2025-03-01"} {
			b.do(authorize(id, "1", day))
		}
		last := captable.Date(0)
		for _, change := range b.class(id).Authorizations {
			if change.EffectiveDate < last {
				t.Errorf("%s comes after %s", change.EffectiveDate, last)
			}
			last = change.EffectiveDate
		}
	})
}
