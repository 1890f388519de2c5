package exit_test

import (
	"math/big"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/exit"
)

func number64(value int64) captable.Decimal { return exact.NewDecimal(value) }

// closings counts the kinds of rounds that the property reached.
type closings struct{ perPrice, none, existing, notes, shared, atRoundPrice, fixed, fractional, multiples int }

// roundTerms issues random convertibles and returns the terms of a round that converts them, and
// its liquidation preference multiple.
func roundTerms(r *rapid.T, b *bundle, common captable.SecurityID, seen *closings) (captable.RoundTerms, captable.Decimal) {
	for range rapid.IntRange(0, 4).Draw(r, "convertibles") {
		command := safe(bob, "1", "2025-02-01")
		if rapid.Bool().Draw(r, "note") {
			command = note(bob, "2025-02-01")
			seen.notes++
		}
		command.Principal.Amount = number64(rapid.Int64Range(50_000, 900_000).Draw(r, "principal"))
		command.ValuationCap = nil
		if limit := rapid.SampledFrom([]string{"", "6000000", "11000000"}).Draw(r, "cap"); limit != "" {
			command.ValuationCap, command.CapBasis = price(limit), rapid.SampledFrom([]string{"pre", "post"}).Draw(r, "basis")
		}
		if rapid.Bool().Draw(r, "discounted") {
			command.Discount = figure(rapid.SampledFrom([]string{"0.1", "0.15"}).Draw(r, "discount"))
		}
		b.Instrument(command)
	}
	multiple := rapid.SampledFrom([]string{"1", "1.5", "2"}).Draw(r, "multiple")
	seen.multiples += len(multiple) / 3
	class := captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, LiquidationPreferenceMultiple: figure(multiple), Seniority: new(1),
		FractionalShares: rapid.Bool().Draw(r, "fractional"), Conversion: &captable.Conversion{Security: common, Ratio: number("1")},
	}
	if class.FractionalShares {
		seen.fractional++
	}
	terms := captable.RoundTerms{
		Date: exact.MustDate(today), PreMoney: new(number64(rapid.Int64Range(8_000_000, 40_000_000).Draw(r, "preMoney"))),
		Security:     captable.RoundSecurity{SecurityTerms: class},
		ShadowSeries: rapid.SampledFrom([]captable.ShadowSeries{"", "none", "perPrice"}).Draw(r, "series"),
	}
	for n := range rapid.IntRange(1, 2).Draw(r, "investors") {
		holder := []captable.EntityID{cleo, ada}[n]
		terms.NewMoney = append(terms.NewMoney, captable.RoundInvestment{
			Investor: captable.RoundInvestor{HolderRef: captabletest.Holder(holder)},
			Amount:   number64(rapid.Int64Range(1_000, 5_000_000).Draw(r, "money")),
		})
	}
	if terms.ShadowSeries != captable.SeriesPerPrice && rapid.IntRange(0, 2).Draw(r, "existing") == 0 {
		class.Price, class.AuthorizedShares = price("0.7"), captable.Authorized{Unlimited: true}
		terms.Security = captable.RoundSecurity{ID: b.Security(class)}
		if rapid.Bool().Draw(r, "fixed") {
			command := safe(bob, "100000", "2025-02-01")
			command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: terms.Security.ID, Price: figure("0.9")}
			b.Instrument(command)
			seen.fixed++
		}
	}
	return terms, number(multiple)
}

// count records the kind of the planned round.
func (c *closings) count(terms captable.RoundTerms, planned captable.RoundOutcome) {
	switch {
	case !terms.Security.ID.IsZero():
		c.existing++
	case len(planned.ShadowSeries) > 0:
		c.perPrice++
	case terms.ShadowSeries == captable.SeriesNone && len(planned.Conversions) > 0:
		c.none++
	}
	for _, series := range planned.ShadowSeries {
		c.shared += len(series.Holdings) - 1
	}
	for _, made := range planned.Conversions {
		if made.Basis == conversion.RoundPrice {
			c.atRoundPrice++
		}
	}
}

// preferences returns the sum of the preferences that a sale pays.
func preferences(out exit.Outcome) (sum captable.Decimal) {
	for _, claim := range out.Claims {
		sum = sum.Add(claim.Preference)
	}
	return sum
}

