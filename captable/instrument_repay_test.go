package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestRepaying(t *testing.T) {
	t.Parallel()
	t.Run("a repayment reduces the interest first, or the principal only", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "1100", "2025-04-11"))
		b.owes(id, "2025-04-11", "9000", "0")
		other := b.instrument(note(ada, "2025-01-01"))
		command := repay(other, "1100", "2025-04-11")
		command.InterestFirst = false
		b.do(command)
		b.owes(other, "2025-04-11", "9000", "100")
		b.owes(other, "2025-04-10", "10099", "99")
	})
	t.Run("a repayment beyond the balance is refused with the figures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		figures := b.refused(repay(id, "10100.01", "2025-04-11"), fault.Conflict)
		equal(t, "balance", figures["balance"], "10100")
		equal(t, "requested", figures["requested"], "10100.01")
	})
	t.Run("a repayment of the whole balance ends the debt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "10100", "2025-04-11"))
		equal(t, "status", b.right(id).Status, captable.StatusRepaid)
		b.owes(id, "2025-04-11", "0", "0")
		b.owes(id, "2025-04-10", "10099", "99")
		b.refused(repay(id, "1", "2025-04-11"), fault.Conflict)
	})
	for amount, settled := range map[string]bool{"10136.99": true, "10136.9863013699": true, "10136.98": false} {
		t.Run("a repayment of "+amount+" of 10136.98630136986… ends the debt only if it covers it", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			command := note(ada, "2025-01-01")
			command.Interest.Rates[0].Rate = number("0.05")
			id := b.instrument(command)
			b.owes(id, "2025-04-11", "10136.9863013699", "136.9863013699")
			b.do(repay(id, amount, "2025-04-11"))
			equal(t, "settled", b.right(id).Status == captable.StatusRepaid, settled)
		})
	}
	t.Run("a repayment is accepted for notes and custom agreements only", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equal(t, "kind", b.refused(repay(b.instrument(safe(ada, "1", today)), "1", today), fault.Conflict)["kind"], "safe")
		b.refused(repay(b.instrument(warrant(ada, b.common("1"), "1", today)), "1", today), fault.Conflict)
		b.refused(repay(captable.InstrumentID{1}, "1", today), fault.NotFound)
		custom := note(ada, today)
		custom.Kind = captable.KindCustom
		b.do(repay(b.instrument(custom), "1", today))
	})
	t.Run("a repayment in another currency, of zero or before the last one is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "1", "2025-04-11"))
		command := repay(id, "0", "2025-04-10")
		command.Amount.Currency = "EUR"
		b.refused(command, fault.Invalid, "/date datesOutOfOrder", "/amount notPositive", "/amount/currency otherCurrency")
	})
	t.Run("a repayment after a partial transfer reduces only the remaining part", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		ended := b.do(transferInstrument(id, bob, "5000", "2025-04-11"))[0].(captable.InstrumentEnded)
		b.refused(repay(ended.Balance.ID, "5050.01", "2025-04-11"), fault.Conflict)
		b.do(repay(ended.Balance.ID, "50", "2025-04-21"))
		b.owes(ended.Balance.ID, "2025-04-21", "5005", "5")
		b.owes(ended.Result.ID, "2025-04-21", "5055", "55")
		was, _ := b.right(ended.Balance.ID).On(exact.MustDate("2025-04-20"))
		equal(t, "repayments before", len(was.Account.Repayments), 0)
	})
}
