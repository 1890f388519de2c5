package captable_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
)

func TestIssueShareholding(t *testing.T) {
	t.Parallel()
	t.Run("an issue creates a numbered certificate for its holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		b.issue(bob, class, "1000", "2025-03-01")
		command := issue(ada, class, "2000", "2025-04-01")
		command.PricePerShare, command.Consideration = price("0.25"), &captable.Consideration{Cash: number("500")}
		event := b.do(command)[0].(captable.ShareholdingIssued)
		h := b.holding(event.ID)
		equal(t, "holder", h.Entity, ada)
		equal(t, "name", h.ShareholderName, "Ada Lovelace")
		equal(t, "certificate", h.Certificate, "CS-2")
		equal(t, "serial", h.SerialNumber, 2)
		equal(t, "status", h.Status, captable.StatusActive)
		equal(t, "invested", h.Invested().String(), "500")
		equal(t, "version", h.Version, 3)
		b.totals(class, "3000", "3000", "0", "2000")
	})
	t.Run("an issue finds its holder by membership and prints the stated name", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := issue(captable.EntityID{}, b.common("10"), "1", today)
		command.Member, command.ShareholderName = captable.MemberID(bob), "Robert Noyce"
		h := b.holding(b.do(command)[0].(captable.ShareholdingIssued).ID)
		equal(t, "holder", h.Entity, bob)
		equal(t, "name", h.ShareholderName, "Robert Noyce")
	})
	t.Run("a refused issue names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, legend := b.common("5000"), b.legend("Act")
		command := issue(nobod, class, "1.5", "2026-01-17")
		command.PricePerShare, command.IssuanceType = price("-1"), "gift"
		command.Consideration = &captable.Consideration{
			Cash: number("-1"), DebtCancelled: number("-1"), IP: number("-1"), Services: number("-1"), Other: number("-1"),
		}
		command.Legends = []captable.LegendID{{9}, legend, legend}
		b.refused(command, fault.Invalid, "/entity unknownReference", "/shares notWhole", "/issueDate dateInFuture",
			"/pricePerShare negative", "/consideration/cash negative", "/consideration/debtCancelled negative", "/consideration/ip negative",
			"/consideration/services negative", "/consideration/other negative", "/issuanceType enum",
			"/legends/0 unknownReference", "/legends/2 duplicate")
		b.refused(
			captable.IssueShareholding{}, fault.Invalid, "/security unknownReference", "/entity required", "/shares notPositive",
			"/issueDate required",
		)
		command = issue(ada, class, "-1", today)
		command.Member = captable.MemberID(ada)
		b.refused(command, fault.Invalid, "/entity required", "/shares notPositive")
		command = issue(captable.EntityID{}, class, "1", today)
		command.Member = captable.MemberID(nobod)
		b.refused(command, fault.Invalid, "/member unknownReference")
	})
	t.Run("an issue tomorrow is accepted if the day has begun in another time zone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		b.refused(issue(ada, class, "1", "2026-01-16"), fault.Invalid, "/issueDate dateInFuture")
		b.now = b.now.Add(time.Hour)
		b.issue(ada, class, "1", "2026-01-16")
	})
	t.Run("an issue may have fractions in a class with fractional shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.FractionalShares = true
		class := b.security(terms)
		b.issue(ada, class, "0.0000000001", today)
		b.totals(class, "0.0000000001", "0.0000000001", "0", "999.9999999999")
	})
}

func TestIssueNoMoreThanAvailable(t *testing.T) {
	t.Parallel()
	t.Run("an issue beyond the available shares is refused with the figures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(ada, class, "60", today)
		refusal := b.refused(issue(bob, class, "41", today), fault.InsufficientShares)
		equal(t, "available", refusal["available"], "40")
		equal(t, "requested", refusal["requested"], "41")
		b.issue(bob, class, "40", today)
		equal(t, "available", b.refused(issue(bob, class, "1", today), fault.InsufficientShares)["available"], "0")
	})
	t.Run("an issue in a class without a limit is accepted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(ada, class, "9999999999999999998", today)
		b.totals(class, "9999999999999999998", "9999999999999999998", "0", "unlimited")
	})
	t.Run("an issue beyond the largest number of shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(ada, class, "9999999999999999998", today)
		b.refused(issue(ada, class, "2", today), fault.Invalid, "/shares tooLarge")
		b.issue(ada, class, "1", today)
		unpacked(t, packed(b.state)) // unpacking fails if a figure is out of range
	})
	t.Run("an issue for an amount beyond the largest number is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := issue(ada, b.common("unlimited"), "5000000000000000000", today)
		command.PricePerShare = price("2")
		b.refused(command, fault.Invalid, "/pricePerShare tooLarge")
		command.PricePerShare = nil
		most := number("9999999999999999999")
		command.Consideration = &captable.Consideration{Cash: most, Other: most}
		b.refused(command, fault.Invalid, "/consideration tooLarge")
	})
}

func TestIssueUnique(t *testing.T) {
	t.Parallel()
	t.Run("externalId", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := issue(ada, b.common("100"), "1", today)
		command.ExternalID = "x"
		id := b.do(command)[0].(captable.ShareholdingIssued).ID
		equal(t, "figure", b.refused(command, fault.Conflict)["externalId"], "x")
		b.do(captable.VoidShareholding{ID: id})
		b.refused(command, fault.Conflict) // the voided record remains readable
	})
	t.Run("certificate, over all securities and for ever", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		one, two := b.common("100"), b.security(preferred("Other"))
		command := issue(ada, one, "1", today)
		command.Certificate = "A-1"
		id := b.do(command)[0].(captable.ShareholdingIssued).ID
		command.Security = two
		equal(t, "figure", b.refused(command, fault.Conflict)["certificate"], "A-1")
		b.do(captable.VoidShareholding{ID: id})
		b.refused(command, fault.Conflict)
	})
}
