package captable_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// company draws commands of all kinds about one cap table: shares, plans, grants, convertibles
// and warrants. The days of the commands are far apart and in any order.
type company struct {
	*bundle
	draw   *rapid.T
	shares *history
	plans  *plans
	rights *rights
	// kinds counts the recorded events by type.
	kinds map[string]int
}

// reach is the maximum number of days by which a command of a company is back-dated.
const reach = 400

func newCompany(tb testing.TB, draw *rapid.T) *company {
	tb.Helper()
	b := setup(drawing{tb, draw})
	b.now = exact.MustDate("2022-01-01").Time()
	c := &company{bundle: b, draw: draw, kinds: map[string]int{}}
	c.shares = &history{bundle: b, draw: draw, reach: reach}
	for i := range 2 {
		c.shares.create(i)
	}
	grants := &grants{bundle: b, draw: draw, class: c.shares.classes[0], reach: reach}
	c.plans = &plans{grants: grants, classes: c.shares.classes}
	c.rights = &rights{bundle: b, draw: draw, common: c.shares.classes[0], class: c.shares.classes[1], reach: reach}
	if id, ok := c.try(captable.CreatePlan{PlanTerms: planned(c.shares.classes[0], "20")}); ok {
		created, _ := id[0].(captable.PlanCreated)
		c.plans.ref = captable.PoolRef{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
	}
	return c
}

// day draws a day within the reach.
func (c *company) day() captable.Date {
	return exact.DateOf(c.now) - captable.Date(rapid.IntRange(0, reach).Draw(c.draw, "day"))
}

// datedKinds returns the types of events that begin on a day, and that histories of companies contain.
func datedKinds() []string {
	return strings.Fields(`holdingAccepted holdingAmended holdingCancelled holdingConverted holdingExercised holdingExpired holdingIssued
		holdingRepaid holdingTransferred holdingVoided optionAccepted optionCancelled optionExercised optionExpired optionGranted optionRepriced
		optionRetracted optionTerminated optionVestingChanged optionVoided planCreated poolAdjusted securityChanged securitySplit
		shareholdingAccepted shareholdingCancelled shareholdingConverted shareholdingIssued shareholdingRepurchased shareholdingRetracted
		shareholdingTransferred shareholdingVoided sharesAuthorized vestingScheduleCreated vestingScheduleSuperseded`)
}

// command draws a command of any kind.
func (c *company) command() captable.Command {
	switch oneOf(c.draw, 15, "about") {
	case 0, 1, 2:
		return captable.IssueShareholding{
			HolderRef: holder(c.shares.entity()), Security: c.shares.class(), Shares: c.shares.shares(), IssueDate: c.day(),
		}
	case 3:
		return captable.AuthorizeShares{ID: c.shares.class(), Quantity: c.shares.shares(), EffectiveDate: c.day()}
	case 4:
		terms := c.class(c.shares.class())
		changed := terms.SecurityTerms
		changed.AuthorizedShares = rapid.SampledFrom(
			[]captable.Authorized{limit("30"), limit("60"), limit("150"), limit("unlimited")},
		).Draw(c.draw, "limit")
		return captable.ReplaceSecurity{ID: terms.ID, SecurityTerms: changed}
	case 5, 6, 7, 8:
		return c.plans.command()
	case 9, 10:
		return c.rights.command()
	default:
		return c.ofShares()
	}
}

// ofShares draws a command about issued shares.
func (c *company) ofShares() captable.Command {
	ids := []captable.ShareholdingID{{}}
	for held := range c.state.Shareholdings() {
		ids = append(ids, held.ID)
	}
	id, shares := rapid.SampledFrom(ids).Draw(c.draw, "shares of"), c.shares.shares()
	return rapid.SampledFrom([]captable.Command{
		captable.TransferShareholding{Shareholding: id, To: holder(c.shares.entity()), Shares: shares, Date: c.day(), Kind: "sale"},
		captable.CancelShareholding{ID: id, Shares: &shares, Date: c.day(), Reason: "r"},
		captable.RepurchaseShareholding{ID: id, Shares: shares, Price: price("1"), Date: c.day(), ToTreasury: true},
		captable.RepurchaseShareholding{ID: id, Shares: shares, Price: price("1"), Date: c.day()},
		captable.RetractShareholding{ID: id, Date: c.day()},
		captable.ConvertShareholding{ID: id, Security: c.shares.classes[0], Date: c.day()},
		captable.VoidShareholding{ID: id},
		captable.CorrectShareholding{ID: id, HolderRef: holder(ada), Security: c.shares.class(), Shares: shares, IssueDate: c.day(), Reason: "r"},
		captable.SplitSecurity{
			ID: c.shares.class(), Numerator: number("2"), Denominator: number("1"), Date: c.day(),
			KeepAuthorized: rapid.Bool().Draw(c.draw, "keep"),
		},
		captable.SplitSecurity{ID: c.shares.class(), Numerator: number("1"), Denominator: number("3"), Date: c.day()},
		captable.AcceptShareholding{ID: id, Date: c.day()},
	}).Draw(c.draw, "change")
}

// try carries out the command if it is accepted.
func (c *company) try(command captable.Command) ([]captable.Event, bool) {
	events, err := captable.Decide(c.state, command, c.moment())
	if refusal := new(fault.Error); err != nil && !errors.As(err, &refusal) {
		c.Fatalf("%T: %v", command, err)
	}
	if err == nil {
		c.apply(events)
		for _, event := range events {
			c.kinds[event.EventType()]++
		}
	}
	return events, err == nil
}

// step advances the clock, draws a command and reports whether it was accepted.
func (c *company) step() bool {
	c.now = c.now.Add(time.Duration(rapid.IntRange(0, 40).Draw(c.draw, "later")) * 24 * time.Hour)
	_, accepted := c.try(c.command())
	return accepted
}

// days returns every day in the events from the row on, with the days before and after it, in
// order.
func (c *company) days(from int) []captable.Date {
	var days []captable.Date
	for _, row := range c.recorded[from:] {
		for _, text := range regexp.MustCompile(`"\d{4}-\d\d-\d\d"`).FindAllString(string(row.payload), -1) {
			day := exact.MustDate(text[1:11])
			days = append(days, day-1, day, day+1)
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// checkLimits checks that no figure as of the day exceeds its limit or is negative.
func (c *company) checkLimits(day captable.Date) {
	table := c.on(day.String())
	for _, line := range table.Securities {
		if !line.Authorized.Covers(line.Issued.Add(line.Reserved)) {
			c.Fatalf("on %s %s are issued and %s reserved of %s authorized", day, line.Issued, line.Reserved, line.Authorized)
		}
		if line.Treasury.Sign() < 0 || line.Reserved.Sign() < 0 || line.Outstanding.Sign() < 0 {
			c.Fatalf("below zero on %s: %+v", day, line)
		}
	}
	for _, pool := range table.Pools {
		f := pool.PoolFigures
		for _, figure := range []captable.Decimal{
			f.Reserve, f.Granted, f.Exercised, f.Cancelled, f.Returned, f.Available(), f.Outstanding(), f.Retired(),
		} {
			if figure.Sign() < 0 {
				c.Fatalf("%s in the pool on %s: %+v", figure, day, f)
			}
		}
	}
	for grant := range c.state.Grants() {
		c.checkGrantOn(grant, day)
	}
	for plan := range c.state.Plans() {
		c.checkApproved(plan, day)
	}
	for held := range c.state.Shareholdings() {
		if held.SharesOn(day).Sign() < 0 {
			c.Fatalf("%s shares on %s", held.SharesOn(day), day)
		}
	}
	for i := range c.state.Instruments() {
		owed := i.Owed(day)
		if owed.Principal.Sign() < 0 || owed.Interest.Sign() < 0 || i.LeftOn(day).Sign() < 0 {
			c.Fatalf("%+v owed, %s left on %s", owed, i.LeftOn(day), day)
		}
	}
}

// checkGrantOn checks that no figure of the grant exceeds its quantity, and that no more is
// exercised or released than vested. The second check excludes early exercise and splits, which
// round both figures.
func (c *company) checkGrantOn(grant *captable.Grant, day captable.Date) {
	f := grant.On(day)
	for _, part := range []captable.Decimal{f.Vested, f.Unvested, f.Exercisable, f.Releasable, f.Outstanding, f.Exercised, f.Released} {
		if part.Sign() < 0 || part.Cmp(f.Quantity) > 0 {
			c.Fatalf("%s of %s on %s: %+v", part, f.Quantity, day, f)
		}
	}
	if taken := f.Exercised.Add(f.Released); !grant.EarlyExercise && len(grant.Before) == 0 && taken.Cmp(f.Vested) > 0 {
		c.Fatalf("%s taken of %s vested on %s", taken, f.Vested, day)
	}
}

// checkApproved checks that the plan grants no more of a type than it approves. It skips days
// before a split, because the approved quantities are in shares of today.
func (c *company) checkApproved(plan *captable.Plan, day captable.Date) {
	for _, pool := range plan.Pools {
		if splits := c.class(pool.Security).Splits; len(splits) > 0 && day < splits[len(splits)-1].Date {
			return
		}
	}
	for _, row := range c.state.PlanSums(plan, day).ByType {
		if sum := row.Outstanding.Add(row.Exercised).Add(row.Released); row.Approved != nil && sum.Cmp(*row.Approved) > 0 {
			c.Fatalf("%s of %s approved are granted on %s", sum, row.Approved, day)
		}
	}
}

func TestLimitsOfEveryDay(t *testing.T) {
	t.Parallel()
	t.Run("limits hold on every day after any accepted history", func(t *testing.T) {
		t.Parallel()
		kinds := map[string]int{}
		untilReached(t, kinds, append(datedKinds(), "holdingCorrected", "optionCorrected", "planChanged", "planDeleted", "shareholdingCorrected"), func(draw *rapid.T) {
			c := newCompany(t, draw)
			for range rapid.IntRange(30, 80).Draw(draw, "commands") {
				before := len(c.recorded)
				if c.step() {
					for _, day := range c.days(before) {
						c.checkLimits(day)
					}
				}
			}
			c.audited()
			for _, day := range c.days(0) {
				c.checkLimits(day)
			}
			for kind, n := range c.kinds {
				kinds[kind] += n
			}
		})
	})
}
