package captable_test

import (
	"maps"
	"math/big"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// shared is a company with one award of restricted shares, of which parts may be transferred.
type shared struct {
	*bundle
	class, other captable.SecurityID
	// counts are the numbers of carried out steps by kind.
	counts map[string]int
}

// sums are the figures of all holdings together.
type sums struct {
	shares, vested, next, repurchasable string
	invested, amount                    *big.Rat
	parts                               int
}

// award issues the shares: by a schedule, in listed instalments or by an early exercise.
func (c *shared) award(kind string, shares int64, price *captable.Price, scheme vesting.Scheme) {
	c.Helper()
	if kind == "early" {
		command := earlyOption(c.plan(planned(c.class, "100000")), strconv.FormatInt(shares, 10))
		command.ExercisePrice, command.Vesting = price, &scheme
		c.do(exercise(c.grant(command), strconv.FormatInt(shares, 10), "2020-01-01"))
		return
	}
	command := issue(ada, c.class, strconv.FormatInt(shares, 10), "2020-01-01")
	command.PricePerShare = price
	if kind == "listed" {
		for n, left := 0, shares; left > 0; n++ {
			part := min(left, shares/7+int64(n))
			command.Vestings = append(command.Vestings, vesting.Vesting{
				Date: exact.MustDate("2020-02-01") + captable.Date(40*n), Quantity: exact.NewDecimal(part),
			})
			left -= part
		}
	} else {
		made := c.do(captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{Name: "s", Scheme: scheme}})
		command.VestingSchedule = made[0].(captable.VestingScheduleCreated).ID.String()
	}
	c.do(command)
}

// outstanding returns the outstanding shareholdings, oldest first.
func (c *shared) outstanding() (all []*captable.Shareholding) {
	for h := range c.state.Shareholdings() {
		if h.Status.Outstanding() {
			all = append(all, h)
		}
	}
	return all
}

// carry carries out the command and counts it.
func (c *shared) carry(kind string, command captable.Command) {
	c.Helper()
	if events, err := c.decide(command); err == nil {
		c.apply(events)
		c.counts[kind]++
	}
}

// sums returns the sums over all holdings on the day.
func (c *shared) sums(day captable.Date) sums {
	c.Helper()
	total, vested, next, unvested := captable.Decimal{}, captable.Decimal{}, captable.Date(0), captable.Decimal{}
	found := sums{invested: new(big.Rat), amount: new(big.Rat)}
	for h := range c.state.Shareholdings() {
		was, issued := h.On(day)
		if !issued || !was.Status.Outstanding() {
			continue
		}
		found.parts++
		found.invested.Add(found.invested, was.Invested().Rat())
		total = total.Add(was.Shares)
		part, vests := c.state.VestedOn(was, day)
		if !vests {
			c.Fatalf("%s does not vest", h.ID)
		}
		vested = vested.Add(part.Vested)
		if part.Next != nil && (next.IsZero() || part.Next.Date < next) {
			next = part.Next.Date
		}
	}
	for right := range c.state.Repurchasable(captable.ShareholdingID{}, day) {
		unvested = unvested.Add(right.Shares)
		found.amount.Add(found.amount, right.Amount.Amount.Rat())
	}
	found.shares, found.vested, found.next, found.repurchasable = total.String(), vested.String(), next.String(), unvested.String()
	return found
}

// equals reports whether the figures of a company with more parts are the same. Each division may round an amount.
func (s sums) equals(whole sums) bool {
	near := func(a, b *big.Rat) bool {
		off := new(big.Rat).Sub(a, b)
		return off.Abs(off).Cmp(big.NewRat(int64(s.parts), 1_000_000_000)) <= 0
	}
	return s.shares == whole.shares && s.vested == whole.vested && s.next == whole.next && s.repurchasable == whole.repurchasable &&
		near(s.invested, whole.invested) && near(s.amount, whole.amount)
}

func newShared(tb testing.TB, counts map[string]int) *shared {
	tb.Helper()
	c := &shared{bundle: setup(tb), counts: counts}
	c.other = c.common("unlimited")
	terms := preferred("Restricted")
	terms.AuthorizedShares, terms.Conversion = limit("10000000"), &captable.Conversion{Security: c.other, Ratio: number("1679616")} // whole after 8 splits
	c.class = c.security(terms)
	return c
}

