package actors_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// answeredAfter returns the number of appends before the answer: 0 before the first
// append was durable, 1 with it, 2 with the next one.
func answeredAfter(a answer) int { return int(a.took / latency) }

func TestAnswersWaitForWhatTheyAreBasedOn(t *testing.T) {
	t.Parallel()
	tooMany := func(c *company) messages.Command { return c.issue(c.bob, authorized) }
	rehearsal := func(c *company) messages.Command {
		command := c.issue(c.bob, 3)
		command.DryRun = true
		return command
	}
	stale := func(c *company) messages.Command {
		command := c.issue(c.bob, 3)
		command.Expect = &messages.Expectation{Record: c.id, Version: 999}
		return command
	}
	for _, test := range []struct {
		name    string
		command func(*company) messages.Command
		code    fault.Code
	}{
		{"a refusal", tooMany, fault.InsufficientShares},
		{"a dry run", rehearsal, ""},
		{"a stale expectation", stale, fault.Stale},
	} {
		check := func(t *testing.T, a answer, after int) {
			t.Helper()
			if test.code != "" {
				refused(t, a.err, test.code)
			} else if a.err != nil {
				t.Error(a.err)
			}
			if answeredAfter(a) != after {
				t.Errorf("answered after %d appends; want %d", answeredAfter(a), after)
			}
		}
		t.Run(test.name+" is answered at once when everything is durable", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				c.must(c.issue(c.ada, 1))
				check(t, <-c.ask(test.command(c)), 0)
			})
		})
		t.Run(test.name+" waits for the append in flight", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				first := c.asked(c.issue(c.ada, 1))
				check(t, <-c.ask(test.command(c)), 1)
				<-first
			})
		})
		t.Run(test.name+" waits for the batch behind it", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				first, second := c.asked(c.issue(c.ada, 1)), c.asked(c.issue(c.ada, 1))
				check(t, <-c.ask(test.command(c)), 2)
				<-first
				<-second
			})
		})
		t.Run(test.name+" is taken back with the state that it was based on", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				c.store.meet(lose)
				first := c.asked(c.issue(c.ada, 1))
				a := <-c.ask(test.command(c))
				refused(t, a.err, messages.ErrUnavailable.Code) // it was certainly not stored
				refused(t, (<-first).err, messages.ErrOutcomeUnknown.Code)
			})
		})
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		before := c.store.head(c.id)
		trial := c.issue(c.ada, 9)
		trial.DryRun = true
		reply, err := c.do(trial)
		if err != nil || reply.Sequence != before || len(reply.Events) != 1 {
			t.Fatalf("the dry run gave %+v, %v", reply, err)
		}
		h := holding(t, reply)
		if h.Certificate != "CS-1" || h.Shares.String() != "9" || h.Version != before+1 {
			t.Errorf("the dry run shows %s of %s shares at version %d", h.Certificate, h.Shares, h.Version)
		}
		if c.store.head(c.id) != before || held(c.view().State, c.ada) != "0" {
			t.Error("the dry run has changed something")
		}
		if again := holding(t, c.must(c.issue(c.ada, 4))); again.Certificate != "CS-1" {
			t.Errorf("the first certificate is %s: the dry run has used a serial number", again.Certificate)
		}
	})
}

func TestExpectation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		h := holding(t, c.must(c.issue(c.ada, 9)))
		member, _ := c.view().State.MemberOf(c.ada)
		security, _ := c.view().State.Table().Security(c.security)
		law := result(c, captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "Restricted", Text: "Not registered."}})
		amend := c.command(organization.Amend{Patch: []byte(`{"website":"https://acme.example"}`)})
		for _, record := range []messages.Expectation{
			{Record: c.id, Version: c.view().State.Meta().Version}, // first, because amending changes its version
			{Record: h.ID, Version: h.Version},
			{Record: member.ID, Version: member.Version},
			{Record: c.security, Version: security.Version},
			{Record: law.ID, Version: law.Version},
		} {
			older := record
			older.Version--
			amend.Expect = &older
			_, err := c.do(amend)
			refused(t, err, fault.Stale)
			amend.Expect = &record
			c.must(amend)
		}
		amend.Expect = &messages.Expectation{Record: captable.LegendID{1}, Version: 7}
		c.must(amend) // the command itself refuses a missing record
	})
}

