package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func TestTableOfPools(t *testing.T) {
	t.Parallel()
	t.Run("pools are listed with their figures, and available shares count as fully diluted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "2")
		b.issue(ada, common, "200", "2025-01-01")
		terms := planned(common, "100")
		terms.Pools = append(terms.Pools, captable.PoolTerms{Name: "Preferred", Security: class, TotalShares: number("50")})
		ref := b.plan(terms)
		table := b.on(today)
		equal(t, "pools", text(t, table.Pools[0]), `{"plan":"`+ref.Plan.String()+`","planName":"2020 Plan","pool":"`+ref.Pool.String()+`","name":"Main","security":"`+common.String()+
			`","reserve":"100","granted":"0","exercised":"0","cancelled":"0","returned":"0","outstanding":"0","available":"100","fullyDiluted":"100","percentFullyDiluted":"0.25"}`)
		equal(t, "as what it converts into", table.Pools[1].FullyDiluted.String()+" "+table.Pools[1].PercentFullyDiluted.String(), "100 0.25")
		equal(t, "fully diluted", table.Totals.FullyDiluted.String(), "400")
		equal(t, "outstanding", table.Totals.Outstanding.String(), "200")
		equal(t, "of the holder", table.Holders[0].PercentFullyDiluted.String(), "0.5")
		equal(t, "of the classes", table.Securities[0].PercentFullyDiluted.String()+" "+table.Securities[1].PercentFullyDiluted.String(), "0.75 0.25")
		equal(t, "reserved", table.Securities[0].Reserved.String()+" "+table.Securities[1].Reserved.String(), "100 50")
	})
	t.Run("pools are listed with the figures of the day", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.state.Granted(ref, number("60"), exact.MustDate("2025-01-01"))
		b.state.Exercised(ref, number("60"), exact.MustDate(today))
		b.do(b.resize(ref, "150", "2025-06-01"))
		line := b.on("2025-05-31").Pools[0]
		equal(t, "reserve, outstanding, available", line.Reserve.String()+" "+line.Outstanding.String()+" "+line.Available.String(), "100 60 40")
		line = b.on(today).Pools[0]
		equal(t, "reserve, outstanding, available", line.Reserve.String()+" "+line.Outstanding.String()+" "+line.Available.String(), "150 0 90")
	})
}

func TestTableOfOptions(t *testing.T) {
	t.Parallel()
	b, class, ref := pooled(t)
	b.issue(ada, class, "100", "2025-01-01")
	short := option(bob, ref, "60", "2025-01-01")
	short.ExpirationDate = exact.MustDate("2025-12-31")
	id := b.grant(short)
	b.do(captable.ExerciseGrant{ID: id, Quantity: number("20"), Date: exact.MustDate("2025-06-01")})
	for _, row := range []struct{ claim, day, bob, part, diluted string }{
		{"granted options count with their holder", "2025-05-31", "0 60", "0.3", "200"},
		{"exercised options count as shares of their holder", "2025-06-01", "20 40", "0.3", "200"},
		{"expired options count with the pool again", "2026-01-01", "20 0", "0.1", "200"},
	} {
		t.Run(row.claim, func(t *testing.T) {
			t.Parallel()
			table := b.on(row.day)
			holder := table.Holders[1]
			equal(t, "Bob's shares and options", holder.Shares.String()+" "+holder.Options.String(), row.bob)
			equal(t, "Bob's part", holder.PercentFullyDiluted.String(), row.part)
			equal(t, "fully diluted", table.Totals.FullyDiluted.String(), row.diluted)
			equal(t, "all", holder.PercentFullyDiluted.Add(table.Holders[0].PercentFullyDiluted).Add(table.Pools[0].PercentFullyDiluted).String(), "1")
		})
	}
	t.Run("a holder of options is not a holder of the class", func(t *testing.T) {
		t.Parallel()
		equal(t, "holders of the class", b.on("2025-05-31").Securities[0].Holders, 1)
		equal(t, "holders", len(b.on("2025-05-31").Holders), 2)
	})
}
