package conversion_test

import (
	"math/big"
	"testing"

	"equity/captable/conversion"
)

// roundCase is a published case of a priced round.
type roundCase struct {
	ID      string `json:"id"`
	Company struct {
		Common          int64 `json:"common"`
		OptionsGranted  int64 `json:"options_granted"`
		OptionsPromised int64 `json:"options_promised"`
		PoolAvailable   int64 `json:"pool_available"`
	} `json:"company"`
	Convertibles []struct {
		ID           string `json:"id"`
		Amount       string `json:"amount"`
		Cap          string `json:"cap"`
		CapBasis     string `json:"cap_basis"`
		Discount     string `json:"discount"`
		FixedPercent string `json:"fixed_percent"`
		MFN          bool   `json:"mfn"`
		Elects       string `json:"elects"`
	} `json:"convertibles"`
	Round struct {
		PreMoney string `json:"pre_money"`
		NewMoney []struct {
			ID     string `json:"id"`
			Amount string `json:"amount"`
		} `json:"new_money"`
		Pool struct {
			Target   string `json:"target_available"`
			Increase string `json:"increase"`
		} `json:"pool"`
		Convention string `json:"convention"`
	} `json:"round"`
	Expect struct {
		Published map[string]string `json:"published"`
	} `json:"expect"`
}

// round converts the case to a Round.
func (c roundCase) round() conversion.Round {
	r := priced(c.Round.PreMoney)
	r.Company = conversion.Company{
		Common: whole(c.Company.Common), OptionsGranted: whole(c.Company.OptionsGranted),
		OptionsPromised: whole(c.Company.OptionsPromised), PoolAvailable: whole(c.Company.PoolAvailable),
	}
	for _, one := range c.Convertibles {
		r.Convertibles = append(r.Convertibles, conversion.Convertible{
			ID: one.ID, Amount: ratio(one.Amount), Cap: optional(one.Cap), CapBasis: conversion.CapBasis(one.CapBasis),
			Discount: optional(one.Discount), FixedPercent: optional(one.FixedPercent), MFN: one.MFN, Elects: one.Elects,
		})
	}
	for _, money := range c.Round.NewMoney {
		r.NewMoney = append(r.NewMoney, conversion.Investment{ID: money.ID, Amount: number(money.Amount)})
	}
	r.Pool = conversion.Pool{Target: optional(c.Round.Pool.Target), Increase: optional(c.Round.Pool.Increase)}
	r.Convention = map[string]conversion.Convention{
		"": "", "safes_inside_pre_money": conversion.SafesInsidePreMoney,
		"pre_money_method": conversion.PreMoneyMethod, "dollars_invested": conversion.DollarsInvested,
	}[c.Round.Convention]
	return r
}

// published returns the round of a published case.
func published(tb testing.TB, id string) conversion.Round {
	tb.Helper()
	for _, c := range cases[roundCase](tb, "priced_rounds.json") {
		if c.ID == id {
			return c.round()
		}
	}
	tb.Fatalf("no case %s", id)
	return conversion.Round{}
}

func priced(preMoney string) conversion.Round { return conversion.Round{PreMoney: number(preMoney)} }

// seed returns a company of 8,000,000 shares that raises 3,000,000 at 12,000,000.
func seed(convertibles ...conversion.Convertible) conversion.Round {
	r := priced("12000000")
	r.Company.Common = whole(8_000_000)
	r.NewMoney = []conversion.Investment{{ID: "N", Amount: number("3000000")}}
	r.Convertibles = convertibles
	return r
}

// million returns a post-money SAFE of 1,000,000 at a cap of 10,000,000.
func million(id string) conversion.Convertible {
	return conversion.Convertible{ID: id, Amount: ratio("1000000"), Cap: number("10000000")}
}

func discounted(id, amount, discount string) conversion.Convertible {
	return conversion.Convertible{ID: id, Amount: ratio(amount), Discount: number(discount)}
}

// solved returns the solution of a solvable round.
func solved(tb judge, r conversion.Round) conversion.Solution {
	tb.Helper()
	for _, fault := range r.Faults() {
		tb.Errorf("%s: %s", fault.Pointer, fault.Message)
	}
	s, err := r.Solve()
	if err != nil {
		tb.Errorf("%v", err)
	}
	return s
}

func ratio(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}
