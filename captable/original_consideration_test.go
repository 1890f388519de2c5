package captable_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// money returns what the company received for outstanding and for all issued shares, and the cost of the holders.
func money(b *bundle) string {
	totals := b.on(today).Totals
	return totals.Invested.String() + " of " + totals.Raised.String() + ", cost " + totals.HolderCost.String()
}

// sell transfers shares for a price.
func sell(b *bundle, id captable.ShareholdingID, to captable.EntityID, shares, each string) captable.ShareholdingEnded {
	b.Helper()
	command := transfer(id, to, shares, today)
	command.PricePerShare = price(each)
	return b.ended(command)
}

func TestConsiderationOfTheCompany(t *testing.T) {
	t.Parallel()
	for claim, test := range map[string]struct {
		steps func(b *bundle, id captable.ShareholdingID)
		want  string
	}{
		"is unchanged by a sale": {func(b *bundle, id captable.ShareholdingID) { sell(b, id, bob, "3", "150") }, "1000 of 1000, cost 1150"},
		"is unchanged by a gift": {func(b *bundle, id captable.ShareholdingID) { b.ended(transfer(id, bob, "3", today)) }, "1000 of 1000, cost 1000"},
		"is carried through two sales": {func(b *bundle, id captable.ShareholdingID) {
			sell(b, sell(b, id, bob, "3", "150").Results[0].ID, cleo, "2", "400")
		}, "1000 of 1000, cost 1650"},
		"is carried through a gift after a sale": {func(b *bundle, id captable.ShareholdingID) {
			b.ended(transfer(sell(b, id, bob, "3", "150").Results[0].ID, cleo, "1", today))
		}, "1000 of 1000, cost 1150"},
		"is carried through a split": {func(b *bundle, id captable.ShareholdingID) {
			sell(b, id, bob, "3", "150")
			b.do(split(b.holding(id).Security, "3", "1", today))
		}, "1000 of 1000, cost 1150"},
		"leaves with a part that is cancelled": {func(b *bundle, id captable.ShareholdingID) {
			b.ended(cancel(sell(b, id, bob, "3", "150").Results[0].ID, "1", today))
		}, "900 of 1000, cost 1000"},
		"is unchanged by a corrected price of a sale": {func(b *bundle, id captable.ShareholdingID) {
			b.do(amend(sell(b, id, bob, "3", "150").Results[0].ID, `{"pricePerShare":"200"}`))
		}, "1000 of 1000, cost 1300"},
		"is unchanged by a price that is added to a gift": {func(b *bundle, id captable.ShareholdingID) {
			b.do(amend(b.ended(transfer(id, bob, "3", today)).Results[0].ID, `{"pricePerShare":"200"}`))
		}, "1000 of 1000, cost 1300"},
		"is unchanged by a corrected price of a balance": {func(b *bundle, id captable.ShareholdingID) {
			b.do(amend(sell(b, id, bob, "3", "150").Balance.ID, `{"pricePerShare":"200"}`))
		}, "1000 of 1000, cost 1850"},
		"is corrected with the price of the issue, after its end": {func(b *bundle, id captable.ShareholdingID) {
			sell(b, sell(b, id, bob, "3", "150").Results[0].ID, cleo, "2", "400")
			b.do(amend(id, `{"pricePerShare":"200"}`))
		}, "2000 of 2000, cost 1650"},
		"is corrected after a split on the day of the sale": {func(b *bundle, id captable.ShareholdingID) {
			sell(b, id, bob, "3", "150")
			b.do(split(b.holding(id).Security, "2", "1", today))
			b.do(amend(id, `{"pricePerShare":"100"}`))
		}, "2000 of 2000, cost 1150"},
		"is corrected for a consolidation": {func(b *bundle, id captable.ShareholdingID) {
			other := b.issue(ada, b.holding(id).Security, "10", today)
			b.ended(captable.ReplaceShareholding{
				Kind: captable.StatusConsolidated, From: []captable.ShareholdingID{id, other}, Date: exact.MustDate(today),
				Results: []captable.Result{{Holder: holder(ada), Security: b.holding(id).Security, Shares: number("20")}},
			})
			b.do(amend(other, `{"pricePerShare":"7"}`))
		}, "1070 of 1070, cost 0"},
		"excludes an issue that is retracted": {func(b *bundle, id captable.ShareholdingID) {
			b.ended(captable.RetractShareholding{ID: id, Date: exact.MustDate(today), Reason: "typo"})
		}, "0 of 0, cost 0"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.issue(ada, b.common("100"), "10", today)
			b.do(amend(id, `{"pricePerShare":"100"}`))
			test.steps(b, id)
			equal(t, "money", money(b), test.want)
		})
	}
}

// TestConsiderationIsIndependentOfDivision requires that neither sales, gifts, splits nor consolidations change what the company
// received, and that each issue adds its price.
func TestConsiderationIsIndependentOfDivision(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	rapid.Check(t, func(draw *rapid.T) {
		b := setup(drawing{t, draw})
		class := b.common("unlimited")
		want := new(big.Rat)
		whole := func(most int, name string) captable.Decimal {
			return exact.NewDecimal(int64(rapid.IntRange(1, most).Draw(draw, name)))
		}
		issue := func() {
			shares, each := whole(1000, "shares"), whole(500, "cents").Mul(number("0.01"))
			b.do(amend(b.issue(ada, class, shares.String(), today), `{"pricePerShare":"`+each.String()+`"}`))
			want.Add(want, new(big.Rat).Mul(shares.Rat(), each.Rat()))
		}
		issue()
		for range rapid.IntRange(1, 15).Draw(draw, "steps") {
			var held []*captable.Shareholding
			for h := range b.state.Shareholdings() {
				if h.Status.Outstanding() {
					held = append(held, h)
				}
			}
			h := rapid.SampledFrom(held).Draw(draw, "shareholding")
			to := rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(draw, "to")
			part := rapid.Int64Range(1, h.Shares.Rat().Num().Int64()).Draw(draw, "part")
			command := transfer(h.ID, to, exact.NewDecimal(part).String(), today)
			kind := rapid.SampledFrom([]string{"issue", "sale", "gift", "split"}).Draw(draw, "kind")
			switch {
			case kind == "issue":
				issue()
			case kind == "split":
				b.do(split(class, "2", "1", today))
			case to == h.Entity:
				kind = "nothing"
			default:
				if kind == "sale" {
					command.PricePerShare = &captable.Price{Amount: whole(900, "price")}
				}
				b.do(command)
			}
			counts[kind]++
			totals := b.on(today).Totals
			equal(b, "received after "+kind, totals.Invested.Rat().RatString(), want.RatString())
			equal(b, "raised after "+kind, totals.Raised.Rat().RatString(), want.RatString())
		}
	})
	for _, kind := range []string{"issue", "sale", "gift", "split"} {
		if counts[kind] == 0 {
			t.Errorf("no history contains a step of the kind %s", kind)
		}
	}
}
