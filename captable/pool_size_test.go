package captable_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// A size of a pool is read on each day from the one for which it is stated until the next stated size,
// in any order of entry.
func TestStatedPoolSizesOfAPastDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		b := setup(t)
		ref := b.plan(planned(b.common("1000000"), "500"))
		first := exact.MustDate("2025-03-01")
		sizes, before := map[captable.Date]captable.Decimal{}, b.state
		most := 6
		if long(t) {
			most = 20
		}
		for range rapid.IntRange(1, most).Draw(draw, "statements") {
			from := first + captable.Date(rapid.IntRange(0, 9).Draw(draw, "day"))
			size := number(strconv.Itoa(rapid.IntRange(1, 4).Draw(draw, "size") * 1000))
			if rapid.Bool().Draw(draw, "replace") {
				plan, _ := b.state.Plan(ref.Plan)
				if plan.Pools[0].BoardApprovalDate == from {
					continue // states a size from today on
				}
				terms := captable.PlanTerms{PlanDetails: plan.PlanDetails, Pools: []captable.PoolTerms{plan.Pools[0].PoolTerms}}
				terms.Pools[0].TotalShares, terms.Pools[0].BoardApprovalDate = size, from
				b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
			} else {
				b.do(captable.AdjustPool{PoolRef: ref, TotalShares: size, EffectiveDate: from})
			}
			sizes[from] = size
			before = b.state
		}
		days := slices.Sorted(maps.Keys(sizes))
		for day := days[0]; day < first+12; day++ {
			want := sizes[days[0]]
			for _, from := range days {
				if from <= day {
					want = sizes[from]
				}
			}
			plan, _ := before.Plan(ref.Plan)
			if got := before.PlanOn(plan, day).Pools[0].TotalShares; got.Cmp(want) != 0 {
				draw.Fatalf("%s: size %s, stated %s (%v)", day, got, want, sizes)
			}
		}
		plan, _ := before.Plan(ref.Plan)
		if last := sizes[days[len(days)-1]]; plan.Pools[0].TotalShares.Cmp(last) != 0 || plan.Pools[0].Reserve.Cmp(last) != 0 {
			draw.Fatalf("the present size is %s, reserve %s, stated %s", plan.Pools[0].TotalShares, plan.Pools[0].Reserve, last)
		}
	})
}
