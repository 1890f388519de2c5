package captable_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// option returns a command to grant options that are fully vested at issue, at an exercise
// price of 1.50.
func option(to captable.EntityID, ref captable.PoolRef, quantity, on string) captable.GrantOption {
	return captable.GrantOption{
		HolderRef:  captable.HolderRef{Entity: to},
		GrantTerms: captable.GrantTerms{Plan: ref.Plan, Pool: ref.Pool, Type: captable.GrantNSO, IssueDate: exact.MustDate(on)},
		Quantity:   number(quantity), ExercisePrice: price("1.5"),
	}
}

func (b *bundle) grant(command captable.GrantOption) captable.GrantID {
	b.Helper()
	return b.do(command)[0].(captable.OptionGranted).ID
}

func (b *bundle) granted(id captable.GrantID) *captable.Grant {
	b.Helper()
	grant, ok := b.state.Grant(id)
	if !ok {
		b.Fatalf("there is no grant %s", id)
	}
	return grant
}

// standing returns the following figures of a grant on a day: quantity, vested, exercisable or
// releasable, exercised or released, cancelled, expired and outstanding.
func (b *bundle) standing(id captable.GrantID, day string) string {
	b.Helper()
	f := b.granted(id).On(exact.MustDate(day))
	var written strings.Builder
	for _, figure := range []captable.Decimal{
		f.Quantity, f.Vested, f.Exercisable.Add(f.Releasable), f.Exercised.Add(f.Released), f.Cancelled, f.Expired, f.Outstanding,
	} {
		written.WriteString(figure.String() + " ")
	}
	return written.String()
}

// audited fails the test if the audit of the state finds faults.
func (b *bundle) audited() {
	b.Helper()
	if faults := b.state.Audit(); len(faults) > 0 {
		b.Error(faults)
	}
}

// tellGrants adds to the story the commands about grants.
func tellGrants(do func(captable.Command) captable.Event, class captable.SecurityID) {
	plan := do(captable.CreatePlan{PlanTerms: planned(class, "20")}).(captable.PlanCreated)
	ref := captable.PoolRef{Plan: plan.ID, Pool: plan.Terms.Pools[0].ID}
	grant := func(command captable.GrantOption) captable.GrantID { return do(command).(captable.OptionGranted).ID }
	day := exact.MustDate(today)

	id := grant(option(ada, ref, "4", today))
	do(captable.AmendGrant{ID: id, Patch: []byte(`{"comments":["c"],"externalId":"g"}`)})
	again := option(ada, ref, "5", today)
	again.ExternalID = "h"
	do(captable.CorrectGrant{ID: id, GrantOption: again, Reason: "r"})
	do(captable.AcceptGrant{ID: id})
	do(captable.RepriceGrants{Plan: ref.Plan, ExercisePrice: *price("1"), Date: day})
	request := do(captable.RequestExercise{ID: id, Quantity: number("1")}).(captable.ExerciseRequested).Request.ID
	do(captable.DeclineExercise{ID: id, Request: request, Reason: "r"})
	do(captable.ExerciseGrant{ID: id, Quantity: number("2"), Date: day})
	do(captable.CancelGrant{ID: id, Quantity: figure("1"), Date: day, Reason: "r"})
	do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: day, Reason: captable.VoluntaryOther}})

	do(captable.VoidGrant{ID: grant(option(bob, ref, "1", today)), Reason: "r"})
	do(captable.RetractGrant{ID: grant(option(bob, ref, "1", today)), Date: exact.MustDate(today), Reason: "r"})
	units := option(bob, ref, "2", today)
	units.Type, units.ExercisePrice = captable.GrantRSU, nil
	do(captable.ReleaseGrant{ID: grant(units), Date: day})
	short := option(bob, ref, "3", "2025-01-01")
	short.ExpirationDate = exact.MustDate("2025-06-01")
	short.Vesting = &vesting.Scheme{Allocation: vesting.CumulativeRounding, Discrete: []vesting.Tranche{{Milestone: "launch", Quantity: number("3")}}}
	do(captable.HappenGrant{ID: grant(short), Happening: vesting.Happening{Condition: "launch", Date: exact.MustDate("2025-03-01")}})
	do(captable.ExpireGrants{})
}

