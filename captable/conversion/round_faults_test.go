package conversion_test

import (
	"errors"
	"strings"
	"testing"

	"equity/captable/conversion"
)

func TestRoundFaults(t *testing.T) {
	t.Parallel()
	mfn := conversion.Convertible{ID: "M", Amount: ratio("1"), MFN: true}
	electing := func(id string) conversion.Convertible {
		c := mfn
		c.Elects = id
		return c
	}
	before := million("P")
	before.CapBasis = conversion.PreMoney
	fixed := conversion.Convertible{ID: "F", Amount: ratio("1"), FixedPercent: number("0.07")}
	unmoved := million("A")
	unmoved.Elects = "B"
	for _, c := range []struct {
		claim, pointer, code string
		change               func(*conversion.Round)
	}{
		{"a fraction of a share", "/company/common", "notWhole", func(r *conversion.Round) { r.Company.Common = number("0.5") }},
		{"negative shares", "/company/poolAvailable", "negative", func(r *conversion.Round) { r.Company.PoolAvailable = number("-1") }},
		{"no shares", "/company/common", "noShares", func(r *conversion.Round) { r.Company.Common = number("0") }},
		{"no price", "/preMoney", "exactlyOne", func(r *conversion.Round) { r.PreMoney = number("0") }},
		{"two prices", "/preMoney", "exactlyOne", func(r *conversion.Round) { r.PricePerShare = number("1") }},
		{"a negative price", "/preMoney", "negative", func(r *conversion.Round) { r.PreMoney = number("-1") }},
		{"an unknown convention", "/convention", "unknownTerm", func(r *conversion.Round) { r.Convention = "fair" }},
		{"no new money of an investor", "/newMoney/0/amount", "notPositive", func(r *conversion.Round) { r.NewMoney[0].Amount = number("0") }},
		{"a post-money below the new money", "/postMoney", "notAboveMoney", func(r *conversion.Round) {
			r.PreMoney, r.PostMoney = number("0"), number("3000000")
		}},
		{"a pool of everything", "/pool/target", "notBelowOne", func(r *conversion.Round) { r.Pool.Target = number("1") }},
		{"a target and an increase", "/pool/increase", "exactlyOne", func(r *conversion.Round) {
			r.Pool = conversion.Pool{Target: number("0.1"), Increase: number("1")}
		}},
		{"an investment that reaches its cap", "/convertibles/0/amount", "amountReachesCap", func(r *conversion.Round) {
			r.Convertibles[0].Amount = ratio("10000000")
		}},
		{"nothing that converts", "/convertibles/0/amount", "notPositive", func(r *conversion.Round) { r.Convertibles[0].Amount = nil }},
		{"a negative cap", "/convertibles/0/cap", "negative", func(r *conversion.Round) { r.Convertibles[0].Cap = number("-1") }},
		{"a discount of everything", "/convertibles/0/discount", "notBelowOne", func(r *conversion.Round) { r.Convertibles[0].Discount = number("1") }},
		{"an unknown basis", "/convertibles/0/capBasis", "unknownTerm", func(r *conversion.Round) { r.Convertibles[0].CapBasis = "middle" }},
		{
			"a fixed number of no shares", "/convertibles/0/fixedShares", "notPositive",
			func(r *conversion.Round) { r.Convertibles[0].FixedShares = ratio("0") },
		},
		{"a nameless instrument", "/convertibles/0/id", "required", func(r *conversion.Round) { r.Convertibles[0].ID = "" }},
		{"one name twice", "/convertibles/1/id", "twice", func(r *conversion.Round) { r.Convertibles = append(r.Convertibles, million("A")) }},
		{"an election without MFN", "/convertibles/0/elects", "notMFN", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{unmoved, million("B")}
		}},
		{"an election of an earlier instrument", "/convertibles/1/elects", "notLater", func(r *conversion.Round) {
			r.Convertibles = append(r.Convertibles, electing("A"))
		}},
		{"an election of a pre-money cap", "/convertibles/0/elects", "unsupportedTerms", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{electing("P"), before}
		}},
		{"an election of a fixed percentage", "/convertibles/0/elects", "unsupportedTerms", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{electing("F"), fixed}
		}},
		{"a right without new money", "/proRata", "required", func(r *conversion.Round) {
			r.NewMoney, r.ProRata = nil, []conversion.Participation{{ID: "A"}}
		}},
		{"a right by an unknown instrument", "/proRata/0/convertibles/0", "unknownConvertible", func(r *conversion.Round) {
			r.ProRata = []conversion.Participation{{ID: "A", Convertibles: []string{"Z"}}}
		}},
		{"two rights by one instrument", "/proRata/0/convertibles/1", "twice", func(r *conversion.Round) {
			r.ProRata = []conversion.Participation{{ID: "A", Convertibles: []string{"A", "A"}}}
		}},
		{"rights of more shares than there are", "/proRata", "moreThanAll", func(r *conversion.Round) {
			r.ProRata = []conversion.Participation{{ID: "A", Shares: number("8000001")}}
		}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			r := seed(million("A"))
			c.change(&r)
			faults := r.Faults()
			if len(faults) != 1 {
				t.Fatalf("got %v, want one fault", faults)
			}
			equal(t, "pointer", faults[0].Pointer, c.pointer)
			equal(t, "code", faults[0].Code, c.code)
		})
	}
}