// The sum of the preferences after a closing is the money converted, with interest, and the money
// invested, times the multiple: exactly the recorded prices of the whole shares, and less than one
// share per issue below the money. TORTURE_SECONDS extends the search.
func TestPreferencesAreTheMoneyPaidInvariant(t *testing.T) {
	t.Parallel()
	seen := closings{}
	check := func(r *rapid.T) {
		b, common := founded(t)
		terms, multiple := roundTerms(r, b, common, &seen)
		plan := func() (captable.RoundOutcome, error) { return b.State.PlanRound(terms, b.DecideContext(), b.NameOf) }
		planned, err := plan()
		if err != nil {
			return // the terms contradict each other
		}
		seen.count(terms, planned)
		b.Do(captable.CloseRound{RoundTerms: terms, Confirm: planned.Confirm})
		money, whole, share := new(big.Rat), new(big.Rat), new(big.Rat)
		paid := func(amount, price, shares captable.Decimal) {
			money.Add(money, amount.Rat())
			whole.Add(whole, new(big.Rat).Mul(price.Rat(), shares.Rat()))
			share.Add(share, price.Rat()) // the rest of less than one share
			share.Add(share, new(big.Rat).Mul(shares.Rat(), big.NewRat(1, 10_000_000_000)))
		}
		for _, made := range planned.Conversions {
			paid(made.Amount, made.Price, made.Shares)
		}
		for _, bought := range planned.NewMoney {
			paid(bought.Amount, planned.PricePerShare, bought.Shares)
		}
		got := preferences(b.exit(sale("1"))).Rat()
		whole.Mul(whole, multiple.Rat())
		if got.Cmp(whole) != 0 {
			// each claim is rounded to ten places
			if off := new(big.Rat).Sub(got, whole); off.Abs(off).Cmp(big.NewRat(1, 1_000_000_000)) > 0 {
				r.Fatalf("the preferences are %s, the shares cost %s", got.FloatString(4), whole.FloatString(4))
			}
		}
		money.Mul(money, multiple.Rat())
		if off := money.Sub(money, got); off.Abs(off).Cmp(share.Mul(share, multiple.Rat())) > 0 {
			r.Fatalf("the preferences differ from the money by %s, more than one share per issue: %s", off.FloatString(4), share.FloatString(4))
		}
	}
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	for end := time.Now().Add(time.Duration(seconds) * time.Second); ; {
		rapid.Check(t, check)
		if t.Failed() || !time.Now().Before(end) {
			break
		}
	}
	t.Logf("reached %+v", seen)
	if !t.Failed() && (seen.perPrice == 0 || seen.none == 0 || seen.existing == 0 || seen.notes == 0 || seen.shared == 0 ||
		seen.atRoundPrice == 0 || seen.fixed == 0 || seen.fractional == 0 || seen.multiples == 0) {
		t.Errorf("a kind of round was not reached: %+v", seen)
	}
}

// A sale directly after a round pays alike whether the conversions have series of their own or are
// separate claims in one class.
func TestSeriesAndClaimsPayAlikeInvariant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		value := rapid.Int64Range(0, 60_000_000).Draw(r, "value")
		discount := rapid.SampledFrom([]string{"0.1", "0.3"}).Draw(r, "discount")
		participation := rapid.SampledFrom([]string{"none", "full", "capped"}).Draw(r, "participation")
		pay := func(series captable.ShadowSeries) exit.Outcome {
			b, common := founded(t)
			command := safe(bob, "1000000", "2025-02-01")
			command.ValuationCap, command.CapBasis = price("4000000"), "post"
			b.Instrument(command)
			command.ValuationCap, command.Discount = nil, figure(discount)
			b.Instrument(command)
			class := captable.SecurityTerms{
				Name: "Series A", Seniority: new(1), Participation: participation, ParticipationCapMultiple: figure("2"),
				Conversion: &captable.Conversion{Security: common, Ratio: number("1")},
			}
			b.closed(captable.RoundTerms{
				PreMoney: figure("16000000"), ShadowSeries: series, Security: captable.RoundSecurity{SecurityTerms: class},
			}, cleo, "4000000")
			return b.exit(sale(number64(value).String()))
		}
		apart, together := pay(captable.SeriesPerPrice), pay(captable.SeriesNone)
		if !alike(apart, together) {
			r.Fatalf("series pay %s, claims of one class %s", got(apart, 0), got(together, 0))
		}
	})
}

// alike reports whether each holder receives the same, up to a cent per claim: the claims are in another order, which
// decides about equal remainders.
func alike(one, other exit.Outcome) bool {
	limit := number64(int64(len(one.Claims))).Mul(number("0.01"))
	paid := map[captable.EntityID]captable.Decimal{}
	for _, holder := range one.Values[0].Holders {
		paid[holder.Entity] = holder.Amount
	}
	for _, holder := range other.Values[0].Holders {
		off := holder.Amount.Sub(paid[holder.Entity])
		if off.Max(off.Neg()).Cmp(limit) > 0 {
			return false
		}
	}
	return true
}

// closed closes a round with the money of one investor.
func (b *bundle) closed(terms captable.RoundTerms, investor captable.EntityID, amount string) {
	b.Helper()
	terms.Date = exact.MustDate(today)
	terms.NewMoney = []captable.RoundInvestment{{Investor: captable.RoundInvestor{HolderRef: holder(investor)}, Amount: number(amount)}}
	planned, err := b.State.PlanRound(terms, b.DecideContext(), b.NameOf)
	if err != nil {
		b.Fatal(err)
	}
	b.Do(captable.CloseRound{RoundTerms: terms, Confirm: planned.Confirm})
}

func TestSharesOfASAFEHaveThePreferenceOfTheirPrice(t *testing.T) {
	t.Parallel()
	for _, series := range []captable.ShadowSeries{"", captable.SeriesNone} {
		t.Run("shares of a SAFE have the preference of their price with the shadow series '"+string(series)+"'", func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			common := b.Common("20000000")
			b.Issue(ada, common, "8000000", "2025-01-01")
			command := safe(bob, "1000000", "2025-02-01")
			command.ValuationCap, command.CapBasis = price("4000000"), "post"
			b.Instrument(command)
			b.closed(captable.RoundTerms{
				PreMoney: figure("16000000"), ShadowSeries: series,
				Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{
					Name: "Series A", Seniority: new(1), Conversion: &captable.Conversion{Security: common, Ratio: number("1")},
				}},
			}, cleo, "4000000")
			out := b.exit(sale("4000000"))
			captabletest.Equal(t, "paid", got(out, 0), "Cleo Ltd 3200000; Bob Noyce 800000; Ada Lovelace 0")
			captabletest.Equal(t, "preferences", preferences(out).String(), "4999998.75")
		})
	}
}