func TestExpectationOfEveryRecordOfTheCapTable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		day, month := exact.DateOf(c.settings.Now()), vesting.Period{N: 1, Unit: vesting.Months}
		money := captable.Money{Amount: exact.NewDecimal(5), Currency: "USD"}
		made := result(c, captable.CreatePlan{PlanTerms: captable.PlanTerms{
			PlanDetails: captable.PlanDetails{Name: "Plan"},
			Pools:       []captable.PoolTerms{{Name: "Main", Security: c.security, TotalShares: exact.NewDecimal(50)}},
		}})
		options := captable.GrantOption{
			HolderRef: captable.HolderRef{Entity: c.ada}, Quantity: exact.NewDecimal(5),
			ExercisePrice: &captable.Price{Amount: exact.NewDecimal(1)},
		}
		options.Plan, options.Pool, options.Type, options.IssueDate = made.ID, made.Pools[0].ID, captable.GrantNSO, day
		promise := captable.IssueInstrument{HolderRef: options.HolderRef}
		promise.Kind, promise.IssueDate, promise.Principal = captable.KindSAFE, day, &money
		for _, command := range []messages.Command{
			asking(c, captable.PutValuation{ValuationTerms: captable.ValuationTerms{Type: "board", EffectiveDate: day, CompanyValue: &money}}),
			asking(c, captable.ChangeCapital{
				Entity: c.ada, CapitalChangeTerms: captable.CapitalChangeTerms{Kind: "contribution", Amount: money, Date: day},
			}),
			asking(c, captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: "Seed"}}),
			asking(c, captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{
				Name: "A year",
				Scheme: vesting.Scheme{
					Allocation: vesting.CumulativeRounding, Continuous: &vesting.Continuous{Length: month.Times(12), Frequency: month},
				},
			}}),
			asking(c, options), asking(c, promise),
			asking(c, captable.CreatePlan{PlanTerms: captable.PlanTerms{
				PlanDetails: captable.PlanDetails{Name: "Another"},
				Pools:       []captable.PoolTerms{{Name: "Main", Security: c.security, TotalShares: exact.NewDecimal(1)}},
			}}),
		} {
			id, version := identity(t, c.must(command).Result)
			amend := c.command(organization.Amend{Patch: []byte(`{"website":"https://acme.example"}`)})
			amend.Expect = &messages.Expectation{Record: id, Version: version - 1}
			_, err := c.do(amend)
			refused(t, err, fault.Stale)
			amend.Expect.Version = version
			c.must(amend)
		}
	})
}

// identity returns a record's id and version.
func identity(t *testing.T, record any) (id any, version uint64) {
	t.Helper()
	switch r := record.(type) {
	case *captable.Valuation:
		return r.ID, r.Version
	case *captable.CapitalChange:
		return r.ID, r.Version
	case *captable.Block:
		return r.ID, r.Version
	case *captable.VestingSchedule:
		return r.ID, r.Version
	case *captable.Grant:
		return r.ID, r.Version
	case *captable.Instrument:
		return r.ID, r.Version
	case *captable.Plan:
		return r.ID, r.Version
	}
	t.Fatalf("a %T has no id here", record)
	return nil, 0
}

func TestWhoJudgesByMembersWhoMovedJudgesAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		enter := c.command(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Eve"}})
		enter.MembersAsOf = c.view().Sequence
		c.must(c.issue(c.ada, 9)) // changes no member
		first, second := c.asked(enter), c.asked(enter)
		if one := <-first; one.err != nil {
			t.Fatal(one.err)
		}
		if two := <-second; !errors.Is(two.err, messages.ErrMembersChanged) {
			t.Fatalf("%v", two.err)
		}
		if seen := c.view(); seen.Sequence < seen.State.MembersVersion() || seen.State.MembersVersion() <= enter.MembersAsOf {
			t.Errorf("a refused caller sees the members of version %d at sequence %d", seen.State.MembersVersion(), seen.Sequence)
		}
		c.restart()
		_, err := c.do(enter)
		refused(t, err, messages.ErrMembersChanged.Code)
		enter.MembersAsOf = c.view().Sequence
		c.must(enter)
	})
}
