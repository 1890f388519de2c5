package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func cancel(id captable.ShareholdingID, shares, on string) captable.CancelShareholding {
	command := captable.CancelShareholding{ID: id, Date: exact.MustDate(on), Reason: "forfeited"}
	if shares != "" {
		command.Shares = figure(shares)
	}
	return command
}

func repurchase(id captable.ShareholdingID, shares, on string) captable.RepurchaseShareholding {
	return captable.RepurchaseShareholding{ID: id, Shares: number(shares), Price: price("1.10"), Date: exact.MustDate(on)}
}

func TestCancelShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a partial cancellation leaves a balance and makes the cancelled shares available", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		event := b.ended(cancel(id, "20", "2025-06-01"))
		equal(t, "event", event.EventType(), "shareholdingCancelled")
		equal(t, "balance", b.holding(event.Balance.ID).Shares.String(), "40")
		equal(t, "results", len(event.Results), 0)
		equal(t, "reason", b.holding(id).End.Reason, "forfeited")
		b.totals(class, "40", "40", "0", "60")
	})
	t.Run("a cancellation without a quantity cancels all shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		event := b.ended(cancel(b.issue(ada, class, "60", today), "", today))
		equal(t, "shares", event.Shares.String(), "60")
		b.totals(class, "0", "0", "0", "100")
	})
	t.Run("a refused cancellation names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-01-02")
		b.refused(captable.CancelShareholding{ID: id, Shares: figure("0")}, fault.Invalid, "/reason required", "/date required", "/shares notPositive")
		b.refused(cancel(id, "1.5", "2025-01-01"), fault.Invalid, "/date beforeIssue", "/shares notWhole")
		equal(t, "available", b.refused(cancel(id, "61", today), fault.InsufficientShares)["available"], "60")
		b.refused(cancel(captable.ShareholdingID{9}, "1", today), fault.NotFound)
	})
	t.Run("a cancellation of shares from the treasury retires them", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		b.ended(cancel(b.issue(bob, class, "60", today), "", today))
		b.totals(class, "40", "0", "40", "100")
	})
}

func TestRepurchaseShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a repurchase retires the shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000000")
		id := b.issue(ada, class, "1000", "2025-01-01")
		command := repurchase(id, "300", "2025-06-01")
		command.Reason = "buyback"
		event := b.ended(command)
		equal(t, "event", event.EventType(), "shareholdingRepurchased")
		equal(t, "price", event.Price.Amount.String(), "1.1")
		equal(t, "status", b.holding(id).Status, captable.StatusRepurchased)
		b.totals(class, "700", "700", "0", "999300")
	})
	t.Run("a repurchase to the treasury keeps the shares issued", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		command := repurchase(b.issue(ada, class, "1000", "2025-01-01"), "300", "2025-06-01")
		command.ToTreasury = true
		b.ended(command)
		b.totals(class, "1000", "700", "300", "4300")
		for day, want := range map[string]string{"2025-05-31": "0", "2025-06-01": "300"} {
			equal(t, day, b.treasuryOn(day), want)
			equal(t, day+" issued", b.on(day).Totals.Issued.String(), "1000")
		}
	})
	t.Run("a refused repurchase names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-01-02")
		command := repurchase(id, "-1", "2025-01-01")
		command.Price = &captable.Price{Amount: number("-1"), Currency: "x"}
		b.refused(command, fault.Invalid, "/price negative", "/price/currency pattern", "/date beforeIssue", "/shares notPositive")
		b.refused(captable.RepurchaseShareholding{ID: id}, fault.Invalid, "/price required", "/date required", "/shares notPositive")
		b.refused(repurchase(id, "0.5", "2027-01-01"), fault.Invalid, "/date dateInFuture", "/shares notWhole")
		equal(t, "available", b.refused(repurchase(id, "61", today), fault.InsufficientShares)["available"], "60")
		b.refused(repurchase(captable.ShareholdingID{9}, "1", today), fault.NotFound)
	})
}