func TestGrant(t *testing.T) {
	t.Parallel()
	t.Run("a grant takes its options from its pool and keeps the shares of the class reserved", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", today))
		equal(t, "pool", b.figuresOf(ref, today), "100 60 60 0 0 0 40 ")
		equal(t, "grant", b.standing(id, today), "60 60 60 0 0 0 60 ")
		equal(t, "class", b.granted(id).Security, class)
		equal(t, "reserved", b.class(class).Reserved.String(), "100")
		equal(t, "holds", b.state.Holds(ada), true)
		b.refused(captable.DeletePlan{ID: ref.Plan}, fault.InUse)
		b.audited()
	})
	t.Run("a grant beyond the available options of its pool is refused, also with an earlier date", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.grant(option(ada, ref, "60", today))
		for _, day := range []string{today, "2025-01-01"} {
			figures := b.refused(option(bob, ref, "41", day), fault.InsufficientShares)
			equal(t, "figures", figures["available"]+" of "+figures["requested"], "40 of 41")
		}
	})
	t.Run("a grant outside the term of its plan is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "100")
		terms.EffectiveDate, terms.TermYears = exact.MustDate("2015-01-10"), 10
		ref := b.plan(terms)
		figures := b.refused(option(ada, ref, "1", "2025-01-10"), fault.Conflict)
		equal(t, "end", figures["expiresOn"], "2025-01-10")
		b.refused(option(ada, ref, "1", "2015-01-09"), fault.Conflict)
		b.grant(option(ada, ref, "1", "2025-01-09"))
	})
	t.Run("a refused grant names every wrong field", func(t *testing.T) {
		t.Parallel()
		b, _, _ := pooled(t)
		b.refused(captable.GrantOption{}, fault.Invalid, "/entity required", "/issueDate required", "/type enum",
			"/plan unknownReference", "/quantity notPositive")
	})
	t.Run("a grant with an invalid field or an unknown reference is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		for _, row := range []struct {
			change func(*captable.GrantOption)
			fault  string
		}{
			{func(g *captable.GrantOption) { g.Pool = captable.PoolID{1} }, "/pool unknownReference"},
			{func(g *captable.GrantOption) { g.Quantity = number("0.5") }, "/quantity notWhole"},
			{func(g *captable.GrantOption) { g.Type = captable.GrantRSU }, "/exercisePrice notOfType"},
			{func(g *captable.GrantOption) { g.ExpirationDate = g.IssueDate }, "/expirationDate datesOutOfOrder"},
			{func(g *captable.GrantOption) { g.IssueDate += 5 }, "/issueDate dateInFuture"},
			{func(g *captable.GrantOption) { g.VestingSchedule = "No such" }, "/vestingSchedule unknownReference"},
			{func(g *captable.GrantOption) { g.Vesting = &vesting.Scheme{Continuous: monthly().Continuous} }, "/vesting/allocation unknownValue"},
			{func(g *captable.GrantOption) { g.Entity = nobod }, "/entity unknownReference"},
			{func(g *captable.GrantOption) {
				g.TerminationWindows = []captable.TerminationWindow{{Reason: "bored", Period: vesting.Period{Unit: vesting.Days}}}
			}, "/terminationWindows/0/reason enum"},
			{func(g *captable.GrantOption) {
				g.TerminationWindows = []captable.TerminationWindow{
					{Reason: captable.VoluntaryOther, Period: vesting.Period{N: -1, Unit: vesting.Days}},
				}
			}, "/terminationWindows/0/period/n outOfRange"},
			{func(g *captable.GrantOption) {
				g.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther}}
			}, "/terminationWindows/0/period/unit enum"},
		} {
			command := option(ada, ref, "1", today)
			row.change(&command)
			b.refused(command, fault.Invalid, row.fault)
		}
	})
	t.Run("a grant takes the price of its pool and the terms of its vesting schedule", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := planned(b.common("1000"), "100")
		terms.Pools[0].StrikePrice = price("3")
		ref := b.plan(terms)
		schedule := b.do(scheduled("Four years"))[0].(captable.VestingScheduleCreated).ID
		command := option(ada, ref, "48", "2025-01-01")
		command.ExercisePrice, command.VestingSchedule = nil, "four years"
		id := b.grant(command)
		equal(t, "price", b.granted(id).ExercisePrice.Amount.String(), "3")
		equal(t, "schedule", b.granted(id).VestingSchedule, schedule.String())
		equal(t, "start", b.granted(id).VestingStart, exact.MustDate("2025-01-01"))
		if vested := b.granted(id).On(exact.MustDate(today)).Vested; vested.Sign() <= 0 || vested.Cmp(number("48")) >= 0 {
			t.Errorf("a part of it has vested by now, not %s", vested)
		}
	})
}

