package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestDeferLimitsAcceptsAnExcessThatALaterCommandRemoves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("100")
	first := b.issue(ada, class, "100", "2025-01-01")
	b.do(captable.DeferLimits{Command: issue(bob, class, "60", "2025-02-01")})
	b.refused(captable.CheckLimits{}, fault.InsufficientShares)
	b.do(captable.CancelShareholding{ID: first, Shares: new(number("60")), Date: exact.MustDate("2025-02-01"), Reason: "Agreed."})
	b.do(captable.CheckLimits{})
	b.totals(class, "100", "100", "0", "0")
}

func TestDeferLimitsTakesStatedSharesFromTheTreasuryOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("100")
	first := b.issue(ada, class, "100", "2025-01-01")
	b.do(captable.RepurchaseShareholding{
		ID: first, Shares: number("30"), Price: &captable.Price{Amount: number("1")}, Date: exact.MustDate("2025-02-01"), ToTreasury: true,
	})
	command := issue(bob, class, "20", "2025-03-01")
	command.FromTreasury = number("20")
	b.do(captable.DeferLimits{Command: command})
	b.do(captable.CheckLimits{})
	b.totals(class, "100", "90", "10", "10")
}

func TestCheckLimitsRefusesAnExcessOnAPastDay(t *testing.T) {
	t.Parallel()
	for limit, exceed := range map[string]func(b *bundle, class captable.SecurityID){
		"of a class": func(b *bundle, class captable.SecurityID) {
			held := b.do(captable.DeferLimits{Command: issue(ada, class, "2000", "2025-01-01")})[0].(captable.ShareholdingIssued).ID
			b.do(captable.CancelShareholding{ID: held, Date: exact.MustDate("2025-02-01"), Reason: "Agreed."})
		},
		"of a pool": func(b *bundle, class captable.SecurityID) {
			plan := b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
				PlanDetails: captable.PlanDetails{Name: "Plan"},
				Pools:       []captable.PoolTerms{{Name: "Pool", Security: class, TotalShares: number("10")}},
			}})[0].(captable.PlanCreated)
			ref := captable.PoolRef{Plan: plan.ID, Pool: plan.Terms.Pools[0].ID}
			award := issue(ada, class, "20", "2025-01-01")
			award.Award = captable.Award(ref)
			b.do(captable.DeferLimits{Command: award})
			b.do(captable.AdjustPool{PoolRef: ref, TotalShares: number("30"), EffectiveDate: exact.MustDate("2025-02-01")})
		},
		"of the treasury": func(b *bundle, class captable.SecurityID) {
			command := issue(bob, class, "20", "2025-01-01")
			command.FromTreasury = number("20")
			b.do(captable.DeferLimits{Command: command})
			held := b.do(captable.DeferLimits{Command: issue(ada, class, "20", "2025-01-01")})[0].(captable.ShareholdingIssued).ID
			b.do(captable.RepurchaseShareholding{
				ID: held, Shares: number("20"), Price: &captable.Price{Amount: number("1")}, Date: exact.MustDate("2025-02-01"), ToTreasury: true,
			})
		},
	} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			exceed(b, b.common("1000"))
			refusal := b.refused(captable.CheckLimits{}, fault.InsufficientShares)
			equal(t, "the first day", refusal["date"], "2025-01-01")
		})
	}
}
