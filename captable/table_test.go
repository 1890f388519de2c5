package captable_test

import (
	"testing"

	"equity/captable"
)

func TestTable(t *testing.T) {
	t.Parallel()
	t.Run("an empty table has empty lists instead of null", func(t *testing.T) {
		t.Parallel()
		want := `{"asOf":"2026-01-15","totals":{"authorized":"0","issued":"0","outstanding":"0","fullyDiluted":"0","treasury":"0","invested":"0","raised":"0","holderCost":"0"},` +
			`"securities":[],"pools":[],"convertibles":[],"warrants":[],"holders":[]}`
		equal(t, "JSON", text(t, setup(t).on(today)), want)
	})
	t.Run("a table sums shares by class and holder, with the largest holder first", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "2")
		b.issue(ada, common, "100", "2025-01-01")
		b.issue(bob, common, "300", "2025-01-01")
		b.issue(ada, common, "50", "2025-01-01")
		b.do(amend(b.issue(ada, class, "50", "2025-01-01"), `{"pricePerShare":"3"}`))
		b.repurchased(common, "40", "2025-02-01")
		table := b.on(today)
		equal(t, "totals", text(t, table.Totals),
			`{"authorized":"2000","issued":"540","outstanding":"500","fullyDiluted":"550","treasury":"40","invested":"150","raised":"150","holderCost":"150"}`)
		equal(t, "common", text(t, table.Securities[0]), `{"id":"`+common.String()+`","name":"Common Stock","shareType":"common","authorized":"1000",`+
			`"issued":"490","outstanding":"450","treasury":"40","reserved":"0","available":"550","fullyDiluted":"450","holders":2,`+
			`"percentOutstanding":"0.9","percentFullyDiluted":"0.8181818182"}`)
		equal(t, "holders", len(table.Holders), 2)
		equal(t, "largest", table.Holders[0].Name, "Bob Noyce")
		equal(t, "Ada", text(t, table.Holders[1]), `{"entity":"`+ada.String()+`","name":"Ada Lovelace","bySecurity":[`+
			`{"security":"`+common.String()+`","shares":"150","percentOutstanding":"0.3","percentFullyDiluted":"0.2727272727"},`+
			`{"security":"`+class.String()+`","shares":"50","percentOutstanding":"0.1","percentFullyDiluted":"0.1818181818"}],`+
			`"options":"0","invested":"150","shares":"200","percentOutstanding":"0.4","percentFullyDiluted":"0.4545454545"}`)
	})
	t.Run("holders with equal shares are ordered by their ids", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		for _, entity := range []captable.EntityID{cleo, bob, ada} {
			b.issue(entity, class, "10", today)
		}
		table := b.on(today)
		equal(t, "names", table.Holders[0].Name+table.Holders[1].Name+table.Holders[2].Name, "Ada LovelaceBob NoyceCleo Ltd")
		equal(t, "authorized", table.Totals.Authorized.String(), "unlimited")
		equal(t, "available", table.Securities[0].Available.String(), "unlimited")
		equal(t, "first", table.Holders[0].PercentOutstanding.String(), "0.3333333334")
	})
	t.Run("a holder without outstanding shares is not listed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.do(captable.VoidShareholding{ID: b.issue(ada, class, "10", today)})
		b.ended(cancel(b.issue(bob, class, "10", today), "", today))
		equal(t, "holders", len(b.on(today).Holders), 0)
		equal(t, "holders of the class", b.on(today).Securities[0].Holders, 0)
	})
	t.Run("an amount in another currency does not count as invested", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.do(amend(b.issue(ada, b.common("100"), "10", today), `{"pricePerShare":{"amount":"3","currency":"EUR"}}`))
		equal(t, "invested", b.on(today).Totals.Invested.String(), "0")
	})
}

