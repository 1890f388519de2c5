package captable_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// named returns a new class with the name.
func named(name string) captable.RoundSecurity {
	return captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: name}}
}

// priced returns a round of 3,000,000 from a new investor at a pre-money value of 12,000,000.
func priced() captable.RoundTerms {
	return captable.RoundTerms{
		Date: exact.MustDate(today), PreMoney: figure("12000000"), Security: named("Series A"),
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{Name: "Fund"}, Amount: number("3000000")}},
	}
}

// founded returns a company with 8,000,000 shares of Ada, and their class.
func founded(tb testing.TB) (*bundle, captable.SecurityID) {
	tb.Helper()
	b := setup(tb)
	class := b.common("20000000")
	b.issue(ada, class, "8000000", "2025-01-01")
	return b, class
}

func (b *bundle) planRound(terms captable.RoundTerms) (captable.RoundOutcome, error) {
	b.Helper()
	return b.state.PlanRound(terms, b.moment(), func(id captable.EntityID) string { return b.holders[id] })
}

func (b *bundle) outcome(terms captable.RoundTerms) captable.RoundOutcome {
	b.Helper()
	out, err := b.planRound(terms)
	if err != nil {
		b.Fatal(err)
	}
	return out
}

func rows(out captable.RoundOutcome) string {
	var lines []string
	for _, row := range out.Ownership {
		lines = append(lines, row.Kind+" "+row.Name+" "+row.SharesBefore.String()+"→"+row.SharesAfter.String())
	}
	return strings.Join(lines, "; ")
}

