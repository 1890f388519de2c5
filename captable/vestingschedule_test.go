package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// fourYears returns a scheme that vests monthly over four years with a cliff of one year.
func fourYears() vesting.Scheme {
	return vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 4, Unit: vesting.Years}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		Cliff: &vesting.Cliff{After: vesting.Period{N: 1, Unit: vesting.Years}},
	}}
}

func scheduled(name string) captable.CreateVestingSchedule {
	return captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{Name: name, Scheme: fourYears()}}
}

func (b *bundle) schedule(name string) captable.VestingScheduleID {
	b.Helper()
	return b.do(scheduled(name))[0].(captable.VestingScheduleCreated).ID
}

func supersede(old captable.VestingScheduleID, name string) captable.SupersedeVestingSchedule {
	return captable.SupersedeVestingSchedule{Old: old, VestingScheduleTerms: scheduled(name).VestingScheduleTerms}
}

func (b *bundle) supersede(old captable.VestingScheduleID, name string) captable.VestingScheduleID {
	b.Helper()
	return b.do(supersede(old, name))[0].(captable.VestingScheduleSuperseded).ID
}

// listed creates a plan that lists the schedules.
func (b *bundle) listed(name string, schedules ...captable.VestingScheduleID) captable.PlanID {
	b.Helper()
	terms := captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: name}}
	for _, id := range schedules {
		terms.VestingSchedules = append(terms.VestingSchedules, id.String())
	}
	return b.do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated).ID
}

func TestVestingSchedules(t *testing.T) {
	t.Parallel()
	t.Run("a schedule is created and projects instalments", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		schedule, ok := b.state.VestingSchedule(b.schedule(" Standard "))
		equal(t, "there", ok, true)
		equal(t, "name", schedule.Name, "Standard")
		day := exact.MustDate("2025-01-31")
		instalments, err := schedule.Project(vesting.Award{Quantity: number("4800"), GrantDate: day, Start: day}, nil)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "before the cliff", instalments.On(exact.MustDate("2026-01-30")).String(), "0")
		equal(t, "at the cliff", instalments.On(exact.MustDate("2026-01-31")).String(), "1200")
		equal(t, "in the end", instalments.Total().String(), "4800")
	})
	t.Run("a refused schedule names every wrong field", func(t *testing.T) {
		t.Parallel()
		command := scheduled(" ")
		command.Allocation, command.DayRule = "SOME", "32"
		command.Continuous.Cliff.Fraction = figure("1.5")
		setup(t).refused(command, fault.Invalid,
			"/name required", "/allocation unknownValue", "/dayRule unknownValue", "/continuous/cliff/fraction badFraction")
	})
	t.Run("a schedule with a cycle, dates out of order or more than the whole is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := scheduled("Round")
		command.Continuous, command.Terms = nil, &vesting.Terms{Conditions: []vesting.Condition{
			{ID: "start", When: vesting.When{Kind: vesting.AtStart}, Next: []string{"a"}},
			{ID: "a", When: vesting.When{Kind: vesting.OnEvent}, Next: []string{"b"}},
			{ID: "b", When: vesting.When{Kind: vesting.OnEvent}, Next: []string{"a"}},
		}}
		b.refused(command, fault.Invalid, "/terms/conditions/1/next cyclic")
		command.Terms, command.Discrete = nil, []vesting.Tranche{
			{Date: exact.MustDate("2025-02-01"), Fraction: number("0.6")}, {Date: exact.MustDate("2025-01-01"), Fraction: number("0.5")},
		}
		b.refused(command, fault.Invalid, "/discrete/1/date outOfOrder", "/discrete moreThanGranted")
	})
	t.Run("the name and the externalId of a schedule are unique", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := scheduled("Standard")
		first.ExternalID = "x"
		id := b.do(first)[0].(captable.VestingScheduleCreated).ID
		equal(t, "other", b.refused(scheduled("STANDARD"), fault.Conflict)["vestingSchedule"], id.String())
		second := scheduled("Other")
		second.ExternalID = "x"
		b.refused(second, fault.Conflict)
	})
}

