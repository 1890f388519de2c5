package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func amend(id captable.ShareholdingID, patch string) captable.AmendShareholding {
	return captable.AmendShareholding{ID: id, Patch: []byte(patch)}
}

func TestAmendShareholding(t *testing.T) {
	t.Parallel()
	t.Run("an amendment changes clerical fields and no total", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, legend, schedule := b.common("100"), b.legend("Act"), b.schedule("Standard").String()
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(amend(id, `{"shareholderName":"Ada King","legends":["`+legend.String()+`"],"pricePerShare":{"amount":"2","currency":"USD"},
			"consideration":{"cash":"100","ip":"20"},"issuanceType":"founders","vestingSchedule":"`+schedule+`","vestingStart":"2025-02-01",
			"boardApprovalDate":"2024-12-01","rule144Date":"2025-01-02","block":"Seed","externalId":"x","comments":["c"],"certificate":"A-1"}`))
		want := `{"shareholderName":"Ada King","certificate":"A-1","legends":["` + legend.String() + `"],"pricePerShare":"2",` +
			`"consideration":{"cash":"100","ip":"20"},"issuanceType":"founders","vestingSchedule":"` + schedule + `","vestingStart":"2025-02-01",` +
			`"boardApprovalDate":"2024-12-01","rule144Date":"2025-01-02","block":"Seed","externalId":"x","comments":["c"]}`
		equal(t, "details", text(t, b.holding(id).ShareholdingDetails), want)
		b.totals(class, "60", "60", "0", "40")

		b.do(amend(id, `{"consideration":{"cash":null,"services":"7"},"vestingStart":null,"legends":null,"pricePerShare":null,"comments":null,"externalId":null}`))
		want = `{"shareholderName":"Ada King","certificate":"A-1","consideration":{"ip":"20","services":"7"},"issuanceType":"founders","vestingSchedule":"` + schedule + `","vestingStart":"2025-01-01",` +
			`"boardApprovalDate":"2024-12-01","rule144Date":"2025-01-02","block":"Seed"}`
		equal(t, "details", text(t, b.holding(id).ShareholdingDetails), want)
	})
	t.Run("an amendment of fields that change totals is refused, and names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		b.refused(amend(id, `{"shares":"5","security":null,"entity":"x","issueDate":"2025-01-01","status":"voided","block":5,"vestingStart":"2025-02-30"}`),
			fault.Invalid, "/block wrongType", "/entity unknownField", "/issueDate unknownField", "/security unknownField",
			"/shares unknownField", "/status unknownField", "/vestingStart invalidDate")
		b.refused(amend(id, `{"shareholderName":" ","certificate":null,"pricePerShare":"-1","consideration":{"ip":"-1"},"issuanceType":"x","legends":["`+someID+`"]}`),
			fault.Invalid, "/pricePerShare negative", "/consideration/ip negative", "/issuanceType enum", "/legends/0 unknownReference",
			"/shareholderName required", "/certificate required")
		b.refused(amend(id, `{"pricePerShare":"1000000000000000000"}`), fault.Invalid, "/pricePerShare tooLarge")
		b.refused(amend(captable.ShareholdingID{9}, `{}`), fault.NotFound)
	})
	t.Run("certificates and externalIds are unique, and earlier ones can be used again", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		one, two := b.issue(ada, class, "1", today), b.issue(bob, class, "1", today)
		b.do(amend(one, `{"externalId":"x","certificate":"CS-1"}`))
		b.refused(amend(two, `{"externalId":"x"}`), fault.Conflict)
		equal(t, "figure", b.refused(amend(two, `{"certificate":"CS-1"}`), fault.Conflict)["certificate"], "CS-1")
		b.do(amend(one, `{"externalId":null,"certificate":"A-1"}`))
		b.do(amend(two, `{"externalId":"x","certificate":"CS-1"}`))
	})
	t.Run("ended shares can be amended", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "1", today)
		b.ended(captable.CancelShareholding{ID: id, Date: exact.MustDate(today), Reason: "r"})
		b.do(amend(id, `{"block":"A"}`))
		equal(t, "block", b.holding(id).Block, "A")
	})
}