func TestTableOfThePast(t *testing.T) {
	t.Parallel()
	outstanding := func(b *bundle, days map[string]string) {
		b.Helper()
		for day, want := range days {
			equal(b, day, b.on(day).Totals.Outstanding.String(), want)
		}
	}
	t.Run("a past table has shares from their issue date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.issue(ada, b.common("100"), "10", "2025-03-01")
		outstanding(b, map[string]string{"0001-01-01": "0", "2025-02-28": "0", "2025-03-01": "10", today: "10"})
	})
	t.Run("a past table has the holders before and after a transfer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "10", "2025-03-01")
		b.ended(transfer(id, bob, "6", "2025-06-01"))
		outstanding(b, map[string]string{"2025-05-31": "10", "2025-06-01": "10"})
		equal(t, "before", b.on("2025-05-31").Holders[0].Name, "Ada Lovelace")
		equal(t, "after", b.on("2025-06-01").Holders[0].Name, "Bob Noyce")
		equal(t, "Ada's rest", b.on("2025-06-01").Holders[1].Shares.String(), "4")
	})
	t.Run("a past table omits shares that were issued and cancelled on one day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.ended(cancel(b.issue(ada, b.common("100"), "10", "2025-03-01"), "", "2025-03-01"))
		outstanding(b, map[string]string{"2025-02-28": "0", "2025-03-01": "0", "2025-03-02": "0"})
	})
	t.Run("a past table has the quantities before each split", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(ada, class, "10", "2025-01-01")
		b.do(split(class, "3", "1", "2025-03-01"))
		b.do(split(class, "1", "2", "2025-05-01"))
		b.do(split(class, "2", "1", "2025-05-01"))
		b.do(split(class, "2", "1", "2025-07-01"))
		outstanding(b, map[string]string{
			"2024-12-31": "0", "2025-01-01": "10", "2025-02-28": "10", "2025-03-01": "30", "2025-04-30": "30",
			"2025-05-01": "30", "2025-06-30": "30", "2025-07-01": "60",
		})
		for day, want := range map[string]string{"2025-02-28": "100", "2025-03-01": "300", "2025-06-30": "300", "2025-07-01": "600"} {
			equal(t, day, b.on(day).Totals.Authorized.String(), want)
		}
	})
	t.Run("a past table dilutes by the conversion ratio of its day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		b.issue(ada, class, "100", "2025-01-01")
		b.do(split(common, "2", "1", "2025-03-01"))
		b.do(split(class, "7", "1", "2025-05-01"))
		terms := preferred("Preferred")
		terms.AuthorizedShares = limit("7000")
		b.do(captable.ReplaceSecurity{ID: class, SecurityTerms: terms})
		for day, want := range map[string]string{
			"2025-02-28": "150", "2025-03-01": "300", "2025-04-30": "300", "2025-05-01": "300", "2026-01-14": "300", today: "700",
		} {
			equal(t, day, b.on(day).Totals.FullyDiluted.String(), want)
		}
	})
	t.Run("a past table has the ratio of its day if a split was recorded after a new ratio", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		b.issue(ada, class, "100", "2025-01-01")
		terms := b.class(class).SecurityTerms
		terms.Conversion = &captable.Conversion{Security: common, Ratio: number("3")}
		b.do(captable.ReplaceSecurity{ID: class, SecurityTerms: terms}) // effective today
		b.do(split(common, "2", "1", "2025-03-01"))
		b.do(split(class, "5", "1", "2025-05-01"))
		for day, want := range map[string]string{"2025-02-28": "150", "2025-03-01": "300", "2025-05-01": "300", "2026-01-14": "300", today: "600"} {
			equal(t, day, b.on(day).Totals.FullyDiluted.String(), want)
		}
		equal(t, "ratio now", b.class(class).Conversion.Ratio.String(), "1.2")
		last := captable.Date(0)
		for _, past := range b.class(class).PastConversions {
			equal(t, "in the order of dates", past.Until >= last, true)
			last = past.Until
		}
	})
	t.Run("a past table has the ratio of its day after two splits on one day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		b.issue(ada, class, "100", "2025-01-01")
		b.do(split(common, "2", "1", "2025-03-01"))
		b.do(split(common, "3", "1", "2025-03-01"))
		for day, want := range map[string]string{"2025-02-28": "150", "2025-03-01": "900"} {
			equal(t, day, b.on(day).Totals.FullyDiluted.String(), want)
		}
	})
	t.Run("a past table has converted shares in the class of its day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "2")
		b.ended(convert(b.issue(ada, class, "100", "2025-01-01"), common, "2025-06-01"))
		before, after := b.on("2025-05-31"), b.on("2025-06-01")
		equal(t, "before", before.Securities[0].Outstanding.String()+" "+before.Securities[1].Outstanding.String(), "0 100")
		equal(t, "after", after.Securities[0].Outstanding.String()+" "+after.Securities[1].Outstanding.String(), "200 0")
		equal(t, "diluted", before.Totals.FullyDiluted.String()+" "+after.Totals.FullyDiluted.String(), "200 200")
	})
}

func TestSharesOn(t *testing.T) {
	t.Parallel()
	t.Run("the invested amount is the consideration, or the price times the issued shares", func(t *testing.T) {
		t.Parallel()
		var h captable.Shareholding
		equal(t, "nothing given", h.Invested().String(), "0")
		h.Shares, h.PricePerShare = number("3"), price("0.3333333333")
		equal(t, "price times shares", h.Invested().String(), "0.9999999999")
		h.Before = []captable.ShareCount{{Until: 5, Shares: number("6")}, {Until: 9, Shares: number("4")}}
		equal(t, "as many as there were at issue", h.Invested().String(), "1.9999999998")
		h.Consideration = &captable.Consideration{
			Cash: number("10000"), DebtCancelled: number("2000"), IP: number("300"), Services: number("40"), Other: number("0.5"),
		}
		equal(t, "the consideration before all", h.Invested().String(), "12340.5")
	})
}
