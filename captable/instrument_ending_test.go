package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// transferInstrument returns a command to transfer the amount of principal, or the whole
// instrument if the amount is empty.
func transferInstrument(id captable.InstrumentID, to captable.EntityID, amount, on string) captable.TransferInstrument {
	command := captable.TransferInstrument{ID: id, To: holder(to), Date: exact.MustDate(on), Kind: "sale"}
	if amount != "" {
		command.Amount = &captable.Price{Amount: number(amount)}
	}
	return command
}

func cancelInstrument(id captable.InstrumentID, on string) captable.CancelInstrument {
	return captable.CancelInstrument{ID: id, Date: exact.MustDate(on), Reason: "waived"}
}

func TestAcceptingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("an acceptance before the issue and a second acceptance are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "1", "2025-01-05"))
		b.refused(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2025-01-04")}, fault.Invalid, "/date beforeIssue")
		b.do(captable.AcceptInstrument{ID: id})
		equal(t, "accepted", b.right(id).AcceptedOn, exact.MustDate(today))
		b.refused(captable.AcceptInstrument{ID: id}, fault.Conflict)
		was, _ := b.right(id).On(exact.MustDate("2025-02-01"))
		equal(t, "before", was.Status, captable.StatusActive)
	})
}

func TestAcceptanceOfAnExpiredWarrantIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	terms := warrant(ada, b.common("10"), "10", "2025-01-01")
	terms.ExpirationDate = exact.MustDate("2025-02-01")
	id := b.instrument(terms)
	b.refused(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2025-02-02")}, fault.Conflict)
	b.do(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2025-02-01")})
}

func TestVoidingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a voided warrant reserves no shares and is voided on every day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		b.do(captable.VoidInstrument{ID: id, Reason: " twice "})
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		equal(t, "left", b.right(id).LeftOn(exact.MustDate("2025-01-02")).String(), "0")
		equal(t, "reason", b.right(id).End.Reason, "twice")
		equal(t, "holds", b.state.Holds(ada), false)
		b.refused(captable.VoidInstrument{ID: id}, fault.Conflict)
		was, _ := b.right(id).On(exact.MustDate("2025-01-02"))
		equal(t, "then", was.Status, captable.StatusVoided)
	})
	t.Run("a void of a cancelled or transferred instrument, or of a transfer result, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "10", today))
		ended := b.do(transferInstrument(id, bob, "", today))[0].(captable.InstrumentEnded)
		b.refused(captable.VoidInstrument{ID: id}, fault.HasResults)
		b.refused(captable.VoidInstrument{ID: ended.Result.ID}, fault.HasResults)
		gone := b.instrument(safe(ada, "1", today))
		b.do(cancelInstrument(gone, today))
		b.refused(captable.VoidInstrument{ID: gone}, fault.Conflict)
		b.refused(captable.VoidInstrument{ID: captable.InstrumentID{1}}, fault.NotFound)
	})
}

func TestTransferringInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a transfer divides a note with its accrued interest", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "50", "2025-04-11"))
		ended := b.do(transferInstrument(id, bob, "2500", "2025-04-21"))[0].(captable.InstrumentEnded)
		b.owes(id, "2025-04-20", "10059", "59")
		b.owes(id, "2025-04-21", "0", "0")
		b.owes(ended.Result.ID, "2025-04-21", "2515", "15")
		b.owes(ended.Balance.ID, "2025-04-21", "7545", "45")
		b.owes(ended.Balance.ID, "2025-05-01", "7552.5", "52.5")
		equal(t, "holders", b.right(ended.Result.ID).Entity == bob && b.right(ended.Balance.ID).Entity == ada, true)
		equal(t, "origin", b.right(ended.Balance.ID).Origin.From[0], id)
		equal(t, "results", len(b.right(id).Results), 2)
	})
	t.Run("the parts of a divided note owe exactly the balance of the whole note", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := note(ada, "2025-01-01")
		command.Principal.Amount = number("9999.99")
		id := b.instrument(command)
		ended := b.do(transferInstrument(id, bob, "3333.33", "2025-04-21"))[0].(captable.InstrumentEnded)
		day := exact.MustDate("2025-12-31")
		whole := setup(t)
		undivided := whole.right(whole.instrument(command)).Owed(day).Balance()
		sum := b.right(ended.Result.ID).Owed(day).Balance()
		sum.Add(sum, b.right(ended.Balance.ID).Owed(day).Balance())
		equal(t, "difference", sum.Cmp(undivided), 0)
	})
	t.Run("a transfer of a warrant does not change the reserved shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		command := captable.TransferInstrument{ID: id, To: holder(bob), Date: exact.MustDate("2025-02-01"), Kind: "gift"}
		command.Quantity = figure("4")
		ended := b.do(command)[0].(captable.InstrumentEnded)
		equal(t, "reserved", b.class(class).Reserved.String(), "10")
		equal(t, "left", b.right(ended.Result.ID).Left.String()+" "+b.right(ended.Balance.ID).Left.String(), "4 6")
		equal(t, "reserved then", b.on("2025-01-31").Securities[0].Reserved.String(), "10")
	})
	t.Run("a refused transfer names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "10", "2025-01-01"))
		command := transferInstrument(id, ada, "0", "2024-12-31")
		command.Quantity, command.Kind, command.Price = figure("1"), "loan", price("-1")
		b.refused(command, fault.Invalid, "/to sameHolder", "/kind enum", "/price negative", "/date beforeIssue",
			"/quantity notOfThisKind", "/amount notPositive")
		b.refused(transferInstrument(id, bob, "10.01", today), fault.InsufficientShares)
	})
	t.Run("a transfer of an expired warrant is refused, and its lapse releases the reserve", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		command := warrant(ada, class, "10", "2025-01-01")
		command.ExpirationDate = exact.MustDate("2025-06-30")
		id := b.instrument(command)
		b.refused(captable.TransferInstrument{ID: id, To: holder(bob), Date: exact.MustDate("2025-07-01"), Kind: "sale"},
			fault.Invalid, "/date expired")
		equal(t, "left", b.right(id).LeftOn(exact.MustDate("2025-06-30")).String(), "10")
		equal(t, "left", b.right(id).LeftOn(exact.MustDate("2025-07-01")).String(), "0")
		equal(t, "reserved", b.class(class).Reserved.String(), "10")
		b.refused(cancelInstrument(id, "2025-07-01"), fault.Invalid, "/date expired")
		b.do(amendInstrument(id, `{"expirationDate":"2025-06-29"}`))
		b.do(captable.ExpireGrants{})
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		b.refused(amendInstrument(id, `{"expirationDate":"2026-01-31"}`), fault.Invalid, "/expirationDate expired")
		b.do(amendInstrument(id, `{"comments":["lapsed"]}`))
	})
	t.Run("a warrant that expired before a recorded split keeps its expiration date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(ada, class, "10", "2025-01-01")
		b.do(split(class, "2", "1", "2025-09-01"))
		command := warrant(ada, class, "10", "2025-01-01")
		command.ExpirationDate = exact.MustDate("2025-06-30")
		b.refused(amendInstrument(b.instrument(command), `{"expirationDate":null}`), fault.Invalid, "/expirationDate expired")
	})
}

func TestCancellingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a partial cancellation leaves a balance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "10", "2025-01-01"))
		command := cancelInstrument(id, today)
		command.Amount = &captable.Price{Amount: number("4")}
		ended := b.do(command)[0].(captable.InstrumentEnded)
		b.owes(ended.Balance.ID, today, "6", "0")
		b.owes(id, today, "0", "0")
		was, _ := b.right(id).On(exact.MustDate("2025-06-01"))
		equal(t, "before", text(t, was.Results)+string(was.Status), "nullactive")
		_, issued := b.right(id).On(exact.MustDate("2024-12-31"))
		equal(t, "issued", issued, false)
	})
	t.Run("a cancellation without a reason, before the last event or twice is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "50", "2025-04-11"))
		command := cancelInstrument(id, "2025-04-10")
		command.Reason = ""
		b.refused(command, fault.Invalid, "/reason required", "/date datesOutOfOrder")
		b.do(cancelInstrument(id, "2025-04-11"))
		b.refused(cancelInstrument(id, today), fault.Conflict)
	})
}
