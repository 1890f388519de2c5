package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestApprovedQuantities(t *testing.T) {
	t.Parallel()
	approving := func(t *testing.T, quantity string) (*bundle, captable.PoolRef) {
		t.Helper()
		b := setup(t)
		terms := planned(b.common("1000"), "300")
		terms.ApprovedEquities = []captable.ApprovedEquity{{Type: captable.GrantNSO, Quantity: figure(quantity)}, {Type: captable.GrantRSU}}
		return b, b.plan(terms)
	}
	t.Run("a grant beyond the approved quantity of its type is refused with the figures", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "100")
		b.grant(option(ada, ref, "60", today))
		refused := b.refused(option(bob, ref, "41", today), fault.InsufficientShares)
		equal(t, "figures", refused["available"]+" of "+refused["approved"]+" "+refused["type"], "40 of 100 nso")
		b.grant(option(bob, ref, "40", today))
	})
	t.Run("grants of another type do not count towards an approved quantity", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "10")
		units := option(ada, ref, "200", today)
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		b.grant(units)
		b.grant(option(ada, ref, "10", today))
	})
	t.Run("an approved quantity counts exercised options, but not cancelled or voided ones", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "100")
		exercised, cancelled, voided := b.grant(option(
			ada, ref, "50", "2025-01-01",
		)), b.grant(option(ada, ref, "30", "2025-01-01")), b.grant(option(ada, ref, "20", "2025-01-01"))
		b.do(captable.ExerciseGrant{ID: exercised, Quantity: number("50"), Date: exact.MustDate(today)})
		b.do(captable.CancelGrant{ID: cancelled, Date: exact.MustDate(today), Reason: "r"})
		b.do(captable.VoidGrant{ID: voided})
		b.refused(option(bob, ref, "51", today), fault.InsufficientShares)
		b.grant(option(bob, ref, "50", today))
	})
	t.Run("a grant can be corrected up to the approved quantity, but not beyond", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "100")
		id := b.grant(option(ada, ref, "60", today))
		b.do(captable.CorrectGrant{ID: id, GrantOption: option(ada, ref, "100", today), Reason: "r"})
		b.refused(captable.CorrectGrant{ID: id, GrantOption: option(ada, ref, "101", today), Reason: "r"}, fault.InsufficientShares)
	})
	t.Run("a split of the only class multiplies the approved quantities", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "100")
		id := b.grant(option(ada, ref, "60", today))
		b.do(captable.SplitSecurity{ID: b.granted(id).Security, Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate(today)})
		plan, _ := b.state.Plan(ref.Plan)
		equal(t, "approved", plan.ApprovedEquities[0].Quantity.String(), "300")
		b.refused(option(bob, ref, "121", today), fault.InsufficientShares)
		b.grant(option(bob, ref, "120", today))
	})
	t.Run("a split of one of several classes does not change the approved quantities", func(t *testing.T) {
		t.Parallel()
		b, ref := approving(t, "100")
		other := b.security(captable.SecurityTerms{Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: limit("1000")})
		terms := b.terms(ref)
		terms.Pools = append(terms.Pools, captable.PoolTerms{Name: "Side", Security: other, TotalShares: number("10")})
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
		b.do(captable.SplitSecurity{ID: other, Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate(today)})
		plan, _ := b.state.Plan(ref.Plan)
		equal(t, "approved", plan.ApprovedEquities[0].Quantity.String(), "100")
	})
}
