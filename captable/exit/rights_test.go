package exit_test

import (
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/exit"
)

// paid returns the amount of the holder at the first value.
func paid(out exit.Outcome, entity captable.EntityID) captable.Decimal {
	for _, holder := range out.Values[0].Holders {
		if holder.Entity == entity {
			return holder.Amount
		}
	}
	return captable.Decimal{}
}

func TestRightsToPreferredSharesAtAnExit(t *testing.T) {
	t.Parallel()
	t.Run("WarrantsHaveThePreferenceOfTheirClass", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) { terms.AuthorizedShares.Shares = number("4000000") })
		command := warrant(cleo, b.preferred(), "2000000", "2025-06-01")
		command.ExercisePrice = price("0.01")
		b.Instrument(command)
		captabletest.Equal(t, "paid", got(b.exit(sale("3000000")), 0), "Bob Noyce 1510000; Cleo Ltd 1490000; Ada Lovelace 0")
	})
	t.Run("FixedPreferredSharesHaveThePreferenceOfTheAmount", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) {
			terms.AuthorizedShares.Shares, terms.LiquidationPreferenceMultiple = number("4000000"), figure("2")
		})
		command := safe(cleo, "1000000", "2025-02-01")
		command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: b.preferred(), Shares: figure("2000000")}
		b.Instrument(command)
		out := b.exit(sale("9000000", "24000000"))
		captabletest.Equal(t, "twice the amount", got(out, 0), "Bob Noyce 4000000; Ada Lovelace 3000000; Cleo Ltd 2000000")
		captabletest.Equal(t, "2,000,000 shares", got(out, 1), "Ada Lovelace 16000000; Bob Noyce 4000000; Cleo Ltd 4000000")
	})
}

func TestSAFEsTakeCashInADissolution(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	b.Instrument(safe(bob, "1000000", "2025-02-01"))
	terms := sale("50000000")
	terms.Dissolution = true
	out := b.exit(terms)
	captabletest.Equal(t, "paid", got(out, 0), "Ada Lovelace 49000000; Bob Noyce 1000000")
	captabletest.Equal(t, "terms", out.Claims[len(out.Claims)-1].Terms, "1000000 in cash at seniority 0.")
}

// rightSale is a random company in which Cleo has a right to shares of a preferred class, and a price.
type rightSale struct {
	*bundle
	*rand.Rand
	class   captable.SecurityID
	right   captable.InstrumentID
	cost    captable.Decimal // of an exercise
	value   captable.Decimal
	reached map[string]int
}

func (r *rightSale) number(least, most int) string { return strconv.Itoa(least + r.IntN(most-least+1)) }

func newRightSale(tb testing.TB, seed uint64, reached map[string]int) *rightSale {
	tb.Helper()
	r := &rightSale{bundle: setup(tb), Rand: rand.New(rand.NewPCG(seed, 2)), reached: reached}
	common := r.Common("90000000000")
	r.Issue(ada, common, r.number(10, 900)+"000", "2025-01-01")
	terms := captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: captable.Authorized{Unlimited: true},
		Price: price(r.number(1, 9)), Seniority: new(1), LiquidationPreferenceMultiple: figure(r.number(1, 2)),
		Conversion:    &captable.Conversion{Security: common, Ratio: number(r.number(1, 3))},
		Participation: []string{"", "none", "full", "capped"}[r.IntN(4)],
	}
	if terms.Participation == "capped" {
		terms.ParticipationCapMultiple = figure(r.number(2, 4))
	}
	r.class = r.Security(terms)
	if r.IntN(4) > 0 {
		r.Issue(bob, r.class, r.number(1, 500)+"000", "2025-01-01")
	}
	if r.IntN(2) == 0 {
		other := safe(bob, r.number(100, 900)+"000", "2025-02-01")
		other.ValuationCap, other.CapBasis = price(r.number(5, 20)+"000000"), "post"
		r.Instrument(other)
		reached["beside a SAFE"]++
	}
	r.value = number(r.number(1, 1<<(4+r.IntN(10))) + "000")
	r.addRight()
	return r
}

// addRight gives Cleo a warrant or a SAFE with fixed shares.
func (r *rightSale) addRight() {
	shares := r.number(1, 500) + "000"
	if r.IntN(2) == 0 {
		command := warrant(cleo, r.class, shares, "2025-02-01")
		command.ExercisePrice = price(r.number(0, 12))
		r.right, r.cost = r.Instrument(command), number(shares).Mul(command.ExercisePrice.Amount)
		return
	}
	command := safe(cleo, r.number(1, 2000)+"000", "2025-02-01")
	command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: r.class, Shares: figure(shares)}
	r.right = r.Instrument(command)
}

// act exercises or converts the right on the day of the sale.
func (r *rightSale) act() {
	i, _ := r.State.Instrument(r.right)
	if i.Kind == captable.KindWarrant {
		r.Do(captable.ExerciseWarrant{ID: r.right, Quantity: i.Left, Date: exact.MustDate(today)})
		r.reached["exercised"]++
		return
	}
	r.Do(captable.ConvertInstrument{ID: r.right, Security: r.class, Date: exact.MustDate(today)})
	r.reached["converted"]++
}

// TestInvariantActingBeforeASaleNeverPaysMore compares holding a right with exercising or converting it one moment
// before. The exercise price adds to the price of the sale. It also compares the shares of the cap table with those of
// the sale.
func TestInvariantActingBeforeASaleNeverPaysMore(t *testing.T) {
	t.Parallel()
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	reached := map[string]int{}
	for seed := uint64(0); seed < 500 || time.Now().Before(end); seed++ {
		r := newRightSale(t, seed, reached)
		held := paid(r.exit(sale(r.value.String())), cleo)
		if held.Sign() > 0 {
			reached["paid"]++
		}
		r.act()
		acted := paid(r.exit(sale(r.value.Add(r.cost).String())), cleo).Sub(r.cost)
		if acted.Sub(held).Cmp(number("0.01")) > 0 {
			t.Fatalf("seed %d: holding pays %s of %s, acting %s", seed, held, r.value, acted)
		}
		r.countsEqualShares()
	}
	t.Log(reached)
	for _, event := range []string{"beside a SAFE", "exercised", "converted", "paid"} {
		if reached[event] == 0 {
			t.Errorf("%s was not reached", event)
		}
	}
}

// countsEqualShares checks that all shares of a high sale are those of the cap table.
func (r *rightSale) countsEqualShares() {
	r.Helper()
	table := r.State.TableOn(exact.MustDate(today), r.NameOf)
	out := r.exit(sale("90000000000000"))
	sum := new(big.Rat)
	for i, claim := range out.Values[0].Claims {
		if out.Claims[i].Kind == exit.KindShares {
			sum.Add(sum, claim.Shares.Rat())
		}
	}
	captabletest.Equal(r, "shares of the sale", sum.RatString(), table.Totals.FullyDiluted.Rat().RatString())
}