func TestFractionalSharesCanBeAllowed(t *testing.T) {
	t.Parallel()
	r := seed()
	r.Company.Common, r.Fractional = number("8000000.5"), true
	equal(t, "faults", len(r.Faults()), 0)
}

func TestContradiction(t *testing.T) {
	t.Parallel()
	half := conversion.Convertible{ID: "H", Amount: ratio("5000000"), Cap: number("10000000")}
	other := conversion.Convertible{ID: "O", Amount: ratio("1"), FixedPercent: number("0.5")}
	for _, c := range []struct {
		claim  string
		round  conversion.Round
		change func(*conversion.Round)
		says   []string
	}{
		{
			"caps and percentages that leave nothing to anybody else", seed(half, other), func(*conversion.Round) {},
			[]string{"post-money caps and fixed percentages claim, of the company before the new money, 100 %"},
		},
		{
			"a pool and an investor who take everything", seed(), func(r *conversion.Round) { r.Pool.Target = number("0.8") },
			[]string{
				"the target of the pool claims, of the company after the round, 80 %",
				"the new money claims, of the company after the round, 20 %",
			},
		},
		{
			"notes above the pre-money", seed(discounted("D", "9600000", "0.2")), func(*conversion.Round) {},
			[]string{"conversions at the price of the round or a discount on it claim, of the company after the round, 80 %"},
		},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			c.change(&c.round)
			_, err := c.round.Solve()
			if _, ok := errors.AsType[*conversion.ContradictionError](err); !ok {
				t.Fatalf("got %v, want a contradiction", err)
			}
			for _, says := range c.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("got %q, want it to say %q", err, says)
				}
			}
		})
	}
}

// An MFN instrument without an election converts on its own terms, and later issues cannot make its round
// unsolvable.
func TestMFNWithoutAnElectionConvertsOnItsOwnTerms(t *testing.T) {
	t.Parallel()
	later := map[string]conversion.Convertible{
		"a pre-money cap": million("P"), "a post-money cap": million("P"),
		"a discount": {ID: "P", Amount: ratio("1000"), Discount: number("0.2")},
	}
	before := later["a pre-money cap"]
	before.CapBasis = conversion.PreMoney
	later["a pre-money cap"] = before
	later["a fixed part"] = conversion.Convertible{ID: "P", Amount: ratio("1000"), FixedPercent: number("0.07")}
	later["another MFN"] = conversion.Convertible{ID: "P", Amount: ratio("1000"), MFN: true}
	for claim, other := range later {
		for terms, own := range map[string]conversion.Convertible{
			"no terms": {ID: "M", Amount: ratio("375000")}, "a discount": {ID: "M", Amount: ratio("375000"), Discount: number("0.2")},
			"a cap": million("M"),
		} {
			t.Run("an MFN instrument with "+terms+" before "+claim+" converts on its own terms", func(t *testing.T) {
				t.Parallel()
				favoured := own
				favoured.MFN = true
				first, plain := seed(favoured, other), seed(own, other)
				if faults := first.Faults(); len(faults) > 0 {
					t.Fatal(faults)
				}
				got, err := first.Solve()
				if err != nil {
					t.Fatal(err)
				}
				want, err := plain.Solve()
				if err != nil {
					t.Fatal(err)
				}
				if got.Price.Cmp(want.Price) != 0 || got.Conversions[0].Shares.Cmp(want.Conversions[0].Shares) != 0 {
					t.Errorf("got the price %s, want that of the same instrument without MFN, %s", got.Price, want.Price)
				}
			})
		}
	}
}
