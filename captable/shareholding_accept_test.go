package captable_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestAcceptShareholding(t *testing.T) {
	t.Parallel()
	t.Run("an acceptance records its date and changes no total", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2025-02-01")})
		equal(t, "status", b.holding(id).Status, captable.StatusAccepted)
		equal(t, "day", b.holding(id).AcceptedOn.String(), "2025-02-01")
		b.totals(class, "60", "60", "0", "40")
	})
	t.Run("an acceptance without a date is dated today", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-01-01")
		b.do(captable.AcceptShareholding{ID: id})
		equal(t, "day", b.holding(id).AcceptedOn.String(), today)
	})
	t.Run("an acceptance without a date is not earlier than an issue dated tomorrow", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.now = b.now.Add(5 * time.Hour)
		id := b.issue(ada, b.common("100"), "60", "2026-01-16")
		b.do(captable.AcceptShareholding{ID: id})
		equal(t, "day", b.holding(id).AcceptedOn.String(), "2026-01-16")
	})
	t.Run("an acceptance before the issue, in the future, twice or of ended shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-01-01")
		accept := captable.AcceptShareholding{ID: id, Date: exact.MustDate("2024-12-31")}
		b.refused(accept, fault.Invalid, "/date beforeIssue")
		accept.Date = exact.MustDate("2026-02-01")
		b.refused(accept, fault.Invalid, "/date dateInFuture")
		accept.Date = exact.MustDate("2025-01-01")
		b.do(accept)
		equal(t, "figure", b.refused(accept, fault.Conflict)["acceptedOn"], "2025-01-01")
		b.ended(captable.CancelShareholding{ID: id, Date: exact.MustDate(today), Reason: "r"})
		equal(t, "figure", b.refused(accept, fault.Conflict)["status"], "cancelled")
		b.refused(captable.AcceptShareholding{ID: captable.ShareholdingID{9}}, fault.NotFound)
	})
}

func TestRetractShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a retraction takes all shares back from its date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(captable.RetractShareholding{ID: id, Date: exact.MustDate("2025-06-01"), Reason: "r"})
		equal(t, "status", b.holding(id).Status, captable.StatusRetracted)
		equal(t, "reason", b.holding(id).End.Reason, "r")
		b.totals(class, "0", "0", "0", "100")
		equal(t, "before", b.on("2025-05-31").Totals.Outstanding.String(), "60")
		equal(t, "on that day", b.on("2025-06-01").Totals.Outstanding.String(), "0")
	})
	t.Run("a retraction of accepted shares and an acceptance of retracted ones are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, day := b.common("100"), exact.MustDate(today)
		accepted, retracted := b.issue(ada, class, "1", today), b.issue(ada, class, "2", today)
		b.do(captable.AcceptShareholding{ID: accepted})
		b.refused(captable.RetractShareholding{ID: accepted, Date: day}, fault.Conflict)
		b.refused(captable.ReplaceShareholding{Kind: captable.StatusRetracted, From: []captable.ShareholdingID{accepted}, Date: day}, fault.Conflict)
		b.do(captable.RetractShareholding{ID: retracted, Date: day})
		b.refused(captable.AcceptShareholding{ID: retracted, Date: day}, fault.Conflict)
		b.refused(captable.RetractShareholding{ID: retracted, Date: day}, fault.Conflict)
	})
	t.Run("a retraction returns shares from the treasury to the treasury", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		id := b.issue(bob, class, "60", "2025-02-01")
		b.totals(class, "100", "60", "40", "40")
		b.do(captable.RetractShareholding{ID: id, Date: exact.MustDate("2025-03-01")})
		b.totals(class, "100", "0", "100", "100")
		equal(t, "in between", b.on("2025-02-15").Totals.Treasury.String(), "40")
		equal(t, "afterwards", b.on("2025-03-01").Totals.Treasury.String(), "100")
	})
	t.Run("a partial retraction is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		b.refused(captable.ReplaceShareholding{
			Kind: captable.StatusRetracted, From: []captable.ShareholdingID{id}, Shares: number("10"), Date: exact.MustDate(today),
		}, fault.Conflict)
	})
	t.Run("a retraction without a date or before the issue is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		b.refused(captable.RetractShareholding{ID: id}, fault.Invalid, "/date required")
		b.refused(captable.RetractShareholding{ID: id, Date: exact.MustDate("2026-01-14")}, fault.Invalid, "/date beforeIssue")
	})
}
