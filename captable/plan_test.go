package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func (b *bundle) plan(terms captable.PlanTerms) captable.PoolRef {
	b.Helper()
	created := b.do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated)
	return captable.PoolRef{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
}

// terms returns the present terms of a plan, as a base for its replacement.
func (b *bundle) terms(ref captable.PoolRef) captable.PlanTerms {
	b.Helper()
	plan, ok := b.state.Plan(ref.Plan)
	if !ok {
		b.Fatal("there is no such plan")
	}
	terms := captable.PlanTerms{PlanDetails: plan.PlanDetails}
	for _, pool := range plan.Pools {
		terms.Pools = append(terms.Pools, pool.PoolTerms)
	}
	return terms
}

// resize returns a command to change the total shares and, if given, the board approval date of
// the pool.
func (b *bundle) resize(ref captable.PoolRef, shares, approved string) captable.ReplacePlan {
	b.Helper()
	terms := b.terms(ref)
	terms.Pools[0].TotalShares = number(shares)
	if approved != "" {
		terms.Pools[0].BoardApprovalDate = exact.MustDate(approved)
	}
	return captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms}
}

func TestPlans(t *testing.T) {
	t.Parallel()
	t.Run("a plan is created with its pools, replaced and deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		terms := planned(class, "100")
		terms.Name = " 2020 Plan "
		ref := b.plan(terms)
		plan, pool, ok := b.state.Pool(ref)
		equal(t, "found", ok, true)
		equal(t, "name", plan.Name, "2020 Plan")
		equal(t, "behavior", plan.CancellationBehavior, captable.ReturnToPool)
		equal(t, "available", pool.Available().String(), "100")
		equal(t, "reserved", b.class(class).Reserved.String(), "100")
		restated := b.terms(ref)
		restated.Name, restated.CancellationBehavior = "Plan B", captable.Retire
		restated.Pools = append(restated.Pools, captable.PoolTerms{Name: "More", Security: class, TotalShares: number("50")})
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: restated})
		plan, pool, _ = b.state.Pool(ref)
		equal(t, "new name", plan.Name, "Plan B")
		equal(t, "pools", len(plan.Pools), 2)
		equal(t, "first stays", pool.ID, ref.Pool)
		equal(t, "reserved", b.class(class).Reserved.String(), "150")
		b.do(captable.DeletePlan{ID: ref.Plan})
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		b.refused(captable.DeletePlan{ID: ref.Plan}, fault.NotFound)
		b.refused(captable.ReplacePlan{ID: ref.Plan, PlanTerms: restated}, fault.NotFound)
		if faults := b.state.Audit(); len(faults) > 0 {
			t.Error(faults)
		}
	})
	t.Run("a refused plan names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class, other := b.common("1000"), captable.SecurityID{1}
		b.refused(captable.CreatePlan{PlanTerms: captable.PlanTerms{
			PlanDetails: captable.PlanDetails{
				Name: " ", BoardApprovalDate: exact.MustDate("2030-01-01"), StockholderApprovalDate: exact.MustDate("2030-01-01"), TermYears: 101,
				CancellationBehavior: "x", Securities: []captable.SecurityID{other},
				ApprovedEquities: []captable.ApprovedEquity{{Type: "x", Quantity: figure("-1")}}, Documents: []captable.PlanDocument{{Kind: "x"}},
			},
			Pools: []captable.PoolTerms{
				{Name: " ", Security: other, TotalShares: number("-1"), StrikePrice: price("-1"), BoardApprovalDate: exact.MustDate("2030-01-01")},
				{ID: captable.PoolID{1}, Name: "A", Security: class, TotalShares: number("1.5")},
				{ID: captable.PoolID{1}, Name: "a", Security: other},
			},
		}}, fault.Invalid,
			"/name required", "/boardApprovalDate dateInFuture", "/stockholderApprovalDate dateInFuture", "/termYears outOfRange",
			"/cancellationBehavior enum", "/securities/0 unknownReference", "/approvedEquities/0/type enum", "/approvedEquities/0/quantity negative",
			"/documents/0/kind enum", "/documents/0/file required",
			"/pools/0/name required", "/pools/0/security unknownReference", "/pools/0/totalShares negative", "/pools/0/strikePrice negative",
			"/pools/0/boardApprovalDate dateInFuture",
			"/pools/1/security notOfPlan", "/pools/1/totalShares notWhole", "/pools/1/id unknownReference",
			"/pools/2/name duplicate", "/pools/2/id duplicate", "/pools/2/security unknownReference", "/pools/2/id unknownReference")
	})
	t.Run("a plan with the name or the externalId of another plan is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "1")
		terms.ExternalID = "p"
		ref := b.plan(terms)
		equal(t, "plan", b.refused(captable.CreatePlan{PlanTerms: terms}, fault.Conflict)["plan"], ref.Plan.String())
		terms.Name = "Other"
		b.refused(captable.CreatePlan{PlanTerms: terms}, fault.Conflict)
		b.do(captable.DeletePlan{ID: ref.Plan})
		b.plan(terms)
	})
	t.Run("a class of a plan cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		b.plan(planned(class, "1"))
		b.refused(captable.DeleteSecurity{ID: class}, fault.InUse)
	})
	t.Run("a plan with grants can neither be deleted nor move a pool to another class", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		other := b.security(captable.SecurityTerms{Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: limit("1000")})
		ref := b.plan(planned(class, "100"))
		b.state.Granted(ref, number("30"), exact.MustDate(today))
		b.state.Exercised(ref, number("10"), exact.MustDate(today))
		refusal := b.refused(captable.DeletePlan{ID: ref.Plan}, fault.InUse)
		equal(t, "granted, outstanding, exercised", refusal["granted"]+" "+refusal["outstanding"]+" "+refusal["exercised"], "30 20 10")
		terms := b.terms(ref)
		terms.Pools[0].Security = other
		b.refused(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms}, fault.InUse)
	})
	t.Run("a plan without grants may move a pool to another class", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		other := b.security(captable.SecurityTerms{Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: limit("1000")})
		ref := b.plan(planned(class, "100"))
		terms := b.terms(ref)
		terms.Pools[0].Security = other
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
		equal(t, "reserved", b.class(class).Reserved.String()+" "+b.class(other).Reserved.String(), "0 100")
	})
}

