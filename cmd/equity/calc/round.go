package calc

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// roundCase is a priced round of a company.
type roundCase struct {
	Company *struct {
		Common          number `json:"common"`
		OptionsGranted  number `json:"options_granted"`
		OptionsPromised number `json:"options_promised"`
		PoolAvailable   number `json:"pool_available"`
	} `json:"company"`
	Convertibles []roundConvertible `json:"convertibles"`
	Round        *pricedRound       `json:"round"`
	Rounding     *roundRounding     `json:"rounding"`
}

type roundConvertible struct {
	ID           string              `json:"id"`
	Amount       number              `json:"amount"`
	Cap          number              `json:"cap"`
	CapBasis     conversion.CapBasis `json:"cap_basis"`
	Discount     number              `json:"discount"`
	FixedPercent number              `json:"fixed_percent"`
	MFN          bool                `json:"mfn"`
	Elects       string              `json:"elects"`
}

type pricedRound struct {
	PreMoney      number         `json:"pre_money"`
	PostMoney     number         `json:"post_money"`
	PricePerShare number         `json:"price_per_share"`
	NewMoney      []roundMoney   `json:"new_money"`
	Pool          roundPool      `json:"pool"`
	Convention    convention     `json:"convention"`
	ProRata       []roundProRata `json:"pro_rata"`
}

type roundMoney struct {
	ID     string `json:"id"`
	Amount number `json:"amount"`
}

type roundPool struct {
	Target   number `json:"target_available"`
	Increase number `json:"increase"`
}

type roundProRata struct {
	ID           string   `json:"id"`
	Shares       number   `json:"shares"`
	Convertibles []string `json:"convertibles"`
}

// roundRounding describes the rounding of a case's source.
type roundRounding struct {
	Shares string `json:"shares"`
	Price  string `json:"price"`
	Places int    `json:"price_places"`
}

// convention is a convention in the spelling of cases.
type convention string

// known returns the domain's name. An unknown name is returned unchanged.
func (c convention) known() conversion.Convention {
	switch c {
	case "safes_inside_pre_money":
		return conversion.SafesInsidePreMoney
	case "pre_money_method":
		return conversion.PreMoneyMethod
	case "dollars_invested":
		return conversion.DollarsInvested
	default:
		return conversion.Convention(c)
	}
}

// basis is a basis in the spelling of cases.
type basis conversion.Basis

// MarshalText returns the name with an underscore.
func (b basis) MarshalText() ([]byte, error) {
	switch conversion.Basis(b) {
	case conversion.FixedPercent:
		return []byte("fixed_percent"), nil
	case conversion.RoundPrice:
		return []byte("round_price"), nil
	case conversion.Cap, conversion.Discount, conversion.FixedShares:
	}
	return []byte(b), nil
}

// roundOf calculates the round.
func roundOf(c roundCase) (answer roundAnswer, err error) {
	if c.Company == nil {
		return answer, errors.New("a case has a company")
	}
	round := c.round()
	faults := round.Faults()
	if c.Round == nil { // without a round, only the company and its instruments can be refused
		faults = slices.DeleteFunc(faults, ofRound)
	}
	if len(faults) > 0 {
		return answer, refuse(why(faults[0]))
	}
	if c.Round == nil {
		return answer, errors.New("a case has a round")
	}
	solution, err := round.Solve()
	if err != nil {
		return answer, refuse(err.Error())
	}
	answer.Exact = exactly(solution)
	answer.Explanation = solution.Explanation
	if by, ok := c.Rounding.rule(round); ok {
		if whole, ok := solution.Close(round, by); ok {
			answer.Rounded = rounded(whole)
		}
	}
	return answer, nil
}

// ofRound reports whether a fault concerns the round itself.
func ofRound(fault conversion.Fault) bool {
	return !strings.HasPrefix(fault.Pointer, "/company") && !strings.HasPrefix(fault.Pointer, "/convertibles")
}

// round converts the case to the domain's type.
func (c roundCase) round() conversion.Round {
	out := conversion.Round{
		Company: conversion.Company{
			Common: c.Company.Common.Decimal, OptionsGranted: c.Company.OptionsGranted.Decimal,
			OptionsPromised: c.Company.OptionsPromised.Decimal, PoolAvailable: c.Company.PoolAvailable.Decimal,
		},
		Fractional: c.Rounding != nil && c.Rounding.Shares == "none",
	}
	for _, one := range c.Convertibles {
		out.Convertibles = append(out.Convertibles, conversion.Convertible{
			ID: one.ID, Amount: one.Amount.Rat(), Cap: one.Cap.Decimal, CapBasis: one.CapBasis,
			Discount: one.Discount.Decimal, FixedPercent: one.FixedPercent.Decimal, MFN: one.MFN, Elects: one.Elects,
		})
	}
	c.Round.price(&out)
	return out
}

// price sets the fields of the round. Without a round it sets a placeholder price, so that
// only faults of the company and its convertibles are found.
func (r *pricedRound) price(out *conversion.Round) {
	if r == nil {
		out.PricePerShare = exact.NewDecimal(1)
		return
	}
	out.PreMoney, out.PostMoney, out.PricePerShare = r.PreMoney.Decimal, r.PostMoney.Decimal, r.PricePerShare.Decimal
	out.Convention = r.Convention.known()
	out.Pool = conversion.Pool{Target: r.Pool.Target.Decimal, Increase: r.Pool.Increase.Decimal}
	for _, money := range r.NewMoney {
		out.NewMoney = append(out.NewMoney, conversion.Investment{ID: money.ID, Amount: money.Amount.Decimal})
	}
	for _, right := range r.ProRata {
		out.ProRata = append(
			out.ProRata, conversion.Participation{ID: right.ID, Shares: right.Shares.Decimal, Convertibles: right.Convertibles},
		)
	}
}

// rule returns the rule of the source, if it is supported: shares down and
// prices up, or no rounding.
func (r *roundRounding) rule(round conversion.Round) (by conversion.Rounding, ok bool) {
	inside := round.Convention == "" || round.Convention == conversion.SafesInsidePreMoney
	switch {
	case r == nil || !inside || round.PricePerShare.Sign() > 0:
		return by, false
	case r.Shares == "none" && r.Price == "none":
		return conversion.Rounding{Places: -1}, true
	default:
		return conversion.Rounding{Places: r.Places}, r.Shares == "floor" && r.Price == "ceil" && r.Places >= 0 && r.Places <= exact.Places
	}
}

// why returns the reason in the wording of the cases.
func why(fault conversion.Fault) string {
	switch {
	case fault.Code == "amountReachesCap":
		return "investment must be less than the cap"
	case fault.Code == "notBelowOne" && fault.Pointer == "/pool/target":
		return "pool target must be below 1"
	case fault.Code == "notBelowOne":
		return "discount must be below 1"
	case fault.Code == "notWhole":
		return "whole shares only"
	case fault.Code == "unsupportedTerms":
		return "unsupported terms: an election must be of a post-money instrument; without an election the MFN instrument converts on its own terms"
	default:
		return fault.Pointer + ": " + fault.Message
	}
}

// places is the number of decimal places of an exact figure.
const places = 10

func decimal(r *big.Rat) exact.Decimal { return exact.RoundHalfUp(r, places) }

// ratio encodes a number as a JSON number: whole, or with the decimal places of a source that
// does not round.
type ratio struct {
	*big.Rat
}

// MarshalJSON returns the number.
func (r ratio) MarshalJSON() ([]byte, error) {
	return json.Marshal(json.Number(decimal(r.Rat).String()))
}
