package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func retractInstrument(id captable.InstrumentID, on string) captable.RetractInstrument {
	return captable.RetractInstrument{ID: id, Date: exact.MustDate(on), Reason: " typo "}
}

func TestRetractingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a retraction ends an instrument that was not accepted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		b.do(retractInstrument(id, "2025-01-05"))
		equal(t, "status", string(b.right(id).Status)+" "+b.right(id).End.Reason, "retracted typo")
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		b.refused(retractInstrument(id, today), fault.Conflict)
	})
	t.Run("a retraction of an accepted or repaid instrument, or before its issue, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		accepted, repaid := b.instrument(safe(ada, "1", "2025-01-01")), b.instrument(note(ada, "2025-01-01"))
		b.do(captable.AcceptInstrument{ID: accepted})
		b.do(repay(repaid, "1", "2025-01-02"))
		b.refused(retractInstrument(accepted, today), fault.Conflict)
		b.refused(retractInstrument(repaid, today), fault.HasResults)
		b.refused(retractInstrument(b.instrument(safe(ada, "1", today)), "2025-01-01"), fault.Invalid, "/date beforeIssue")
	})
}

// divided returns the transfer of 4,000 of a note of 10,000 to Bob, as stated in an imported
// package.
func divided(id captable.InstrumentID, result, balance string) captable.DivideInstrument {
	command := captable.DivideInstrument{ID: id, Kind: captable.StatusTransferred, Date: exact.MustDate("2025-04-11"), Size: number("4000")}
	part := func(to captable.EntityID, principal string) *captable.IssueInstrument {
		issue := note(to, "2025-04-11")
		issue.Principal = dollars(principal)
		issue.Interest.Rates[0].From = exact.MustDate("2025-01-01")
		return &issue
	}
	command.Result, command.Balance = part(bob, result), part(ada, balance)
	return command
}

func TestStatedDivisions(t *testing.T) {
	t.Parallel()
	t.Run("the parts of a stated division continue the account of the whole", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		ended := b.do(divided(id, "4000", "6000"))[0].(captable.InstrumentEnded)
		b.owes(ended.Result.ID, "2025-04-11", "4040", "40")
		b.owes(ended.Balance.ID, "2025-04-11", "6060", "60")
		equal(t, "status", b.right(id).Status, captable.StatusTransferred)
	})
	t.Run("a stated division is refused if its parts are not the whole", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		equal(t, "remaining", b.refused(divided(id, "4000", "5999"), fault.Conflict)["remaining"], "6000")
		equal(t, "results", b.refused(divided(id, "4001", "6000"), fault.Conflict)["results"], "4001")
		elsewhere := divided(id, "4000", "6000")
		elsewhere.Balance.HolderRef = holder(cleo)
		b.refused(elsewhere, fault.Conflict)
		other := divided(id, "4000", "6000")
		other.Result.Kind = captable.KindCustom
		b.refused(other, fault.Conflict)
		late := divided(id, "4000", "6000")
		late.Date = exact.MustDate("2024-12-31")
		b.refused(late, fault.Invalid, "/date beforeIssue")
		unknown := divided(id, "4000", "6000")
		unknown.Result.HolderRef = holder(nobod)
		b.refused(unknown, fault.Invalid, "/entity unknownReference")
	})
}

func cameOf(id captable.InstrumentID, kind captable.Status, to captable.EntityID, class captable.SecurityID, shares string) captable.SettleInstrument {
	return captable.SettleInstrument{
		ID: id, Kind: kind, Date: exact.MustDate("2025-04-11"), Result: captable.Result{Holder: holder(to), Security: class, Shares: number(shares)},
	}
}

func TestStatedSettlements(t *testing.T) {
	t.Parallel()
	t.Run("a stated conversion converts the whole balance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5050")
		id := b.instrument(note(ada, "2025-01-01"))
		made := b.do(cameOf(id, captable.StatusConverted, ada, class, "5050"))[0].(captable.InstrumentConverted)
		equal(t, "price, amount and interest", made.PricePerShare.String()+" "+made.Amount.String()+" "+made.Interest.String(), "2 10100 100")
		equal(t, "basis", string(made.Basis), "stated")
		equal(t, "origin", text(t, b.holding(made.Result.ID).Origin), `{"kind":"converted","holding":"`+id.String()+`"}`)
		b.totals(class, "5050", "5050", "0", "0")
	})
	t.Run("a stated exercise uses the whole warrant, net if the shares are fewer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		made := b.do(cameOf(id, captable.StatusExercised, ada, class, "7"))[0].(captable.WarrantExercised)
		equal(t, "of it", made.Quantity.String()+" "+string(made.Payment), "10 net")
		equal(t, "status", b.right(id).Status, captable.StatusExercised)
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
	})
	t.Run("a stated exercise may exceed a quantity that is an estimate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, captable.SecurityID{}, "10", "2025-01-01"))
		b.do(cameOf(id, captable.StatusExercised, ada, class, "25"))
		equal(t, "left", b.right(id).Left.String()+" "+string(b.right(id).Status), "0 exercised")
	})
	t.Run("a settlement of another kind, class or of too many shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("10", "1")
		id, loan := b.instrument(warrant(ada, common, "5", "2025-01-01")), b.instrument(note(ada, "2025-01-01"))
		b.refused(cameOf(id, captable.StatusConverted, ada, common, "5"), fault.Conflict)
		b.refused(cameOf(id, captable.StatusExercised, ada, class, "5"), fault.Invalid, "/results/0/security otherSecurity")
		b.refused(cameOf(id, captable.StatusExercised, ada, common, "6"), fault.InsufficientShares)
		b.refused(cameOf(loan, captable.StatusConverted, ada, common, "11"), fault.InsufficientShares)
	})
}
