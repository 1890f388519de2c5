package conversion

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
)

// explain describes a solution line by line: the company, the components of each capitalization, the pool, the
// price, each conversion and each purchase.
func (p *problem) explain(s Solution) []string {
	lines := []string{
		"Before the round: " + p.round.Company.words() + " = " + count(p.total) + " shares.",
		"Post-money caps are divided by " + count(s.Capitalization) + " shares: the shares before the round and " +
			count(new(big.Rat).Sub(s.Capitalization, p.total)) + " from conversions, excluding the increase of the pool and the new money.",
		"Pre-money caps are divided by " + count(s.PreMoneyCapitalization) + " shares: the shares before the round and " +
			count(s.PoolIncrease) + " added to the pool, without conversions.",
		p.explainPool(s),
		p.explainPrice(s),
	}
	for _, c := range s.Conversions {
		lines = append(lines, c.explain(p.round))
	}
	for _, purchase := range s.NewMoney {
		lines = append(lines, purchase.explain(s))
	}
	return lines
}

// words lists the components of the company before the round.
func (c Company) words() string {
	words := []string{count(c.Common.Rat()) + " outstanding"}
	for _, part := range []struct {
		shares exact.Decimal
		what   string
	}{
		{c.OptionsGranted, " granted options"},
		{c.OptionsPromised, " promised options"},
		{c.PoolAvailable, " available in the pool"},
	} {
		if !part.shares.IsZero() {
			words = append(words, count(part.shares.Rat())+part.what)
		}
	}
	return strings.Join(words, " + ")
}

func (p *problem) explainPool(s Solution) string {
	switch {
	case p.target.Sign() > 0 && s.PoolIncrease.Sign() == 0:
		return "The pool of " + count(s.PoolAvailable) + " is not below its target of " + percent(p.target) + " and does not grow."
	case p.target.Sign() > 0:
		return "The pool grows by " + count(s.PoolIncrease) + " to " + count(s.PoolAvailable) + ", " +
			percent(p.target) + " of the " + count(s.TotalShares) + " shares after the round."
	case s.PoolIncrease.Sign() > 0:
		return "The pool grows by " + count(s.PoolIncrease) + " to " + count(s.PoolAvailable) + ", as requested."
	default:
		return "The pool stays at " + count(s.PoolAvailable) + "."
	}
}

// explainPrice describes the division that results in the price. Conventions differ only in the dividend and in
// whether the shares include conversions.
func (p *problem) explainPrice(s Solution) string {
	price := price(s.Price)
	before := new(big.Rat).Quo(s.PreMoney, s.Price)
	switch {
	case p.round.PricePerShare.Sign() > 0:
		return "The price of the round is given: " + price + "."
	case p.round.Convention == PreMoneyMethod:
		return "The price of the round is " + money(p.behind) + " / " + count(s.PreMoneyCapitalization) +
			" shares before the new money, without conversions = " + price + "."
	case p.round.Convention == DollarsInvested:
		return "The price of the round is " + money(p.behind) + ", the valuation with the " + money(p.converts) +
			" that convert, / " + count(before) + " shares before the new money = " + price + "."
	default:
		return "The price of the round is " + money(p.behind) + " / " + count(before) +
			" shares before the new money, including conversions = " + price + "."
	}
}

// explain describes the result of each term, and the best one.
func (c Conversion) explain(r Round) string {
	line := c.ID + ": "
	if c.Elects != "" {
		line += "elects the terms of " + c.Elects + "; "
	}
	var offers []string
	for i, o := range c.Offers {
		offers = append(offers, o.explain(r.terms(c.ID)))
		if o.Basis == c.Basis {
			offers[i] += " (the most)"
		}
	}
	line += money(c.Amount) + " converts at " + price(c.Price) + " per share: " + strings.Join(offers, "; ") + "."
	if elective := r.elective(c.ID); len(elective) > 0 {
		line += " The holder may elect the terms of " + strings.Join(elective, ", or of ") + " instead (most favored nation)."
	}
	return line
}

// elective returns the ids of the later instruments whose terms an instrument without an election may adopt.
func (r Round) elective(id string) (elective []string) {
	i := slices.IndexFunc(r.Convertibles, func(c Convertible) bool { return c.ID == id })
	if i < 0 || !r.Convertibles[i].MFN || r.Convertibles[i].Elects != "" {
		return nil
	}
	for _, later := range r.Convertibles[i+1:] {
		electing := r.Convertibles[i]
		electing.Elects = later.ID
		if len(electing.electionFaults(r.Convertibles[i+1:])) == 0 && (later.Cap.Sign() > 0 || later.Discount.Sign() > 0) {
			elective = append(elective, later.ID)
		}
	}
	return elective
}

// terms returns an instrument of the round with its elected terms.
func (r Round) terms(id string) Convertible {
	for _, c := range r.Convertibles {
		if c.ID == id {
			return c.electing(r.Convertibles)
		}
	}
	return Convertible{}
}

// explain describes the computation of a term's shares.
func (o Offer) explain(terms Convertible) string {
	gives := " gives " + count(o.Shares)
	switch o.Basis {
	case FixedShares:
		return "its fixed number of shares" + gives
	case FixedPercent:
		return "its " + percent(terms.FixedPercent.Rat()) + " of " + count(o.Capitalization) + " shares" + gives
	case Cap:
		return "its " + string(terms.CapBasis) + "-money cap of " + terms.Cap.String() + " / " + count(o.Capitalization) + " shares" + gives
	case Discount:
		return "the price of the round less " + percent(terms.Discount.Rat()) + gives
	case RoundPrice:
		return "the price of the round" + gives
	}
	return ""
}

func (p Purchase) explain(s Solution) string {
	right := ""
	if p.ProRata {
		right = ", by its pro rata right of " + percent(new(big.Rat).Quo(p.Amount, s.raised()))
	}
	return p.ID + ": " + money(p.Amount) + " buys " + count(p.Shares) + " shares" + right + ", " + percent(p.Ownership) + " of the company."
}

// raised returns the total new money.
func (s Solution) raised() *big.Rat { return new(big.Rat).Sub(s.PostMoney, s.PreMoney) }

// The decimal places of exact values in explanations.
const (
	countPlaces   = 4
	moneyPlaces   = 2
	pricePlaces   = 10
	percentPlaces = 4
)

func count(r *big.Rat) string { return exact.RoundHalfUp(r, countPlaces).String() }
func money(r *big.Rat) string { return exact.RoundHalfUp(r, moneyPlaces).String() }
func price(r *big.Rat) string { return exact.RoundHalfUp(r, pricePlaces).String() }

func percent(r *big.Rat) string {
	return exact.RoundHalfUp(new(big.Rat).Mul(r, big.NewRat(100, 1)), percentPlaces).String() + " %"
}