func TestCorrectShareholding(t *testing.T) {
	t.Parallel()
	type correction = captable.CorrectShareholding
	t.Run("a correction restates all facts, also in the past", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, other := b.common("100"), b.security(preferred("Other"))
		id := b.issue(ada, common, "60", "2025-01-01")
		b.do(amend(id, `{"block":"A","externalId":"x"}`))
		b.do(correction{
			ID: id, HolderRef: holder(bob), Security: other, Shares: number("70"), IssueDate: exact.MustDate("2025-02-01"),
			Reason: "wrong class",
		})
		b.totals(common, "0", "0", "0", "100")
		b.totals(other, "70", "70", "0", "930")
		h := b.holding(id)
		equal(t, "holder", h.Entity, bob)
		equal(t, "name", h.ShareholderName, "Bob Noyce")
		equal(t, "block", h.Block, "")
		equal(t, "begin", h.CreatedAt, h.UpdatedAt)
		equal(t, "in January", b.on("2025-01-15").Totals.Outstanding.String(), "0")
		equal(t, "in February", b.on("2025-02-15").Holders[0].Entity, bob)
		equal(t, "Ada holds", b.state.Holds(ada), false)
		equal(t, "Bob holds", b.state.Holds(bob), true)
		again := issue(cleo, common, "1", today)
		again.ExternalID, again.Certificate = "x", "CS-1"
		b.do(again)
	})
	t.Run("a correction may use the shares that it replaces", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", today)
		command := correction{ID: id, HolderRef: holder(ada), Security: class, Shares: number("101"), IssueDate: exact.MustDate(today), Reason: "r"}
		equal(t, "available", b.refused(command, fault.InsufficientShares)["available"], "100")
		command.Shares = number("100")
		b.do(command)
		b.totals(class, "100", "100", "0", "0")
	})
	t.Run("a correction keeps an acceptance and is refused after it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2025-02-01")})
		command := correction{
			ID: id, HolderRef: holder(ada), Security: class, Shares: number("50"), IssueDate: exact.MustDate("2025-02-02"), Reason: "r",
		}
		b.refused(command, fault.Invalid, "/issueDate afterAcceptance")
		command.IssueDate--
		b.do(command)
		equal(t, "status", b.holding(id).Status, captable.StatusAccepted)
	})
	t.Run("a refused correction names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		b.refused(correction{ID: id, HolderRef: holder(nobod), Reason: " "}, fault.Invalid,
			"/reason required", "/security unknownReference", "/entity unknownReference", "/shares notPositive", "/issueDate required")
		b.refused(correction{ID: captable.ShareholdingID{9}}, fault.NotFound)
	})
	t.Run("a correction to a certificate or an externalId of other shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		first := issue(ada, class, "1", today)
		first.ExternalID = "x"
		b.do(first)
		id := b.issue(bob, class, "1", today)
		command := correction{ID: id, HolderRef: holder(bob), Security: class, Shares: number("2"), IssueDate: exact.MustDate(today), Reason: "r"}
		command.Certificate = "CS-1"
		b.refused(command, fault.Conflict)
		command.Certificate, command.ExternalID = "", "x"
		b.refused(command, fault.Conflict)
	})
}

func TestCorrectWhatCameFromOthers(t *testing.T) {
	t.Parallel()
	t.Run("a correction of transferred shares can change the holder only", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, other := b.common("100"), b.security(preferred("Other"))
		id := b.issue(ada, class, "60", "2025-01-01")
		moved := b.ended(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("20"), Date: exact.MustDate("2025-02-01"), Kind: "gift",
		}).Results[0]
		right := captable.CorrectShareholding{
			ID: moved.ID, HolderRef: holder(cleo), Security: class, Shares: number("20"), IssueDate: moved.IssueDate, Reason: "r",
		}
		for _, wrong := range []func(*captable.CorrectShareholding){
			func(c *captable.CorrectShareholding) { c.Shares = number("21") },
			func(c *captable.CorrectShareholding) { c.Security = other },
			func(c *captable.CorrectShareholding) { c.IssueDate++ },
		} {
			command := right
			wrong(&command)
			b.refused(command, fault.HasResults)
		}
		b.do(right)
		b.totals(class, "60", "60", "0", "40")
		equal(t, "origin", b.holding(moved.ID).Origin.From[0], id)
		b.refused(captable.CorrectShareholding{ID: id, HolderRef: holder(bob), Security: class, Shares: number("60"), Reason: "r"}, fault.Conflict)
	})
	t.Run("a correction of split shares changes the holder, and the issue date up to the split", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", "2025-01-01")
		b.do(split(class, "2", "1", "2025-06-01"))
		command := captable.CorrectShareholding{
			ID: id, HolderRef: holder(bob), Security: class, Shares: number("120"), IssueDate: exact.MustDate("2025-06-02"), Reason: "r",
		}
		b.refused(command, fault.HasResults)
		command.IssueDate = exact.MustDate("2025-03-01")
		b.do(command)
		for day, want := range map[string]string{"2025-02-28": "0", "2025-03-01": "60", "2025-05-31": "60", "2025-06-01": "120"} {
			equal(t, day, b.on(day).Totals.Outstanding.String(), want)
		}
		command.Shares = number("60")
		b.refused(command, fault.HasResults)
		b.totals(class, "120", "120", "0", "80")
	})
	t.Run("a correction of shares from the treasury updates the treasury of each day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		id := b.issue(bob, class, "60", "2025-02-01")
		command := captable.CorrectShareholding{
			ID: id, HolderRef: holder(bob), Security: class, Shares: number("30"), IssueDate: exact.MustDate("2025-03-01"), Reason: "r",
		}
		b.do(command)
		b.totals(class, "100", "30", "70", "70")
		for day, want := range map[string]string{"2025-02-01": "100", "2025-03-01": "70"} {
			equal(t, day, b.treasuryOn(day), want)
		}
		b.do(split(class, "3", "1", "2025-06-01"))
		command.HolderRef, command.Shares = holder(cleo), number("90")
		b.do(command)
		b.totals(class, "300", "90", "210", "210")
		for day, want := range map[string]string{"2025-02-01": "100", "2025-03-01": "70", "2025-06-01": "210"} {
			equal(t, day, b.treasuryOn(day), want)
		}
		command.IssueDate = exact.MustDate("2024-12-01")
		b.refused(command, fault.HasResults)
	})
}