func TestVestingScheduleSuccessors(t *testing.T) {
	t.Parallel()
	t.Run("a successor takes the name, the externalId and the place in plans", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := scheduled("Standard")
		first.ExternalID = "x"
		old := b.do(first)[0].(captable.VestingScheduleCreated).ID
		other := b.schedule("Other")
		plan := b.listed("Plan", other, old)
		next := supersede(old, "standard")
		next.ExternalID = "x"
		id := b.do(next)[0].(captable.VestingScheduleSuperseded).ID
		found, _ := b.state.VestingScheduleOf("STANDARD")
		equal(t, "by name", found.ID, id)
		was, _ := b.state.VestingSchedule(old)
		equal(t, "successor", was.Successor, id)
		equal(t, "name of the old one", was.Name, "Standard")
		listing, _ := b.state.Plan(plan)
		equal(t, "kept in the plan", listing.VestingSchedules[0], other.String())
		equal(t, "new in the plan", listing.VestingSchedules[1], id.String())
		b.do(captable.DeleteVestingSchedule{Plan: plan, ID: id})
		first.Name = "Fresh"
		b.do(first) // the external identifier is available again
	})
	t.Run("a successor does not change shares that vest by the earlier schedule", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.schedule("Standard")
		command := issue(ada, b.common("100"), "10", today)
		command.VestingSchedule = "standard"
		held := b.do(command)[0].(captable.ShareholdingIssued).ID
		b.supersede(old, "Standard")
		equal(t, "schedule", b.holding(held).VestingSchedule, old.String())
	})
	t.Run("a successor of a superseded or unknown schedule is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.schedule("Standard")
		id := b.supersede(old, "Next")
		equal(t, "successor", b.refused(supersede(old, "Third"), fault.Conflict)["successor"], id.String())
		b.refused(supersede(captable.VestingScheduleID{9}, "Third"), fault.NotFound)
		b.refused(supersede(id, " "), fault.Invalid, "/name required")
	})
}

// gone deletes a schedule and checks that it no longer exists.
func (b *bundle) gone(plan captable.PlanID, id captable.VestingScheduleID) {
	b.Helper()
	b.do(captable.DeleteVestingSchedule{Plan: plan, ID: id})
	if _, there := b.state.VestingSchedule(id); there {
		b.Errorf("schedule %s is still there", id)
	}
}

func TestDeleteVestingSchedule(t *testing.T) {
	t.Parallel()
	t.Run("a deletion removes a schedule from its plan and restores its predecessor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.schedule("Standard")
		plan := b.listed("Plan", old)
		b.gone(plan, b.supersede(old, "Next"))
		listing, _ := b.state.Plan(plan)
		equal(t, "listed", len(listing.VestingSchedules), 0)
		found, ok := b.state.VestingScheduleOf("standard")
		equal(t, "current", ok && found.ID == old && found.Successor.IsZero(), true)
	})
	t.Run("a deletion links the predecessor and the successor of a schedule", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.schedule("A")
		second := b.supersede(first, "B")
		third := b.supersede(second, "C")
		b.gone(b.listed("Plan", second), second)
		was, _ := b.state.VestingSchedule(first)
		equal(t, "successor", was.Successor, third)
	})
	t.Run("a schedule of shares or of another plan cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.schedule("Standard")
		plan := b.listed("Plan", id)
		other := b.listed("Other", id)
		wish := captable.DeleteVestingSchedule{Plan: plan, ID: id}
		equal(t, "plan", b.refused(wish, fault.InUse)["plan"], other.String())
		command := issue(ada, b.common("100"), "10", today)
		command.VestingSchedule = id.String()
		held := b.do(command)[0].(captable.ShareholdingIssued).ID
		equal(t, "shareholding", b.refused(wish, fault.InUse)["shareholding"], held.String())
	})
	t.Run("a schedule of a grant cannot be deleted, and belongs to its grantee only", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.schedule("Standard")
		terms := planned(b.common("100"), "50")
		terms.VestingSchedules = []string{id.String()}
		ref := b.plan(terms)
		command := option(ada, ref, "10", today)
		command.VestingSchedule = "standard"
		grant := b.grant(command)
		equal(t, "grant", b.refused(captable.DeleteVestingSchedule{Plan: ref.Plan, ID: id}, fault.InUse)["option"], grant.String())
		equal(t, "Ada's", b.state.VestsFor(ada, id), true)
		equal(t, "Bob's", b.state.VestsFor(bob, id), false)
	})
	t.Run("a deletion from a plan without the schedule, or of an unknown one, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.schedule("Standard")
		plan := b.listed("Plan")
		b.refused(captable.DeleteVestingSchedule{Plan: plan, ID: id}, fault.NotFound)
		b.refused(captable.DeleteVestingSchedule{Plan: plan, ID: captable.VestingScheduleID{9}}, fault.NotFound)
		b.refused(captable.DeleteVestingSchedule{Plan: captable.PlanID{9}, ID: id}, fault.NotFound)
	})
	t.Run("a deletion is refused if another schedule has the name of the predecessor", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.supersede(b.schedule("Standard"), "Next")
		plan := b.listed("Plan", id)
		taken := b.schedule("Standard")
		equal(t, "taken", b.refused(captable.DeleteVestingSchedule{Plan: plan, ID: id}, fault.Conflict)["vestingSchedule"], taken.String())
	})
}

