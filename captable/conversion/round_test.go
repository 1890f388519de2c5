package conversion_test

import (
	"math/big"
	"testing"

	"equity/captable/conversion"
)

// figures returns the figures of a solution by their published names.
func figures(s conversion.Solution) map[string]*big.Rat {
	all := map[string]*big.Rat{
		"price": s.Price, "total_shares": s.TotalShares, "pool_increase": s.PoolIncrease,
		"pool_available_after": s.PoolAvailable, "company_capitalization": s.Capitalization,
	}
	for _, c := range s.Conversions {
		all[c.ID], all[c.ID+"_price"] = c.Shares, c.Price
		all[c.ID+"_before_new_money"], all[c.ID+"_ownership"] = c.BeforeNewMoney, c.Ownership
	}
	for _, purchase := range s.NewMoney {
		all[purchase.ID] = purchase.Shares
	}
	return all
}

// Sources round intermediate results, so published figures are close to the exact ones.
func TestPublishedRounds(t *testing.T) {
	t.Parallel()
	for _, c := range cases[roundCase](t, "priced_rounds.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			s := solved(t, c.round())
			bases := map[string]conversion.Basis{"cap": conversion.Cap, "round_price": conversion.RoundPrice}
			for _, one := range s.Conversions {
				if basis, ok := c.Expect.Published[one.ID+"_basis"]; ok {
					equal(t, one.ID, one.Basis, bases[basis])
				}
			}
			for name, figure := range figures(s) {
				if text, ok := c.Expect.Published[name]; ok {
					nearly(t, name, figure, ratio(text))
				}
			}
		})
	}
}

// nearly allows a difference of 0.03 %.
func nearly(tb judge, what string, got, want *big.Rat) {
	tb.Helper()
	off := new(big.Rat).Sub(got, want)
	allowed := new(big.Rat).Mul(new(big.Rat).Abs(want), big.NewRat(3, 10_000))
	if off.Abs(off).Cmp(allowed) > 0 {
		tb.Errorf("%s: got %s, want about %s", what, got.FloatString(6), want.FloatString(6))
	}
}

func TestRoundIsPricedBy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim  string
		change func(*conversion.Round)
		price  string
		total  string
	}{
		{"its pre-money", func(*conversion.Round) {}, "27/20", "100000000/9"},
		{"its post-money", func(r *conversion.Round) { r.PreMoney, r.PostMoney = number("0"), number("15000000") }, "27/20", "100000000/9"},
		{"its price", func(r *conversion.Round) { r.PreMoney, r.PricePerShare = number("0"), number("1.35") }, "27/20", "100000000/9"},
		{"its pre-money without conversions", func(r *conversion.Round) { r.Convention = conversion.PreMoneyMethod }, "3/2", "98000000/9"},
		{
			"its pre-money and the converting amounts", func(r *conversion.Round) { r.Convention = conversion.DollarsInvested }, "117/80",
			"1280000000/117",
		},
		{
			"its post-money including conversions",
			func(r *conversion.Round) {
				r.Convention, r.PreMoney, r.PostMoney = conversion.DollarsInvested, number("0"), number("16000000")
			},
			"117/80", "1280000000/117",
		},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			r := seed(million("A"))
			c.change(&r)
			s := solved(t, r)
			same(t, "price", s.Price, c.price)
			same(t, "total", s.TotalShares, c.total)
			same(t, "money raised", new(big.Rat).Sub(s.PostMoney, s.PreMoney), "3000000")
		})
	}
}

func TestPool(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim                string
		available            int64
		pool                 conversion.Pool
		increase, left, part string
	}{
		{"grows to its target of all shares after the round", 0, conversion.Pool{Target: number("0.1")}, "8000000/7", "8000000/7", "1/10"},
		{"counts what it has towards the target", 500_000, conversion.Pool{Target: number("0.1")}, "4500000/7", "8000000/7", "0.1"},
		{"is never made smaller", 2_000_000, conversion.Pool{Target: number("0.1")}, "0", "2000000", "4/25"},
		{"grows by what is asked for", 500_000, conversion.Pool{Increase: number("100000")}, "100000", "600000", "24/430"},
		{"stays without a wish", 500_000, conversion.Pool{}, "0", "500000", "4/85"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			r := seed()
			r.Company.PoolAvailable, r.Pool = whole(c.available), c.pool
			s := solved(t, r)
			same(t, "increase", s.PoolIncrease, c.increase)
			same(t, "left", s.PoolAvailable, c.left)
			same(t, "part", new(big.Rat).Quo(s.PoolAvailable, s.TotalShares), c.part)
		})
	}
}

func TestElection(t *testing.T) {
	t.Parallel()
	mfn := conversion.Convertible{ID: "M", Amount: ratio("500000"), MFN: true, Elects: "A"}
	later := million("A")
	later.Discount = number("0.1")
	s := solved(t, seed(mfn, later))
	equal(t, "basis", s.Conversions[0].Basis, conversion.Cap)
	equal(t, "elected", s.Conversions[0].Elects, "A")
	same(t, "price", s.Conversions[0].Price, s.Conversions[1].Price.RatString())
	equal(t, "terms of the elected", len(s.Conversions[0].Offers), 2)
}

func TestProRata(t *testing.T) {
	t.Parallel()
	r := seed(million("A"))
	r.ProRata = []conversion.Participation{{ID: "angel", Convertibles: []string{"A"}}, {ID: "founder", Shares: whole(800_000)}}
	s, plain := solved(t, r), solved(t, seed(million("A")))
	t.Run("pro rata rights do not change the size of the round", func(t *testing.T) {
		t.Parallel()
		same(t, "total", s.TotalShares, plain.TotalShares.RatString())
	})
	t.Run("a pro rata right buys the fraction of its holder before the new money", func(t *testing.T) {
		t.Parallel()
		equal(t, "by right", s.NewMoney[1].ProRata, true)
		same(t, "angel's 10 %", s.NewMoney[1].Amount, "300000")
		same(t, "founder's 9 %", s.NewMoney[2].Amount, "270000")
	})
	t.Run("pro rata rights reduce the allocations of investors", func(t *testing.T) {
		t.Parallel()
		same(t, "investor", s.NewMoney[0].Amount, "2430000")
	})
}
