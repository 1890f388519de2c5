package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

func (b *bundle) sums(ref captable.PoolRef, day string) captable.PlanSums {
	b.Helper()
	plan, _ := b.state.Plan(ref.Plan)
	return b.state.PlanSums(plan, exact.MustDate(day))
}

func TestPlanSums(t *testing.T) {
	t.Parallel()
	halved := func(who captable.EntityID, ref captable.PoolRef, cost string) captable.GrantOption {
		command := option(who, ref, "100", "2025-01-01")
		command.ExercisePrice = price(cost)
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-02-01"), Quantity: number("40")}, {Date: exact.MustDate("2035-02-01"), Quantity: number("60")},
		}
		return command
	}
	t.Run("the sums of a plan count its grants by type and average their exercise prices", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("9000"), "1000")
		terms.ApprovedEquities = []captable.ApprovedEquity{{Type: captable.GrantNSO, Quantity: figure("500")}, {Type: captable.GrantRSU}}
		ref := b.plan(terms)
		first := b.grant(halved(ada, ref, "1"))
		b.grant(halved(ada, ref, "2"))
		b.grant(halved(bob, ref, "2"))
		b.do(captable.VoidGrant{ID: b.grant(halved(cleo, ref, "9"))})
		b.do(captable.ExerciseGrant{ID: first, Quantity: number("30"), Date: exact.MustDate("2025-03-01")})
		b.do(captable.RequestExercise{ID: first, Quantity: number("1")})
		equal(t, "requests", b.sums(ref, today).Requests, 1)

		sums := b.sums(ref, today)

		equal(t, "types", len(sums.ByType), 2)
		equal(t, "options", text(t, sums.ByType[0]), `{"type":"nso","approved":"500","grants":3,"holders":2,"quantity":"300","vested":"120","unvested":"180",`+
			`"exercisable":"90","releasable":"0","exercised":"30","released":"0","cancelled":"0","expired":"0","outstanding":"270","averageExercisePrice":"1.7407407407"}`)
		equal(t, "units", sums.ByType[1].Grants, 0)
		equal(t, "statuses", text(t, sums.ByStatus), `{"active":3}`)
		equal(t, "next", text(t, sums.NextVesting), `{"date":"2035-02-01","quantity":"180"}`)
		equal(t, "holders", sums.Holders, 2)
	})
	t.Run("the sums of a plan are those of the requested day, with the lapses until then", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ref := b.plan(planned(b.common("9000"), "1000"))
		command := halved(ada, ref, "1")
		command.ExpirationDate = exact.MustDate("2026-01-01")
		b.grant(command)
		equal(t, "before", len(b.sums(ref, "2024-12-31").ByType), 0)
		equal(t, "then", text(t, b.sums(ref, "2025-02-01").ByStatus), `{"active":1}`)
		lapsed := b.sums(ref, "2026-01-02")
		equal(t, "lapsed", lapsed.ByType[0].Expired.String()+text(t, lapsed.ByStatus), `100{"expired":1}`)
		equal(t, "holders", lapsed.Holders, 0)
	})
}

// checkSums checks that the sums of a plan's grants equal the figures of its pools.
func (g *grants) checkSums(day captable.Date) {
	g.Helper()
	plan, there := g.state.Plan(g.ref.Plan)
	if !there {
		return
	}
	pools := captable.PoolFigures{}
	for _, pool := range g.state.PlanOn(plan, day).Pools {
		pools = pools.Add(pool.PoolFigures)
	}
	outstanding := captable.Decimal{}
	for _, row := range g.state.PlanSums(plan, day).ByType {
		outstanding = outstanding.Add(row.Outstanding)
		sum := row.Outstanding.Add(row.Exercised).Add(row.Released).Add(row.Cancelled).Add(row.Expired)
		equal(g, "sum of the "+string(row.Type), sum.String(), row.Quantity.String())
	}
	equal(g, "outstanding of the plan", outstanding.String(), pools.Outstanding().String())
}
