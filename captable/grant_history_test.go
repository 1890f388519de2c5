package captable_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// grants draws random commands about grants and checks the invariants of grants and pools after
// each.
type grants struct {
	*bundle
	draw  *rapid.T
	class captable.SecurityID
	ref   captable.PoolRef
	// other is another class than that of the pool, with grants from the pool; zero without one.
	other captable.SecurityID
	// reach is the maximum number of days by which a command is back-dated; at least 40.
	reach int
}

// some draws a quantity. Small quantities are more likely.
func (g *grants) some() captable.Decimal {
	return number(rapid.SampledFrom([]string{"1", "2", "5", "10", "17", "40", "100"}).Draw(g.draw, "quantity"))
}

// day draws one of the last days, including today.
func (g *grants) day() captable.Date {
	return exact.DateOf(g.now) - captable.Date(rapid.IntRange(0, max(g.reach, 40)).Draw(g.draw, "days ago"))
}

func (g *grants) any() captable.GrantID {
	var ids []captable.GrantID
	for grant := range g.state.Grants() {
		ids = append(ids, grant.ID)
	}
	if len(ids) == 0 {
		return captable.GrantID{}
	}
	return rapid.SampledFrom(ids).Draw(g.draw, "grant")
}

func (g *grants) option() captable.GrantOption {
	command := option(rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(g.draw, "holder"), g.ref, g.some().String(), g.day().String())
	if !g.other.IsZero() && rapid.Bool().Draw(g.draw, "other class") {
		command.Class = g.other
	}
	command.EarlyExercise = rapid.Bool().Draw(g.draw, "early")
	command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
	switch oneOf(g.draw, 5, "vesting") {
	case 0:
		command.Vestings = []vesting.Vesting{{Date: command.IssueDate + 30, Quantity: command.Quantity}}
	case 1, 2:
		command.Vesting = monthly()
	}
	if rapid.IntRange(0, 3).Draw(g.draw, "units") == 0 {
		command.Type, command.ExercisePrice, command.EarlyExercise = captable.GrantRSU, nil, false
	}
	if rapid.IntRange(0, 3).Draw(g.draw, "expires") == 0 {
		command.ExpirationDate = command.IssueDate + captable.Date(rapid.IntRange(1, 600).Draw(g.draw, "after"))
	}
	return command
}

func (g *grants) command() captable.Command {
	id := g.any()
	switch oneOf(g.draw, 18, "command") {
	case 0, 1, 2:
		return g.option()
	case 3, 4, 5:
		return captable.ExerciseGrant{ID: id, Quantity: g.some(), Date: g.day()}
	case 6:
		return captable.ExerciseGrant{ID: id, Quantity: g.some(), Date: g.day(), Payment: captable.PayNet, MarketValue: price("4")}
	case 7:
		return captable.ReleaseGrant{ID: id, Date: g.day()}
	case 8:
		return captable.CancelGrant{ID: id, Quantity: new(g.some()), Date: g.day(), Reason: "r"}
	case 9:
		reason := rapid.SampledFrom([]captable.TerminationReason{captable.VoluntaryOther, captable.InvoluntaryDeath}).Draw(g.draw, "reason")
		return captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: g.day(), Reason: reason}}
	case 10:
		return captable.AccelerateGrant{ID: id, Quantity: new(g.some()), Date: g.day()}
	case 11:
		return captable.VoidGrant{ID: id}
	case 12:
		return captable.CorrectGrant{ID: id, GrantOption: g.option(), Reason: "r"}
	case 13:
		return g.request(id)
	case 14:
		return captable.ExpireGrants{}
	case 15:
		ratio := rapid.SampledFrom([][2]string{{"2", "1"}, {"1", "2"}, {"3", "2"}, {"1", "7"}}).Draw(g.draw, "ratio")
		class := g.class
		if !g.other.IsZero() && rapid.Bool().Draw(g.draw, "other class") {
			class = g.other
		}
		return captable.SplitSecurity{ID: class, Numerator: number(ratio[0]), Denominator: number(ratio[1]), Date: exact.DateOf(g.now)}
	case 16:
		lower := rapid.SampledFrom([]string{"1.4", "1", "0.3333333333", "0"}).Draw(g.draw, "price")
		return captable.RepriceGrants{Plan: g.ref.Plan, ExercisePrice: *price(lower), Date: g.day()}
	default:
		g.now = g.now.Add(time.Duration(rapid.IntRange(0, 200).Draw(g.draw, "later")) * 24 * time.Hour)
		return captable.AcceptGrant{ID: id}
	}
}

// request draws a request for an exercise of the grant, or the answer to its last request.
func (g *grants) request(id captable.GrantID) captable.Command {
	grant, _ := g.state.Grant(id)
	if grant == nil || len(grant.Requests) == 0 || rapid.Bool().Draw(g.draw, "request") {
		return captable.RequestExercise{ID: id, Quantity: g.some(), Date: g.day()}
	}
	request := grant.Requests[len(grant.Requests)-1]
	if rapid.Bool().Draw(g.draw, "decline") {
		return captable.DeclineExercise{ID: id, Request: request.ID, Reason: "r"}
	}
	return captable.ExerciseGrant{ID: id, Request: request.ID, Quantity: request.Quantity, Date: g.day()}
}

