package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestDays(t *testing.T) {
	t.Parallel()
	t.Run("ClassOfARoundBeginsWithTheRound", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		class := b.do(b.close(priced()))[0].(captable.SecurityCreated).ID
		listed := func(day captable.Date) (authorized string) {
			for _, line := range b.on(day.String()).Securities {
				if line.ID == class {
					return line.Authorized.String()
				}
			}
			return "not listed"
		}
		day := exact.MustDate(today)
		equal(t, "on the day before", listed(day-1), "not listed")
		equal(t, "on the day", listed(day), b.class(class).AuthorizedShares.String())
		equal(t, "the total of before", b.on((day - 1).String()).Totals.Authorized.String(), "20000000")
		b.refused(issue(ada, class, "1", (day-1).String()), fault.InsufficientShares)
	})
	t.Run("DashboardOfAPastDayOmitsLaterGrants", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "500"))
		b.grant(option(ada, ref, "10", "2025-01-10"))
		b.grant(option(bob, ref, "20", "2025-02-10"))
		for day, want := range map[string][2]string{
			"2025-01-09": {"0", "0"}, "2025-01-10": {"1", "10"}, "2025-02-09": {"1", "10"}, "2025-02-10": {"2", "30"},
		} {
			plan, _ := b.state.Plan(ref.Plan)
			sums, quantity := b.state.PlanSums(plan, exact.MustDate(day)), captable.Decimal{}
			for _, row := range sums.ByType {
				quantity = quantity.Add(row.Quantity)
			}
			equal(t, "grants on "+day, exact.NewDecimal(int64(b.state.GrantsOn(plan, exact.MustDate(day)))).String(), want[0])
			equal(t, "options on "+day, quantity.String(), want[1])
			equal(t, "holders on "+day, exact.NewDecimal(int64(sums.Holders)).String(), want[0])
		}
	})
	t.Run("GrantBeforeThePlanIsApprovedIsRefusedForThatReason", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "500")
		terms.BoardApprovalDate = exact.MustDate("2025-02-01")
		ref := b.plan(terms)
		got := b.refused(option(ada, ref, "10", "2025-01-31"), fault.Conflict, "/issueDate beforeApproval")
		equal(t, "since when", got["approvedFrom"], "2025-02-01")
		b.grant(option(ada, ref, "10", "2025-02-01"))
	})
	t.Run("a pool that was granted on its first day begins on that day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "500")
		terms.BoardApprovalDate = exact.MustDate("2025-02-01")
		ref := b.plan(terms)
		b.grant(option(ada, ref, "500", "2025-02-01"))
		_, err := b.decide(captable.AdjustPool{PoolRef: ref, TotalShares: number("600"), EffectiveDate: exact.MustDate("2025-01-31")})
		b.refusal(err, fault.Invalid, "/effectiveDate beforeApproval")
	})
	t.Run("SplitWithARatioOfOneIsRefused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		for _, same := range []string{"1", "7", "0.5"} {
			_, err := b.decide(split(class, same, same, today))
			b.refusal(err, fault.Invalid, "/numerator sameRatio")
		}
	})
}
