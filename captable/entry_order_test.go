package captable_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// entries is a company with the events of a history, which may be entered in another order than that of their days.
type entries struct {
	*bundle
	common, preferred captable.SecurityID
	pool              captable.PoolRef
}

// entry is a command of a history, as a function of the company in which it is entered.
type entry struct {
	kind string
	day  captable.Date
	// ofPreferred is set for a split of the preferred class, which follows the creation of the class.
	ofPreferred bool
	command     func(c *entries) captable.Command
}

func newEntries(tb testing.TB) *entries {
	tb.Helper()
	c := &entries{bundle: setup(tb)}
	terms := captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("100000000000"), BoardApprovalDate: exact.MustDate("2021-01-01"),
	}
	c.common = c.security(terms)
	plan := planned(c.common, "10000000000")
	plan.BoardApprovalDate, plan.Pools[0].StrikePrice = exact.MustDate("2021-01-01"), price("0.7")
	c.pool = c.plan(plan)
	return c
}

// drawEntry returns a random entry of the day. The first one creates the preferred class.
func drawEntry(draw *rapid.T, day captable.Date, first bool) entry {
	pick := rapid.IntRange(0, 2).Draw(draw, "pick")
	quantity := exact.NewDecimal(rapid.Int64Range(10_000_000, 99_999_999).Draw(draw, "quantity"))
	holder := captable.HolderRef{Entity: []captable.EntityID{ada, bob, cleo}[pick]}
	paid := &captable.Price{Amount: exact.MustDecimal("0.0000001").Mul(quantity)}
	class := func(c *entries) captable.SecurityID {
		return []captable.SecurityID{c.common, c.preferred, c.common}[pick]
	}
	kinds := []string{
		"split", "split", "issue", "issue", "transfer", "repurchase", "convert", "grant", "warrant", "fixed", "authorize", "ratio", "pool",
	}
	kind := rapid.SampledFrom(kinds).Draw(draw, "kind")
	if first {
		kind = "class"
	}
	ratio := rapid.SampledFrom([][2]string{{"2", "1"}, {"3", "2"}, {"1", "3"}, {"7", "5"}}).Draw(draw, "ratio")
	held := func(c *entries) *captable.Shareholding { // the first outstanding one, which is the same in each order
		for h := range c.state.Shareholdings() {
			if h.Status.Outstanding() && h.IssueDate <= day && h.Entity == holder.Entity {
				return h
			}
		}
		return &captable.Shareholding{}
	}
	command := map[string]func(c *entries) captable.Command{
		"class": func(c *entries) captable.Command {
			terms := preferred("Preferred")
			terms.BoardApprovalDate, terms.AuthorizedShares, terms.Price = day, limit("100000000000"), price("6")
			terms.Conversion = &captable.Conversion{
				Security: c.common, Fraction: captable.Ratio{Numerator: number(ratio[0]), Denominator: number(ratio[1])},
			}
			return captable.CreateSecurity{SecurityTerms: terms}
		},
		"split": func(c *entries) captable.Command {
			return captable.SplitSecurity{ID: class(c), Numerator: number(ratio[0]), Denominator: number(ratio[1]), Date: day}
		},
		"issue": func(c *entries) captable.Command {
			command := captable.IssueShareholding{HolderRef: holder, Security: class(c), Shares: quantity, IssueDate: day}
			command.PricePerShare = paid
			return command
		},
		"transfer": func(c *entries) captable.Command {
			return captable.TransferShareholding{
				Shareholding: held(c).ID, To: captable.HolderRef{Entity: []captable.EntityID{bob, cleo, ada}[pick]},
				Shares: exact.NewDecimal(5_000_000), Date: day, Kind: "gift",
			}
		},
		"repurchase": func(c *entries) captable.Command {
			return captable.RepurchaseShareholding{ID: held(c).ID, Shares: exact.NewDecimal(1), Price: paid, Date: day, ToTreasury: true}
		},
		"convert": func(c *entries) captable.Command {
			return captable.ConvertShareholding{ID: held(c).ID, Security: c.common, Date: day}
		},
		"grant": func(c *entries) captable.Command {
			command := captable.GrantOption{HolderRef: holder, Quantity: quantity, Vesting: monthly()}
			command.Plan, command.Pool, command.IssueDate, command.Type = c.pool.Plan, c.pool.Pool, day, captable.GrantNSO
			command.ExercisePrice = paid
			if pick == 1 {
				command.ExpirationDate = day + captable.Date(quantity.Rat().Num().Int64()%300) + 2
			}
			return command
		},
		"warrant": func(c *entries) captable.Command {
			command := captable.IssueInstrument{HolderRef: holder}
			command.Kind, command.IssueDate, command.Security, command.Quantity = captable.KindWarrant, day, class(c), quantity
			command.ExercisePrice = paid
			return command
		},
		"fixed": func(c *entries) captable.Command {
			command := safe(holder.Entity, "50000000", day.String())
			command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: class(c), Price: &paid.Amount}
			if pick == 2 {
				command.FixedConversion = &captable.FixedConversion{Security: class(c), Shares: &quantity}
			}
			return command
		},
		"authorize": func(c *entries) captable.Command {
			return captable.AuthorizeShares{ID: class(c), Quantity: quantity, EffectiveDate: day}
		},
		"ratio": func(c *entries) captable.Command {
			return captable.AdjustConversion{ID: c.preferred, Fraction: captable.Ratio{Numerator: number(ratio[0]), Denominator: quantity}, Date: day}
		},
		"pool": func(c *entries) captable.Command {
			return captable.AdjustPool{PoolRef: c.pool, TotalShares: quantity.Add(number("9000000000")), EffectiveDate: day}
		},
	}[kind]
	return entry{kind: kind, day: day, command: command, ofPreferred: pick == 1}
}

