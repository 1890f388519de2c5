package captable_test

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// limitDays is a model of the limits of one class: the limit of each day, from the founding on.
type limitDays struct {
	from captable.Date
	days []captable.Authorized
}

// change applies a function to the limits of the day and of all later days.
func (l *limitDays) change(from captable.Date, to func(captable.Authorized) captable.Authorized) {
	for i := int(from - l.from); i < len(l.days); i++ {
		l.days[i] = to(l.days[i])
	}
}

// multiplied returns the function that multiplies a limit, rounded down to whole shares.
func multiplied(numerator, denominator int64) func(captable.Authorized) captable.Authorized {
	return func(limit captable.Authorized) captable.Authorized {
		if !limit.Unlimited {
			product := new(big.Rat).Mul(limit.Shares.Rat(), big.NewRat(numerator, denominator))
			limit.Shares = exact.RoundDown(product, 0)
		}
		return limit
	}
}

// A split multiplies the limit of each day from its date on, whatever the order of entry.
func TestSplitsMultiplyTheLimitsOfAllLaterDays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		b := setup(drawing{t, draw})
		founded := exact.MustDate("2022-01-01")
		b.now = founded.Time().Add(9 * time.Hour)
		terms := captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("1000"), BoardApprovalDate: founded}
		class := b.security(terms)
		model := &limitDays{founded, make([]captable.Authorized, 400)}
		model.change(founded, func(captable.Authorized) captable.Authorized { return terms.AuthorizedShares })
		lastSplit := founded
		for range rapid.IntRange(1, 8).Draw(draw, "commands") {
			b.now = b.now.AddDate(0, 0, rapid.IntRange(0, 40).Draw(draw, "later"))
			now := exact.DateOf(b.now)
			day := max(founded, now-captable.Date(rapid.IntRange(0, 60).Draw(draw, "ago")))
			ratio := rapid.SampledFrom([][2]int64{{2, 1}, {3, 2}, {1, 3}, {1, 7}}).Draw(draw, "ratio")
			quantity := int64(rapid.IntRange(1, 99).Draw(draw, "quantity"))
			var command captable.Command
			from, change := day, multiplied(ratio[0], ratio[1])
			switch oneOf(draw, 3, "kind") {
			case 0:
				command = captable.SplitSecurity{ID: class, Numerator: exact.NewDecimal(ratio[0]), Denominator: exact.NewDecimal(ratio[1]), Date: day}
			case 1: // see TestInvariantsOfTheOrderOfEntry for days before a split
				day = max(day, lastSplit)
				from = day
				command = captable.AuthorizeShares{ID: class, Quantity: exact.NewDecimal(quantity), EffectiveDate: day}
				change = func(of captable.Authorized) captable.Authorized {
					return of.Add(captable.AuthorizedOf(exact.NewDecimal(quantity)))
				}
			default:
				stated := terms
				stated.AuthorizedShares = rapid.SampledFrom(
					[]captable.Authorized{limit("1"), limit("800"), limit("5000"), limit("unlimited")},
				).Draw(draw, "limit")
				command, from = captable.ReplaceSecurity{ID: class, SecurityTerms: stated}, now
				change = func(captable.Authorized) captable.Authorized { return stated.AuthorizedShares }
			}
			events, err := captable.Decide(b.state, command, b.moment())
			if err != nil {
				continue
			}
			b.apply(events)
			if split, ok := events[0].(captable.SecuritySplit); ok {
				lastSplit = split.Date
			}
			model.change(from, change)
		}
		for i, want := range model.days {
			day := founded + captable.Date(i)
			if got := b.on(day.String()).Securities[0].Authorized; got != want {
				b.Fatalf("on %s %s shares are authorized; want %s", day, got, want)
			}
		}
	})
}

// A split that is entered after later changes of limits, prices and approved quantities restates
// each day from its date on, as if the company had been entered in shares after the split.
func TestBackDatedSplitsAreInvariant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		ratio := rapid.SampledFrom([][2]int64{{10, 1}, {3, 2}, {7, 3}, {1, 3}, {2, 5}}).Draw(draw, "ratio")
		before := drawDeeds(draw, "before", exact.MustDate("2021-01-02"), 6)
		on := before[len(before)-1].day + 1
		companies := []*scaled{
			newScaled(drawing{t, draw}, ratio[1], ratio[0]), newScaled(drawing{t, draw}, ratio[1], ratio[0]),
			newScaled(drawing{t, draw}, ratio[0], ratio[1]),
		}
		split, unsplit, restated := companies[0], companies[1], companies[2]
		for _, d := range before {
			for _, c := range companies {
				c.perform(d)
			}
		}
		last, days := on, []captable.Date{on, on + 1}
		for range rapid.IntRange(1, 5).Draw(draw, "changes") {
			last += captable.Date(rapid.IntRange(1, 30).Draw(draw, "later"))
			kind, units := rapid.IntRange(0, 4).Draw(draw, "kind"), int64(rapid.IntRange(1, 9).Draw(draw, "units"))
			for _, c := range companies {
				c.now = last.Time().Add(9 * time.Hour)
				c.do(c.restatement(kind, units, last))
			}
			days = append(days, last-1, last)
		}
		split.split(ratio[0], ratio[1], on)
		split.now = last.Time().Add(10 * time.Hour)
		unsplit.now, restated.now = split.now, split.now
		for _, day := range append(days, last+400) {
			split.same("after the split, on "+day.String(), split.reads(day), restated.reads(day))
		}
		for _, day := range []captable.Date{on - 1, before[0].day} {
			split.same("before the split, on "+day.String(), split.reads(day), unsplit.reads(day))
		}
		equal(split, "audit", len(split.state.Audit()), 0)
	})
}

// restatement returns a command that changes limits, prices or approved quantities from a day on.
func (c *scaled) restatement(kind int, units int64, on captable.Date) captable.Command {
	terms := c.commonTerms(units)
	terms.AuthorizedShares = c.bundle.class(c.common).AuthorizedShares
	switch kind {
	case 0:
		return captable.AuthorizeShares{ID: c.common, Quantity: c.quantity(units * 100), EffectiveDate: on}
	case 1:
		terms.AuthorizedShares = captable.AuthorizedOf(c.quantity(1_000_000 + units*1_000))
	case 2:
		terms.AuthorizedShares = limit("unlimited")
	case 3:
		plan, _ := c.state.Plan(c.ref.Plan)
		changed := captable.PlanTerms{PlanDetails: plan.PlanDetails, Pools: []captable.PoolTerms{plan.Pools[0].PoolTerms}}
		changed.Pools[0].StrikePrice = c.price(200 + units)
		return captable.ReplacePlan{ID: c.ref.Plan, PlanTerms: changed}
	}
	return captable.ReplaceSecurity{ID: c.common, SecurityTerms: terms}
}