func TestPlansListVestingSchedules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.schedule("Standard")
	terms := captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: "Plan", VestingSchedules: []string{"standard"}}}
	created := b.do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated)
	equal(t, "linked", created.Terms.VestingSchedules[0], id.String())
	terms.VestingSchedules = []string{"standard", id.String(), "none"}
	b.refused(captable.ReplacePlan{ID: created.ID, PlanTerms: terms}, fault.Invalid,
		"/vestingSchedules/1 duplicate", "/vestingSchedules/2 unknownReference")
}

func TestSharesThatVest(t *testing.T) {
	t.Parallel()
	t.Run("an issue with an unknown schedule is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := issue(ada, b.common("100"), "10", today)
		command.VestingSchedule = "none"
		b.refused(command, fault.Invalid, "/vestingSchedule unknownReference")
		command.VestingSchedule = captable.VestingScheduleID{9}.String()
		b.refused(command, fault.Invalid, "/vestingSchedule unknownReference")
	})
	t.Run("shares begin to vest on the issue date unless they state a start", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.schedule("Standard")
		command := issue(ada, b.common("100"), "10", today)
		plain := b.do(command)[0].(captable.ShareholdingIssued).ID
		equal(t, "without a schedule", b.holding(plain).VestingStart.IsZero(), true)
		command.VestingSchedule = id.String()
		held := b.do(command)[0].(captable.ShareholdingIssued).ID
		equal(t, "start", b.holding(held).VestingStart.String(), today)
		command.VestingStart = exact.MustDate("2025-06-01")
		equal(t, "stated", b.do(command)[0].(captable.ShareholdingIssued).VestingStart.String(), "2025-06-01")
		b.do(amend(plain, `{"vestingSchedule":"standard"}`))
		equal(t, "amended", b.holding(plain).VestingSchedule+" "+b.holding(plain).VestingStart.String(), id.String()+" "+today)
	})
}

// schedules creates, supersedes or deletes a vesting schedule, or assigns one to shares.
func (h *history) schedules(*rapid.T) {
	name := rapid.SampledFrom([]string{"four", "five", "six"}).Draw(h.draw, "schedule")
	schedule, known := h.state.VestingScheduleOf(name)
	if !known {
		h.try(scheduled(name))
		return
	}
	switch oneOf(h.draw, 4, "what") {
	case 0:
		h.try(supersede(schedule.ID, rapid.SampledFrom([]string{name, "seven"}).Draw(h.draw, "successor")))
	case 1:
		h.try(amend(h.any(), `{"vestingSchedule":"`+name+`"}`))
	default:
		plan := captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: name, VestingSchedules: []string{name}}}
		h.try(captable.CreatePlan{PlanTerms: plan})
		for listing := range h.state.Plans() {
			if listing.Name == name {
				h.try(captable.DeleteVestingSchedule{Plan: listing.ID, ID: schedule.ID})
			}
		}
	}
}
