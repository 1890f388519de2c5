package organization_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
	"equity/organization"
)

// promised returns an organization and a member with 20 options, of which 5 had vested by yesterday.
func promised(tb testing.TB, vested string) (*bundle, organization.MemberID) {
	tb.Helper()
	b := planned(tb)
	id := b.add(bob, "Bob")
	var ref captable.PoolRef
	for plan := range b.state.Table().Plans() {
		ref = captable.PoolRef{Plan: plan.ID, Pool: plan.Pools[0].ID}
	}
	b.table(captable.GrantOption{
		HolderRef: captable.HolderRef{Member: id}, Quantity: exact.MustDecimal("20"),
		GrantTerms: captable.GrantTerms{Plan: ref.Plan, Pool: ref.Pool, Type: captable.GrantNSO, IssueDate: exact.MustDate("2025-01-01")},
		Vestings: []vesting.Vesting{
			{Date: exact.MustDate("2026-01-14"), Quantity: exact.MustDecimal(vested)},
			{Date: exact.MustDate("2027-01-14"), Quantity: exact.MustDecimal("20").Sub(exact.MustDecimal(vested))},
		},
	})
	return b, id
}

func (b *bundle) outstandingOptions() string {
	sum := captable.Decimal{}
	for grant := range b.state.Table().Grants() {
		sum = sum.Add(grant.On(exact.DateOf(b.now)).Outstanding)
	}
	return sum.String()
}

func TestTermination(t *testing.T) {
	t.Parallel()
	leaving := organization.Departure{TerminationDate: exact.MustDate(today), TerminationReason: "voluntaryOther"}
	t.Run("a termination of a member forfeits unvested options", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "5")
		events := b.do(organization.AmendMember{ID: id, Patch: []byte(`{"terminationDate":"` + today + `","terminationReason":"voluntaryOther"}`)})
		equal(t, "first", events[0].EventType(), "optionTerminated")
		equal(t, "left", b.outstandingOptions(), "5")
		equal(t, "noted", b.member(id).TerminationDate, exact.MustDate(today))
		equal(t, "once", len(b.do(organization.AmendMember{ID: id, Patch: []byte(`{"title":"Ghost"}`)})), 1)
	})
	t.Run("a termination with options needs a known reason and a date that is not in the future", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "5")
		b.refused(organization.AmendMember{ID: id, Patch: []byte(`{"terminationDate":"2030-01-01","terminationReason":"moved"}`)}, fault.Invalid,
			"/terminationDate dateInFuture", "/terminationReason enum")
		free := b.add(cleo, "Cleo")
		b.do(organization.AmendMember{ID: free, Patch: []byte(`{"terminationDate":"2030-01-01","terminationReason":"moved"}`)})
	})
	t.Run("a removal with a termination requires keepHoldings for vested options", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "5")
		b.refused(organization.RemoveMember{ID: id, Departure: leaving}, fault.Conflict)
		equal(t, "nothing happened", b.outstandingOptions(), "20")
		b.do(organization.RemoveMember{ID: id, Departure: leaving, KeepHoldings: true})
		equal(t, "left", b.outstandingOptions(), "5")
		equal(t, "member", b.member(id).Status+" "+b.member(id).TerminationReason, "removed voluntaryOther")
	})
	t.Run("a removal with a termination needs no keepHoldings without vested options", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "0")
		b.do(organization.RemoveMember{ID: id, Departure: leaving})
		equal(t, "left", b.outstandingOptions(), "0")
	})
	t.Run("a termination without a date or before the start date is refused", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "5")
		b.refused(
			organization.RemoveMember{ID: id, Departure: organization.Departure{TerminationReason: "voluntaryOther"}}, fault.Invalid,
			"/terminationDate required",
		)
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"startDate":"` + today + `"}`)})
		early := organization.Departure{TerminationDate: exact.MustDate("2026-01-14")}
		b.refused(organization.RemoveMember{ID: id, Departure: early}, fault.Invalid, "/terminationDate beforeStart")
	})
	t.Run("a removal without a termination lets options continue to vest", func(t *testing.T) {
		t.Parallel()
		b, id := promised(t, "5")
		b.do(organization.RemoveMember{ID: id, KeepHoldings: true})
		equal(t, "left", b.outstandingOptions(), "20")
	})
}
