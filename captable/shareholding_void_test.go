package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestVoidShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a void removes shares from all totals, also past ones, and keeps author, time and reason", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(captable.VoidShareholding{ID: id, Reason: "  entered twice "})
		b.totals(class, "0", "0", "0", "100")
		equal(t, "of the past", b.on("2025-06-01").Totals.Outstanding.String(), "0")
		h := b.holding(id)
		equal(t, "status", h.Status, captable.StatusVoided)
		equal(t, "shares", h.Shares.String(), "60")
		equal(t, "end", text(t, h.End), `{"date":"2026-01-15","reason":"entered twice","at":"2026-01-15T09:00:00Z","by":"tester"}`)
	})
	t.Run("accepted shares can be voided", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(captable.AcceptShareholding{ID: id})
		b.do(captable.VoidShareholding{ID: id})
		b.totals(class, "0", "0", "0", "100")
	})
	t.Run("a void of voided, unknown or ended shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id, other := b.issue(ada, class, "60", today), b.issue(ada, class, "10", today)
		b.do(captable.VoidShareholding{ID: id})
		b.refused(captable.VoidShareholding{ID: id}, fault.Conflict)
		b.refused(captable.VoidShareholding{ID: captable.ShareholdingID{9}}, fault.NotFound)
		b.ended(captable.CancelShareholding{ID: other, Date: exact.MustDate(today), Reason: "r"})
		equal(t, "figure", b.refused(captable.VoidShareholding{ID: other}, fault.Conflict)["status"], "cancelled")
	})
	t.Run("a void of transferred shares, or of the results of a transfer, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		moved := b.ended(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("20"), Date: exact.MustDate(today), Kind: "gift",
		})
		b.refused(captable.VoidShareholding{ID: id}, fault.HasResults)
		b.refused(captable.VoidShareholding{ID: moved.Results[0].ID}, fault.HasResults)
		b.refused(captable.VoidShareholding{ID: moved.Balance.ID}, fault.HasResults)
	})
	t.Run("a void of split shares removes their quantity of each day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(bob, class, "10", "2025-01-01")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(split(class, "2", "1", "2025-06-01"))
		b.do(captable.VoidShareholding{ID: id})
		b.totals(class, "20", "20", "0", "180")
		equal(t, "before the split", b.on("2025-05-01").Totals.Outstanding.String(), "10")
	})
	t.Run("every change of a voided shareholding is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, day := b.common("100"), exact.MustDate(today)
		id := b.issue(ada, class, "60", today)
		b.do(captable.VoidShareholding{ID: id})
		for _, command := range []captable.Command{
			captable.AcceptShareholding{ID: id, Date: day},
			captable.AmendShareholding{ID: id, Patch: []byte(`{"block":"A"}`)},
			captable.CorrectShareholding{ID: id, HolderRef: holder(bob), Security: class, Shares: number("1"), IssueDate: day, Reason: "r"},
			captable.TransferShareholding{Shareholding: id, To: holder(bob), Shares: number("1"), Date: day, Kind: "sale"},
			captable.CancelShareholding{ID: id, Date: day, Reason: "r"},
			captable.RepurchaseShareholding{ID: id, Shares: number("1"), Price: price("1"), Date: day},
			captable.RetractShareholding{ID: id, Date: day},
			captable.ConvertShareholding{ID: id, Security: class, Date: day},
			captable.ReplaceShareholding{Kind: captable.StatusCancelled, From: []captable.ShareholdingID{id}, Date: day},
		} {
			b.refused(command, fault.Conflict)
		}
	})
}