// checkGrant checks that the parts of a grant sum to its quantity, that no figure is negative,
// and that figures do not depend on whether a lapse has been recorded.
func (g *grants) checkGrant(grant *captable.Grant, recorded *captable.State) {
	g.Helper()
	was := grant.ExercisePrice
	for _, repricing := range slices.Backward(grant.Repricings) {
		equal(g, "price after a repricing", repricing.To.Amount.String(), was.Amount.String())
		equal(g, "a lower price", repricing.From.Amount.Cmp(repricing.To.Amount) >= 0, true)
		was = &repricing.From
	}
	for _, day := range []captable.Date{
		grant.IssueDate - 1, grant.IssueDate, exact.DateOf(g.now) - 50, exact.DateOf(g.now), exact.DateOf(g.now) + 500,
	} {
		f := grant.On(day)
		sum := f.Outstanding.Add(f.Exercised).Add(f.Released).Add(f.Cancelled).Add(f.Expired)
		equal(g, "parts of "+f.Quantity.String(), sum.String(), f.Quantity.String())
		for _, part := range []captable.Decimal{f.Vested, f.Unvested, f.Exercisable, f.Releasable, f.Outstanding} {
			if part.Sign() < 0 || part.Cmp(f.Quantity) > 0 {
				g.Fatalf("%s of %s on %s: %+v", part, f.Quantity, day, f)
			}
		}
		again, _ := recorded.Grant(grant.ID)
		if day <= exact.DateOf(g.now) {
			equal(g, "recorded or not on "+day.String(), text(g, again.On(day)), text(g, f))
		}
	}
}

func TestGrantHistories(t *testing.T) {
	t.Parallel()
	t.Run("random histories of grants balance and are equal after a replay and from a snapshot", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			g := &grants{bundle: setup(drawing{t, draw}), draw: draw}
			g.class = g.common("2000")
			g.ref = g.plan(planned(g.class, "300"))
			if rapid.IntRange(0, 2).Draw(draw, "classes") == 0 {
				terms := preferred("Second")
				terms.AuthorizedShares, terms.Conversion = limit("500"), nil
				g.other = g.security(terms)
			}
			for range rapid.IntRange(5, 40).Draw(draw, "commands") {
				g.step()
			}
			if replayed := replay(g, g.recorded); string(packed(replayed)) != string(packed(g.state)) {
				g.Fatalf("the replayed state is another")
			}
			equal(g, "snapshot", dump(g, unpacked(g, packed(g.state))), dump(g, g.state))
		})
	})
}

// step draws a command, carries it out if it is accepted, and checks the invariants.
func (g *grants) step() { g.carryOut(g.command()) }

func (g *grants) carryOut(command captable.Command) {
	ids := g.ids
	tried, _ := g.decide(command)
	g.ids = ids // the dry run consumed identifiers
	events, err := g.decide(command)
	equal(g, "the dry run", text(g, tried), text(g, events))
	if refusal := new(fault.Error); err != nil && !errors.As(err, &refusal) {
		g.Fatalf("%T: %v", command, err)
	}
	if err != nil {
		return
	}
	g.apply(events)
	g.audited()
	recorded := g.state.Copy()
	lapses, err := captable.Decide(recorded, captable.ExpireGrants{}, g.moment())
	if err != nil {
		g.Fatal(err)
	}
	for _, lapse := range lapses {
		recorded.Apply(lapse, captable.Stamp{})
	}
	for grant := range g.state.Grants() {
		g.checkGrant(grant, recorded)
	}
	g.checkOptions()
	g.checkExplainedGrants()
	for plan := range g.state.Plans() {
		again, _ := recorded.Plan(plan.ID)
		then, now := recorded.PlanOn(again, exact.DateOf(g.now)), g.state.PlanOn(plan, exact.DateOf(g.now))
		for i := range now.Pools {
			equal(g, "pool", text(g, then.Pools[i].PoolFigures), text(g, now.Pools[i].PoolFigures))
			g.checkPool(now.Pools[i].PoolFigures)
		}
	}
}

// checkPool checks that the reserve is the sum of the available, outstanding, exercised and
// retired shares.
func (g *grants) checkPool(f captable.PoolFigures) {
	g.Helper()
	equal(g, "reserve", f.Available().Add(f.Outstanding()).Add(f.Exercised).Add(f.Retired()).String(), f.Reserve.String())
	for _, figure := range []captable.Decimal{f.Available(), f.Outstanding(), f.Exercised, f.Cancelled, f.Returned, f.Retired()} {
		if figure.Sign() < 0 {
			g.Fatalf("%s is in %+v", figure, f)
		}
	}
}

// replay applies the recorded events to an empty state.
func replay(tb testing.TB, rows []recorded) *captable.State {
	tb.Helper()
	replayed := captable.NewState()
	for _, row := range rows {
		event, err := captable.Decoders()[row.kind](row.payload)
		if err != nil {
			tb.Fatal(err)
		}
		replayed.Apply(event, row.stamp)
	}
	return replayed
}

// checkOptions checks on several days that the options of all holders sum to the outstanding
// options of the pools, and that the fully diluted percentages sum to 1.
func (g *grants) checkOptions() {
	g.Helper()
	for _, day := range []captable.Date{exact.DateOf(g.now) - 30, exact.DateOf(g.now), exact.DateOf(g.now) + 500} {
		table := g.on(day.String())
		var options, outstanding, percent captable.Decimal
		for _, holder := range table.Holders {
			options, percent = options.Add(holder.Options), percent.Add(holder.PercentFullyDiluted)
		}
		for _, pool := range table.Pools {
			outstanding, percent = outstanding.Add(pool.Outstanding), percent.Add(pool.PercentFullyDiluted)
		}
		equal(g, "options on "+day.String(), options.String()+" "+table.Totals.Options.String(), outstanding.String()+" "+outstanding.String())
		equal(g, "parts of the whole", percent.String(), whole(table.Totals.FullyDiluted))
	}
}
