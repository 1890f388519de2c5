package conversion_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// instruments generates SAFEs and notes of all kinds that together own less than the whole company.
func instruments() *rapid.Generator[[]conversion.Convertible] {
	return rapid.Custom(func(t *rapid.T) []conversion.Convertible {
		var all []conversion.Convertible
		for i := range rapid.IntRange(0, 8).Draw(t, "instruments") {
			c := conversion.Convertible{ID: strconv.Itoa(i), Amount: big.NewRat(rapid.Int64Range(1, 1_000_000).Draw(t, "amount"), 7)}
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				c.FixedPercent = number("0.03")
			case 1:
				c.Discount = number("0.2")
			case 2:
				c.Cap = whole(rapid.Int64Range(2_000_000, 90_000_000).Draw(t, "cap"))
			case 3:
				c.Cap, c.CapBasis = whole(rapid.Int64Range(2_000_000, 90_000_000).Draw(t, "cap")), conversion.PreMoney
			case 4:
				c.Cap, c.Discount = whole(rapid.Int64Range(2_000_000, 90_000_000).Draw(t, "cap")), number("0.15")
			case 5:
				c.FixedShares = big.NewRat(rapid.Int64Range(1, 1_000_000).Draw(t, "shares"), 3)
			}
			all = append(all, c)
		}
		return all
	})
}

// rounds generates solvable rounds.
func rounds() *rapid.Generator[conversion.Round] {
	return rapid.Custom(func(t *rapid.T) conversion.Round {
		r := conversion.Round{
			PreMoney: whole(rapid.Int64Range(5_000_000, 100_000_000).Draw(t, "pre-money")),
			NewMoney: []conversion.Investment{{ID: "N", Amount: whole(rapid.Int64Range(1, 4_000_000).Draw(t, "money"))}},
			Company: conversion.Company{
				Common: whole(rapid.Int64Range(1, 20_000_000).Draw(t, "common")), PoolAvailable: whole(rapid.Int64Range(0, 100_000).Draw(t, "pool")),
				OptionsGranted:  whole(rapid.Int64Range(0, 100_000).Draw(t, "granted")),
				OptionsPromised: whole(rapid.Int64Range(0, 100_000).Draw(t, "promised")),
			},
			Convention: rapid.SampledFrom([]conversion.Convention{
				conversion.SafesInsidePreMoney, conversion.PreMoneyMethod, conversion.DollarsInvested,
			}).Draw(t, "convention"),
			Convertibles: instruments().Draw(t, "convertibles"),
		}
		if rapid.Bool().Draw(t, "target") {
			r.Pool.Target = number("0.1")
		}
		return r
	})
}

func TestOwnershipIsComplete(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		s := solved(t, r)
		sum := new(big.Rat)
		for _, part := range []exact.Decimal{r.Company.Common, r.Company.OptionsGranted, r.Company.OptionsPromised} {
			sum.Add(sum, new(big.Rat).Quo(part.Rat(), s.TotalShares))
		}
		sum.Add(sum, new(big.Rat).Quo(s.PoolAvailable, s.TotalShares))
		for _, c := range s.Conversions {
			sum.Add(sum, c.Ownership)
		}
		for _, purchase := range s.NewMoney {
			sum.Add(sum, purchase.Ownership)
		}
		same(t, "ownership", sum, "1")
		if s.Price.Sign() <= 0 {
			t.Errorf("the price is %s", s.Price)
		}
	})
}

func TestEveryTermHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		s := solved(t, r)
		for i, c := range s.Conversions {
			terms := r.Convertibles[i]
			for _, offer := range c.Offers {
				if offer.Shares.Cmp(c.Shares) > 0 {
					t.Errorf("%s converts at %s, although %s gives more", c.ID, c.Basis, offer.Basis)
				}
			}
			switch c.Basis {
			case conversion.FixedShares:
				same(t, "shares", c.Shares, terms.FixedShares.RatString())
			case conversion.FixedPercent:
				same(t, "percentage", c.BeforeNewMoney, terms.FixedPercent.String())
			case conversion.Cap:
				if terms.CapBasis != conversion.PreMoney {
					same(t, "part", c.BeforeNewMoney, new(big.Rat).Quo(terms.Amount, terms.Cap.Rat()).RatString())
				}
			case conversion.Discount:
				same(t, "price", new(big.Rat).Quo(c.Price, s.Price), new(big.Rat).Sub(ratio("1"), terms.Discount.Rat()).RatString())
			case conversion.RoundPrice:
				same(t, "price", c.Price, s.Price.RatString())
			}
		}
		part := new(big.Rat).Quo(s.PoolAvailable, s.TotalShares)
		if part.Cmp(r.Pool.Target.Rat()) < 0 {
			t.Errorf("the pool is %s of the shares", part.FloatString(6))
		}
	})
}

func TestHigherCapNeverResultsInMoreShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		c := million("C")
		c.CapBasis = rapid.SampledFrom([]conversion.CapBasis{conversion.PostMoney, conversion.PreMoney}).Draw(t, "basis")
		r.Convertibles = append(r.Convertibles, c)
		low := solved(t, r)
		r.Convertibles[len(r.Convertibles)-1].Cap = whole(rapid.Int64Range(10_000_000, 50_000_000).Draw(t, "higher cap"))
		high := solved(t, r)
		last := len(r.Convertibles) - 1
		if high.Conversions[last].Ownership.Cmp(
			low.Conversions[last].Ownership,
		) > 0 || high.Conversions[last].Shares.Cmp(low.Conversions[last].Shares) > 0 {
			t.Errorf("the higher cap gives %s, the lower %s", high.Conversions[last].Shares, low.Conversions[last].Shares)
		}
	})
}

func TestOrderOfInstrumentsIsIrrelevant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		s := solved(t, r)
		r.Convertibles = slices.Clone(r.Convertibles)
		slices.Reverse(r.Convertibles)
		other := solved(t, r)
		same(t, "price", other.Price, s.Price.RatString())
		slices.Reverse(other.Conversions)
		for i, c := range s.Conversions {
			same(t, c.ID, other.Conversions[i].Shares, c.Shares.RatString())
		}
	})
}

func TestNewMoneyInsideTheRoundBuysItsPartOfThePostMoney(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		r.Convention = conversion.SafesInsidePreMoney
		s := solved(t, r)
		money := r.NewMoney[0].Amount
		same(t, "part", s.NewMoney[0].Ownership, new(big.Rat).Quo(money.Rat(), money.Add(r.PreMoney).Rat()).RatString())
	})
}