// checkDivision compares a company in which parts of restricted shares are transferred with one in which the same steps
// happen to the whole.
func checkDivision(t *testing.T, counts map[string]int) func(draw *rapid.T) {
	t.Helper()
	return func(draw *rapid.T) {
		parts, whole := newShared(t, counts), newShared(t, map[string]int{})
		shares := rapid.Int64Range(5, 5000).Draw(draw, "shares")
		price := &captable.Price{Amount: exact.RoundDown(big.NewRat(rapid.Int64Range(1, 1000).Draw(draw, "price"), 100), exact.Places)}
		kind := rapid.SampledFrom([]string{"schedule", "listed", "early"}).Draw(draw, "award")
		scheme := vesting.Scheme{
			Allocation: rapid.SampledFrom([]vesting.Allocation{
				vesting.CumulativeRounding, vesting.CumulativeRoundDown, vesting.FrontLoaded, vesting.BackLoaded,
				vesting.FrontLoadedToSingleTranche, vesting.BackLoadedToSingleTranche,
			}).Draw(draw, "allocation"),
			Continuous: &vesting.Continuous{Length: vesting.Period{N: 24, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months}},
		}
		for _, c := range []*shared{parts, whole} {
			c.award(kind, shares, price, scheme)
		}
		counts[kind]++
		day := exact.MustDate("2020-01-01")
		for range rapid.IntRange(1, 8).Draw(draw, "steps") {
			day += captable.Date(rapid.Int32Range(1, 90).Draw(draw, "later"))
			switch step := rapid.SampledFrom([]string{"transfer", "transfer", "transfer", "split", "convert", "leave"}).Draw(draw, "step"); step {
			case "transfer":
				held := parts.outstanding()
				from := held[rapid.IntRange(0, len(held)-1).Draw(draw, "from")]
				most, _ := from.Shares.Rat().Float64()
				part := rapid.Int64Range(1, int64(most)).Draw(draw, "part")
				to := []captable.EntityID{ada, bob, cleo}[rapid.IntRange(0, 2).Draw(draw, "to")]
				parts.carry(step, captable.TransferShareholding{
					Shareholding: from.ID, To: holder(to), Shares: exact.NewDecimal(part), Date: day, Kind: "gift",
				})
			case "split":
				by := exact.NewDecimal(rapid.Int64Range(2, 3).Draw(draw, "by"))
				for _, c := range []*shared{parts, whole} {
					c.carry(step, captable.SplitSecurity{ID: c.class, Numerator: by, Denominator: number("1"), Date: day})
				}
			case "convert":
				for _, c := range []*shared{parts, whole} {
					for _, h := range c.outstanding() {
						c.carry(step, captable.ConvertShareholding{ID: h.ID, Security: c.other, Date: day})
					}
				}
			case "leave":
				for _, c := range []*shared{parts, whole} {
					c.carry(step, captable.TerminateHolder{Entity: ada, Termination: captable.Termination{Date: day, Reason: captable.VoluntaryOther}})
				}
			}
			for _, read := range []captable.Date{day - 1, day, day + 17, day + 400} {
				if of, all := parts.sums(read), whole.sums(read); !of.equals(all) {
					draw.Fatalf("on %s: the parts have %+v; the whole has %+v", read, of, all)
				}
			}
		}
	}
}

// A division of restricted shares changes no sum: not of vested shares, of amounts invested or of amounts of a repurchase.
// TORTURE_SECONDS extends the search.
func TestSumsBalanceUnderDivision(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	for end := time.Now().Add(time.Duration(seconds) * time.Second); ; {
		rapid.Check(t, checkDivision(t, counts))
		if !time.Now().Before(end) {
			break
		}
	}
	for _, kind := range []string{"schedule", "listed", "early", "transfer", "split", "convert", "leave"} {
		if counts[kind] == 0 {
			t.Errorf("%s was never reached; reached were %v", kind, slices.Collect(maps.Keys(counts)))
		}
	}
}