func TestPlanRound(t *testing.T) {
	t.Parallel()
	t.Run("a round is priced over the existing shares", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		out := b.outcome(priced())
		equal(t, "price", out.PricePerShare.String(), "1.5")
		equal(t, "rows", rows(out), "holder Ada Lovelace 8000000→8000000; holder Fund 0→2000000")
		equal(t, "part", out.Ownership[1].PercentAfter.String(), "0.2")
		equal(t, "raised", out.Raised.String(), "3000000")
	})
	t.Run("a round converts convertibles into whole shares and pays fractions in cash", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		id := b.instrument(postMoney(bob))
		out := b.outcome(priced())
		c := out.Conversions[0]
		equal(t, "holding", c.Holding, id)
		equal(t, "basis", c.Basis, conversion.Cap)
		equal(t, "shares, price and cash", c.Shares.String()+" "+c.Price.String()+" "+c.Cash.String(), "888888 1.125 1")
		equal(t, "offers", len(c.Offers), 2)
		equal(t, "capitalization", c.Offers[0].Capitalization.String(), "8888888.8888888889")
		equal(t, "rows", rows(out), "holder Ada Lovelace 8000000→8000000; holder Fund 0→2222222; holder Bob Noyce 0→888888")
		equal(t, "unspent", out.NewMoney[0].Unspent.String(), "0.3")
	})
	t.Run("a round converts the interest of a note until its date", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		b.instrument(note(bob, "2025-01-15"))
		c := b.outcome(priced()).Conversions[0]
		equal(t, "amount and interest", c.Amount.String()+" "+c.Interest.String(), "10365 365")
		equal(t, "basis", c.Basis, conversion.Discount)
	})
	t.Run("a round does not convert interest that is paid in cash", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := note(bob, "2025-01-15")
		command.Interest.Payout = conversion.Cash
		b.instrument(command)
		equal(t, "amount", b.outcome(priced()).Conversions[0].Amount.String(), "10000")
	})
	t.Run("the shares before a round include warrants, available pools and promised options", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		b.plan(planned(class, "500000"))
		b.instrument(warrant(bob, class, "100000", "2025-02-01"))
		terms := priced()
		terms.OptionsPromised = number("50000")
		out := b.outcome(terms)
		equal(t, "before", out.SharesBefore.String(), "8650000")
		equal(t, "kinds", rows(out), "holder Ada Lovelace 8000000→8000000; holder Fund 0→2162500; holder Bob Noyce 100000→100000; promised Options promised 50000→50000; pool Left in the pools 500000→500000")
	})
	t.Run("a granted option counts once in a round, with its holder and not in the pool", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		ref := b.plan(planned(class, "500000"))
		before := b.outcome(priced())
		b.grant(option(bob, ref, "200000", "2025-02-01"))
		out := b.outcome(priced())
		equal(t, "all", out.SharesBefore, before.SharesBefore)
		equal(t, "price", out.PricePerShare, before.PricePerShare)
		equal(t, "rows", rows(out), "holder Ada Lovelace 8000000→8000000; holder Fund 0→2125000; holder Bob Noyce 200000→200000; pool Left in the pools 300000→300000")
	})
	t.Run("a round increases the pool to its target of all shares after the round", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure("0.1")}
		out := b.outcome(terms)
		equal(t, "increase", out.Pool.Increase.String(), "1142857")
		equal(t, "after", out.SharesAfter.String(), "11428571")
	})
	t.Run("a round converts only the listed convertibles, with their elections", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		mfn := safe(bob, "500000", "2025-01-01")
		mfn.ValuationCap, mfn.MFN = nil, true
		one, two := b.instrument(mfn), b.instrument(postMoney(cleo))
		b.instrument(postMoney(ada))
		terms := priced()
		terms.Convertibles = []captable.RoundElection{{Holding: one, Elects: two}, {Holding: two}}
		out := b.outcome(terms)
		equal(t, "conversions", len(out.Conversions), 2)
		equal(t, "elects", out.Conversions[0].Elects, two)
		equal(t, "price", out.Conversions[0].Price, out.Conversions[1].Price)
		terms.Convertibles = []captable.RoundElection{}
		equal(t, "none", len(b.outcome(terms).Conversions), 0)
	})
	t.Run("a round keeps a fixed conversion", func(t *testing.T) {
		t.Parallel()
		for basis, fix := range map[conversion.Basis]captable.FixedConversion{
			conversion.FixedShares:  {Price: figure("2")},
			conversion.FixedPercent: {Fraction: figure("0.2")},
		} {
			b, class := founded(t)
			command := postMoney(bob)
			command.FixedConversion = &fix
			fix.Security = class
			b.instrument(command)
			equal(t, "basis", b.outcome(priced()).Conversions[0].Basis, basis)
		}
	})
	t.Run("holders use their pro rata rights within the new money of a round", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		b.instrument(postMoney(bob))
		terms := priced()
		terms.ProRata = []captable.HolderRef{holder(bob)}
		out := b.outcome(terms)
		equal(t, "fund", out.NewMoney[0].Amount.String(), "2700000")
		equal(t, "bob", out.NewMoney[1].Name+" "+out.NewMoney[1].Amount.String(), "Bob Noyce 300000")
		equal(t, "right", out.NewMoney[1].ProRata, true)
	})
	t.Run("a round in a class with fractional shares gives fractions", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		units := preferred("Units")
		units.FractionalShares = true
		terms := priced()
		terms.Security = captable.RoundSecurity{ID: b.security(units)}
		terms.NewMoney[0].Amount = number("1")
		equal(t, "shares", b.outcome(terms).NewMoney[0].Shares.String(), "0.6666666666")
	})
	t.Run("a refusal names the terms that contradict each other", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure("0.9")}
		_, err := b.planRound(terms)
		var refusal *fault.Error
		if !errors.As(err, &refusal) || refusal.Code != fault.Conflict || !strings.Contains(refusal.Message, "the target of the pool claims") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("only equal rounds over equal cap tables have the same confirmation", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		first := b.outcome(priced()).Confirm
		equal(t, "again", b.outcome(priced()).Confirm, first)
		b.issue(cleo, class, "1", "2025-01-01")
		if b.outcome(priced()).Confirm == first {
			t.Error("another table is confirmed alike")
		}
	})
}

