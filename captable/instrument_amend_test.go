package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func amendInstrument(id captable.InstrumentID, patch string) captable.AmendInstrument {
	return captable.AmendInstrument{ID: id, Patch: []byte(patch)}
}

// corrected returns a command to correct the issue of an instrument.
func corrected(id captable.InstrumentID, issue captable.IssueInstrument) captable.CorrectInstrument {
	return captable.CorrectInstrument{
		ID: id, HolderRef: issue.HolderRef, InstrumentFacts: issue.InstrumentFacts, InstrumentTerms: issue.InstrumentTerms, Reason: "typo",
	}
}

func TestAmendingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("an amendment changes the named terms and keeps the others", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(amendInstrument(id, `{"maturityDate":"2027-01-01","discount":null,"externalId":"x","interest":{"dayCount":"30_360"}}`))
		i := b.right(id)
		equal(t, "maturity", i.MaturityDate, exact.MustDate("2027-01-01"))
		equal(t, "discount", i.Discount, nil)
		equal(t, "day count", string(i.Interest.DayCount), "30_360")
		equal(t, "rates", len(i.Interest.Rates), 1)
		b.do(amendInstrument(id, `{"externalId":null}`))
		other := safe(bob, "1", today)
		other.ExternalID = "x"
		b.instrument(other)
		b.refused(amendInstrument(id, `{"externalId":"x"}`), fault.Conflict)
	})
	t.Run("an amendment of the principal or the issue date, or to invalid terms, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.refused(amendInstrument(id, `{"principal":{"amount":"1","currency":"USD"},"issueDate":"2025-01-01"}`), fault.Invalid,
			"/issueDate unknownField", "/principal unknownField")
		b.refused(amendInstrument(id, `{"discount":"1","maturityDate":"2024-12-31"}`), fault.Invalid,
			"/maturityDate datesOutOfOrder", "/discount notBelowOne")
		b.refused(amendInstrument(captable.InstrumentID{1}, `{}`), fault.NotFound)
	})
	t.Run("an amendment of a voided instrument is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(captable.VoidInstrument{ID: id, Reason: "twice"})
		b.refused(amendInstrument(id, `{}`), fault.Conflict)
	})
	t.Run("an amendment that makes an earlier repayment exceed the debt is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "10100", "2025-04-11"))
		figures := b.refused(amendInstrument(id, `{"interest":null}`), fault.Conflict)
		equal(t, "balance", figures["balance"], "10000")
		equal(t, "amount", figures["amount"], "10100")
	})
}

func TestCorrectingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a correction restates holder, principal and issue date and keeps the acceptance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2025-01-05")})
		right := note(bob, "2025-01-02")
		right.Principal.Amount = number("20000")
		b.do(corrected(id, right))
		i := b.right(id)
		equal(t, "holder", i.Entity, bob)
		equal(t, "status", i.Status, captable.StatusAccepted)
		b.owes(id, "2025-01-03", "20002", "2")
	})
	t.Run("a correction of a warrant changes the reserved shares of both classes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		other := b.security(preferred("Preferred"))
		id := b.instrument(warrant(ada, class, "60", today))
		b.do(corrected(id, warrant(ada, class, "100", today)))
		equal(t, "reserved", b.class(class).Reserved.String(), "100")
		b.refused(corrected(id, warrant(ada, class, "101", today)), fault.InsufficientShares)
		b.do(corrected(id, warrant(ada, other, "5", today)))
		equal(t, "reserved", b.class(class).Reserved.String()+" "+b.class(other).Reserved.String(), "0 5")
	})
	t.Run("a correction without a reason, or to an issue after the acceptance, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "1", "2025-01-01"))
		b.do(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2025-01-05")})
		command := corrected(id, safe(ada, "1", "2025-01-06"))
		command.Reason = " "
		b.refused(command, fault.Invalid, "/reason required", "/issueDate afterAcceptance")
	})
	t.Run("a correction after a repayment may change holder and terms, but not the issue date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "100", "2025-04-11"))
		b.refused(corrected(id, note(ada, "2025-01-02")), fault.HasResults)
		terms := note(bob, "2025-01-01")
		terms.MFN = true
		b.do(corrected(id, terms))
		b.owes(id, "2025-04-11", "10000", "0")
		equal(t, "holder", b.right(id).Entity, bob)
	})
	t.Run("a correction cannot change the holder of a balance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "10", today))
		ended := b.do(transferInstrument(id, bob, "4", today))[0].(captable.InstrumentEnded)
		b.refused(corrected(ended.Balance.ID, safe(cleo, "6", today)), fault.HasResults)
		b.do(corrected(ended.Result.ID, safe(cleo, "4", today)))
		b.refused(corrected(id, safe(cleo, "10", today)), fault.Conflict)
	})
}

func TestExpiryOfExercisedWarrants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("10")
	id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
	b.do(exerciseWarrant(id, "4", "2025-08-01"))
	b.refused(amendInstrument(id, `{"expirationDate":"2025-07-31"}`), fault.Invalid, "/expirationDate datesOutOfOrder")
	command := warrant(ada, class, "10", "2025-01-01")
	command.ExpirationDate = exact.MustDate("2025-07-31")
	b.refused(corrected(id, command), fault.Invalid, "/expirationDate datesOutOfOrder")
	b.do(amendInstrument(id, `{"expirationDate":"2025-08-01"}`))
	equal(t, "left then", b.right(id).LeftOn(exact.MustDate("2025-08-01")).String(), "6")
}