// least returns the least position of a split in the order of entry.
func (e entry) least(entered []entry) int {
	created := slices.IndexFunc(entered, func(e entry) bool { return e.kind == "class" })
	if !e.ofPreferred {
		return 0
	}
	return created + 1
}

// enter carries out the entry and reports whether it was accepted.
func (c *entries) enter(e entry) bool {
	c.Helper()
	events, err := c.decide(e.command(c))
	if err != nil {
		return false
	}
	c.apply(events)
	if created, ok := events[0].(captable.SecurityCreated); ok {
		c.preferred = created.ID
	}
	return true
}

// figures returns what the company reads on the day.
func (c *entries) figures(day captable.Date) (lines []string) {
	c.Helper()
	lines = append(lines, text(c, c.state.TableOn(day, c.nameOf)))
	for security := range c.state.Securities() {
		lines = append(lines, "ratio "+text(c, security.ConversionOn(day)))
	}
	for i := range c.state.Instruments() {
		if was, issued := i.On(day); issued {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", was.Status, text(c, was.ExercisePrice), text(c, was.FixedConversion), was.Left))
		}
	}
	for grant := range c.state.Grants() {
		if was, issued := grant.AsOf(day); issued {
			lines = append(lines, fmt.Sprintf("%s %s %s", was.Status, text(c, was.ExercisePrice), text(c, grant.On(day))))
		}
	}
	for h := range c.state.Shareholdings() {
		if was, issued := h.On(day); issued {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", was.Status, was.Shares, text(c, was.Shown().PricePerShare), was.Invested()))
		}
	}
	return lines
}

// checkOrder compares a company that is entered by date with one in which each split is entered before entries of earlier
// days.
func checkOrder(t *testing.T, counts map[string]int) func(draw *rapid.T) {
	t.Helper()
	return func(draw *rapid.T) {
		ordered, early := newEntries(drawing{t, draw}), newEntries(drawing{t, draw})
		day := exact.MustDate("2021-02-01")
		history := []entry{drawEntry(draw, day, true)}
		days := []captable.Date{day}
		for range rapid.IntRange(1, 14).Draw(draw, "entries") {
			day += captable.Date(rapid.IntRange(1, 90).Draw(draw, "days"))
			history, days = append(history, drawEntry(draw, day, false)), append(days, day-1, day)
		}
		var accepted []entry
		for _, e := range history { // by date; entries that are refused are left out
			if ordered.enter(e) {
				accepted = append(accepted, e)
			}
		}
		var moved []entry
		for _, e := range accepted {
			at := len(moved)
			if e.kind == "split" {
				for at = rapid.IntRange(e.least(moved), at).Draw(draw, "entered at"); at < len(moved) && moved[at].kind == "split"; {
					at++ // splits are entered in the order of their dates
				}
				for last := at; last < len(moved); last++ {
					if moved[last].kind == "split" {
						at = last + 1
					}
				}
				for _, before := range moved[at:] {
					counts[before.kind]++
				}
			}
			moved = append(moved[:at:at], append([]entry{e}, moved[at:]...)...)
		}
		for _, e := range moved {
			if !early.enter(e) {
				_, err := early.decide(e.command(early))
				draw.Fatalf("the %s of %s is refused after a later split: %v", e.kind, e.day, err)
			}
		}
		for _, read := range append(days, day+1, day+400) {
			want, got := ordered.figures(read), early.figures(read)
			for n := range want {
				if got[n] != want[n] {
					draw.Fatalf("on %s:\n got %s\nwant %s", read, got[n], want[n])
				}
			}
		}
		if faults := early.state.Audit(); len(faults) > 0 {
			draw.Fatalf("audit: %q", faults)
		}
	}
}

// The order of entry does not matter: an entry of a day before a recorded split counts in shares of its day, as if it had been
// entered before the split. TORTURE_SECONDS extends the search.
func TestInvariantsOfTheOrderOfEntry(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	untilReached(t, counts, []string{
		"class", "issue", "transfer", "repurchase", "convert", "grant", "warrant", "fixed", "authorize", "ratio", "pool",
	}, checkOrder(t, counts))
}