func TestPlanRoundNamesEveryWrongField(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	dear := postMoney(bob)
	dear.Principal = dollars("10000000")
	reaching := b.instrument(dear)
	foreign := note(bob, "2025-01-01")
	foreign.Principal = &captable.Money{Amount: number("1"), Currency: "EUR"}
	abroad := b.instrument(foreign)
	for claim, c := range map[string]struct {
		change func(*captable.RoundTerms)
		fields string
	}{
		"nothing at all": {
			func(r *captable.RoundTerms) { *r = captable.RoundTerms{Convertibles: []captable.RoundElection{}} },
			"/date required /security required  noShares /preMoney exactlyOne",
		},
		"unknown references": {
			func(r *captable.RoundTerms) {
				r.Security = captable.RoundSecurity{ID: captable.SecurityID{9}}
				r.NewMoney[0].Investor = captable.RoundInvestor{HolderRef: holder(nobod)}
				r.ProRata = []captable.HolderRef{holder(nobod)}
				r.Convertibles = []captable.RoundElection{{Holding: captable.InstrumentID{9}}}
			},
			"/security/id unknownReference /newMoney/0/investor/entity unknownReference /proRata/0/entity unknownReference /convertibles/0/holding unknownReference",
		},
		"a class by its name that there is": {func(r *captable.RoundTerms) { r.Security.Name = "common stock" }, "/security/name taken"},
		"an investor without a name":        {func(r *captable.RoundTerms) { r.NewMoney[0].Investor.Name = "" }, "/newMoney/0/investor required"},
		"a holder or a holding twice": {
			func(r *captable.RoundTerms) {
				r.ProRata = []captable.HolderRef{holder(ada), holder(ada)}
				r.Convertibles = []captable.RoundElection{{Holding: abroad}, {Holding: abroad}}
			},
			"/proRata/1 twice /convertibles/1/holding twice /convertibles/0 otherCurrency",
		},
		"what is not outstanding on the day": {
			func(r *captable.RoundTerms) {
				r.Date, r.Convertibles = exact.MustDate("2025-01-15"), []captable.RoundElection{{Holding: reaching}}
			},
			"/convertibles/0/holding notOutstanding",
		},
		"a term that cannot be": {
			func(r *captable.RoundTerms) { r.Convertibles = []captable.RoundElection{{Holding: reaching}} },
			"/convertibles/0/amount amountReachesCap",
		},
		"an election of what is not in the round": {
			func(r *captable.RoundTerms) {
				r.Convertibles = []captable.RoundElection{{Holding: reaching, Elects: captable.InstrumentID{9}}}
			},
			"/convertibles/0/amount amountReachesCap /convertibles/0/elects notMFN",
		},
		"what is promised negatively": {func(r *captable.RoundTerms) { r.OptionsPromised = number("-1") }, "/optionsPromised negative"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			terms := priced()
			terms.Convertibles = []captable.RoundElection{}
			c.change(&terms)
			_, err := b.planRound(terms)
			var refusal *fault.Error
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v", err)
			}
			var got []string
			for _, field := range refusal.Fields {
				got = append(got, field.Pointer+" "+field.Code)
			}
			equal(t, "fields", strings.Join(got, " "), c.fields)
		})
	}
	t.Run("a term of a holding that was not listed", func(t *testing.T) {
		t.Parallel()
		_, err := b.planRound(priced())
		var refusal *fault.Error
		if !errors.As(err, &refusal) || !strings.Contains(
			refusal.Fields[1].Message, reaching.String(),
		) || refusal.Fields[1].Pointer != "/convertibles" {
			t.Errorf("got %v", err)
		}
	})
}

// In every round, both percentage columns sum to exactly 1, and the purchases sum to the new
// money up to rounding.
func TestRoundsSumUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		b, class := founded(t)
		b.plan(planned(class, "300000"))
		for range rapid.IntRange(0, 4).Draw(rt, "safes") {
			command := postMoney(rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(rt, "holder"))
			command.Principal.Amount = exact.NewDecimal(rapid.Int64Range(1, 2_000_000).Draw(rt, "principal"))
			b.instrument(command)
		}
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure(rapid.SampledFrom([]string{"0", "0.01", "0.15"}).Draw(rt, "target"))}
		terms.ProRata = []captable.HolderRef{holder(bob)}
		out := b.outcome(terms)
		before, after, money := exact.Decimal{}, exact.Decimal{}, exact.Decimal{}
		for _, row := range out.Ownership {
			before, after = before.Add(row.PercentBefore), after.Add(row.PercentAfter)
		}
		for _, purchase := range out.NewMoney {
			money = money.Add(purchase.Amount)
		}
		if before.String() != "1" || after.String() != "1" {
			rt.Errorf("the percentages sum to %s and %s", before, after)
		}
		if off := money.Sub(number("3000000")); off.Max(off.Neg()).Cmp(number("0.000001")) > 0 {
			rt.Errorf("the investors pay %s", money)
		}
	})
}
