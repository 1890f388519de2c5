package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func transfer(id captable.ShareholdingID, to captable.EntityID, shares, on string) captable.TransferShareholding {
	return captable.TransferShareholding{
		Shareholding: id, To: holder(to), Shares: number(shares), Date: exact.MustDate(on), Kind: "sale",
	}
}

func TestTransferShareholding(t *testing.T) {
	t.Parallel()
	t.Run("a partial transfer ends the shareholding, issues two and changes no total", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100000")
		id := b.issue(ada, class, "1000", "2025-01-01")
		b.do(amend(id, `{"block":"Seed","pricePerShare":"2","rule144Date":"2025-01-01","externalId":"x"}`))
		b.do(captable.AcceptShareholding{ID: id})
		command := transfer(id, bob, "400", "2025-06-01")
		command.PricePerShare, command.Reason = &captable.Price{Amount: number("3"), Currency: "USD"}, "moving on"
		event := b.ended(command)
		old, moved, rest := b.holding(id), b.holding(event.Results[0].ID), b.holding(event.Balance.ID)
		b.totals(class, "1000", "1000", "0", "99000")

		equal(t, "event", event.EventType(), "shareholdingTransferred")
		equal(t, "kind and price", event.TransferKind+event.Price.Amount.String()+event.Price.Currency, "sale3")
		equal(t, "old", old.Status, captable.StatusTransferred)
		equal(t, "old's end", old.End.Date.String()+old.End.Reason, "2025-06-01moving on")
		equal(t, "old's results", [2]captable.ShareholdingID(old.Results), [2]captable.ShareholdingID{moved.ID, rest.ID})
		equal(t, "moved", moved.Entity, bob)
		equal(t, "moved shares", moved.Shares.String(), "400")
		equal(t, "moved details", text(t, moved.ShareholdingDetails),
			`{"shareholderName":"Bob Noyce","certificate":"CS-2","pricePerShare":"3","rule144Date":"2025-01-01","block":"Seed"}`)
		equal(t, "moved origin", text(t, moved.Origin), `{"kind":"transferred","from":["`+id.String()+`"]}`)
		equal(t, "rest", rest.Entity, ada)
		equal(t, "rest shares", rest.Shares.String(), "600")
		equal(t, "rest details", text(t, rest.ShareholdingDetails),
			`{"shareholderName":"Ada Lovelace","certificate":"CS-3","pricePerShare":"2","rule144Date":"2025-01-01","block":"Seed"}`)
		equal(t, "rest day", rest.IssueDate.String(), "2025-06-01")
		equal(t, "rest status", rest.Status, captable.StatusActive)
	})
	t.Run("a transfer of all shares leaves no balance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.issue(ada, class, "60", today)
		event := b.ended(transfer(id, bob, "60", today))
		if event.Balance != nil || len(b.holding(id).Results) != 1 {
			t.Errorf("there is a balance: %v", event)
		}
		equal(t, "Ada holds", b.state.Holds(ada), false)
		b.totals(class, "60", "60", "0", "40")
	})
	t.Run("a transfer needs no available shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("60")
		b.ended(transfer(b.issue(ada, class, "60", today), bob, "10", today))
		b.totals(class, "60", "60", "0", "0")
	})
	t.Run("a transfer beyond the shares of the shareholding is refused with the figures", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000000")
		id := b.issue(ada, class, "3000", today)
		b.issue(ada, class, "2000", today)
		refusal := b.refused(transfer(id, bob, "5500", today), fault.InsufficientShares)
		equal(t, "available", refusal["available"], "3000")
		equal(t, "requested", refusal["requested"], "5500")
	})
	t.Run("a refused transfer names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-01-02")
		command := transfer(id, ada, "0.5", "2025-01-01")
		command.Kind, command.PricePerShare = "theft", price("-1")
		b.refused(command, fault.Invalid, "/to sameHolder", "/kind enum", "/pricePerShare negative", "/date beforeIssue", "/shares notWhole")
		b.refused(captable.TransferShareholding{}, fault.Invalid,
			"/shareholding unknownReference", "/to/entity required", "/kind enum", "/date required", "/shares notPositive")
		b.refused(transfer(captable.ShareholdingID{9}, nobod, "-1", "2027-01-01"), fault.Invalid,
			"/shareholding unknownReference", "/to/entity unknownReference", "/date dateInFuture", "/shares notPositive")
		command = transfer(id, captable.EntityID{}, "1", today)
		command.To.Member = captable.MemberID(nobod)
		b.refused(command, fault.Invalid, "/to/member unknownReference")
	})
	t.Run("a transfer of an ended shareholding is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", today)
		b.ended(transfer(id, bob, "60", today))
		equal(t, "figure", b.refused(transfer(id, cleo, "1", today), fault.Conflict)["status"], "transferred")
	})
}

func TestTransferKeepsWhatWasInvested(t *testing.T) {
	t.Parallel()
	invested := func(b *bundle) string { return b.on(today).Totals.Invested.String() }
	t.Run("a transfer keeps an investment that is stated as a price per share", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("1000"), "100", today)
		b.do(amend(id, `{"pricePerShare":"2.50"}`))
		b.ended(transfer(id, bob, "30", today))
		equal(t, "invested", invested(b), "250")
	})
	t.Run("a transfer divides a consideration between the moved shares and the balance", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("1000"), "300", today)
		b.do(amend(id, `{"consideration":{"cash":"100","ip":"50"}}`))
		event := b.ended(transfer(id, bob, "100", today))
		equal(t, "invested", invested(b), "150")
		equal(t, "moved", text(t, event.Results[0].Consideration), `{"cash":"33.3333333333","ip":"16.6666666667"}`)
		equal(t, "rest", text(t, event.Balance.Consideration), `{"cash":"66.6666666667","ip":"33.3333333333"}`)
	})
	t.Run("the price of a transfer is the investment of the new holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("1000"), "100", today)
		b.do(amend(id, `{"consideration":{"cash":"100"}}`))
		command := transfer(id, bob, "50", today)
		command.PricePerShare = price("4")
		event := b.ended(command)
		equal(t, "moved", b.holding(event.Results[0].ID).Invested().String(), "200")
		equal(t, "rest", b.holding(event.Balance.ID).Invested().String(), "50")
	})
	t.Run("a transfer after a split keeps the investment", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		id := b.issue(ada, class, "100", "2025-01-01")
		b.do(amend(id, `{"pricePerShare":"1"}`))
		b.do(split(class, "2", "1", "2025-06-01"))
		equal(t, "before", invested(b), "100")
		event := b.ended(transfer(id, bob, "50", today))
		equal(t, "after", invested(b), "100")
		equal(t, "price of the rest", event.Balance.PricePerShare.Amount.String(), "0.5")
	})
}