func TestPlanTerm(t *testing.T) {
	t.Parallel()
	details := captable.PlanDetails{
		BoardApprovalDate: exact.MustDate("2016-02-01"), EffectiveDate: exact.MustDate("2016-02-29"), TermYears: 10,
		ApprovedEquities: []captable.ApprovedEquity{{Type: captable.GrantISO}},
	}
	for _, row := range []struct{ claim, granted, want string }{
		{"a grant before the effective date is refused", "2016-02-28", "beforePlan"},
		{"a grant on the effective date is accepted", "2016-02-29", ""},
		{"a grant on the last day of the term is accepted", "2026-02-27", ""},
		{"a grant on the anniversary of the plan is refused", "2026-02-28", "planExpired"},
	} {
		t.Run(row.claim, func(t *testing.T) {
			t.Parallel()
			faults := details.TermFaults(exact.MustDate(row.granted), captable.GrantISO)
			equal(t, "faults", len(faults) > 0, row.want != "")
			for _, problem := range faults {
				equal(t, "code", problem.Code, row.want)
			}
		})
	}
	t.Run("the term of a plan without an effective date begins with its board approval", func(t *testing.T) {
		t.Parallel()
		without := details
		without.EffectiveDate = 0
		equal(t, "expires", without.ExpiresOn().String(), "2026-02-01")
	})
	t.Run("a plan without a stated term has no end", func(t *testing.T) {
		t.Parallel()
		equal(t, "expires", (&captable.PlanDetails{EffectiveDate: 9}).ExpiresOn(), 0)
		equal(t, "faults", len((&captable.PlanDetails{}).TermFaults(exact.MustDate(today), captable.GrantRSU)), 0)
	})
	t.Run("a grant of a type that the plan does not approve is refused", func(t *testing.T) {
		t.Parallel()
		faults := details.TermFaults(exact.MustDate("2020-01-01"), captable.GrantRSU)
		equal(t, "faults", len(faults), 1)
		equal(t, "code", faults[0].Code, "notApproved")
	})
}

func TestPlanStatus(t *testing.T) {
	t.Parallel()
	details := captable.PlanDetails{EffectiveDate: exact.MustDate("2016-03-01"), TermYears: 10}
	for day, want := range map[string]string{"2016-02-29": "pending", "2016-03-01": "active", "2026-02-28": "active", "2026-03-01": "expired"} {
		t.Run("a plan is "+want+" on "+day, func(t *testing.T) {
			t.Parallel()
			equal(t, "status", details.StatusOn(exact.MustDate(day)), want)
		})
	}
	t.Run("a plan without a term stays active", func(t *testing.T) {
		t.Parallel()
		equal(t, "status", (&captable.PlanDetails{}).StatusOn(exact.MustDate("2199-01-01")), "active")
	})
}