func TestAcceptanceOfAnExpiredGrantIsRefused(t *testing.T) {
	t.Parallel()
	for end, command := range map[string]func(*captable.GrantOption){
		"expiration date": func(c *captable.GrantOption) { c.ExpirationDate = exact.MustDate("2025-02-01") },
		"termination window": func(c *captable.GrantOption) {
			c.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
		},
	} {
		t.Run("an acceptance after the "+end+" is refused", func(t *testing.T) {
			t.Parallel()
			b, _, ref := pooled(t)
			grant := option(ada, ref, "60", "2025-01-01")
			command(&grant)
			id := b.grant(grant)
			if grant.ExpirationDate.IsZero() {
				b.do(terminate(id, "2025-01-01", captable.VoluntaryOther))
			}
			b.refused(captable.AcceptGrant{ID: id, Date: exact.MustDate("2025-02-02")}, fault.Conflict)
			b.do(captable.AcceptGrant{ID: id, Date: exact.MustDate("2025-02-01")})
		})
	}
}

func TestGrantCorrection(t *testing.T) {
	t.Parallel()
	t.Run("a correction restates the grant and its pool from the new issue date on", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", today))
		b.do(captable.AcceptGrant{ID: id})
		b.refused(captable.CorrectGrant{ID: id, GrantOption: option(bob, ref, "101", today), Reason: "r"}, fault.InsufficientShares)
		b.do(captable.CorrectGrant{ID: id, GrantOption: option(bob, ref, "100", "2025-01-01"), Reason: "typed wrong"})
		equal(t, "pool then", b.figuresOf(ref, "2025-01-01"), "100 100 100 0 0 0 0 ")
		equal(t, "status", b.granted(id).Status, captable.StatusAccepted)
		equal(t, "old holder", b.state.Holds(ada), false)
		equal(t, "new holder", b.state.Holds(bob), true)
		b.audited()
	})
	t.Run("a correction without a reason, or to an issue after the acceptance, is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", "2025-01-01"))
		b.do(captable.AcceptGrant{ID: id, Date: exact.MustDate("2025-01-02")})
		b.refused(captable.CorrectGrant{ID: id, GrantOption: option(ada, ref, "60", "2025-01-03")}, fault.Invalid,
			"/reason required", "/issueDate afterAcceptance")
	})
	t.Run("a correction and a void of an exercised grant are refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", today))
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("1"), Date: exact.MustDate(today)})
		b.refused(captable.CorrectGrant{ID: id, GrantOption: option(ada, ref, "60", today), Reason: "r"}, fault.HasResults)
		b.refused(captable.VoidGrant{ID: id}, fault.HasResults)
	})
	t.Run("a voided grant returns its options to the pool and stays readable", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", today))
		b.do(captable.VoidGrant{ID: id, Reason: "twice"})
		equal(t, "pool", b.figuresOf(ref, today), "100 0 0 0 0 0 100 ")
		equal(t, "grant", b.standing(id, today), "0 0 0 0 0 0 0 ")
		equal(t, "reason", b.granted(id).End.Reason, "twice")
		b.refused(captable.VoidGrant{ID: id}, fault.Conflict)
		b.refused(captable.AmendGrant{ID: id, Patch: []byte(`{}`)}, fault.Conflict)
		b.audited()
	})
	t.Run("an amendment changes clerical fields and refuses the quantity", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "60", today))
		other := option(ada, ref, "1", today)
		other.ExternalID = "g-1"
		b.grant(other)
		b.do(captable.AmendGrant{ID: id, Patch: []byte(`{"agreement":"f-1"}`)})
		equal(t, "agreement", b.granted(id).Agreement, "f-1")
		b.refused(captable.AmendGrant{ID: id, Patch: []byte(`{"quantity":"2"}`)}, fault.Invalid, "/quantity unknownField")
		b.refused(captable.AmendGrant{ID: id, Patch: []byte(`{"externalId":"g-1"}`)}, fault.Conflict)
	})
}
