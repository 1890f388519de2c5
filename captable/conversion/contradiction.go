package conversion

import (
	"math/big"
	"strings"
)

// ContradictionError is the error of a round whose terms claim the whole company or more.
type ContradictionError struct {
	// Claims describes the contradictory terms with their fractions.
	Claims []string
}

// Error lists all claims.
func (c *ContradictionError) Error() string {
	return "no round meets all its terms: " + strings.Join(c.Claims, "; ")
}

// contradiction returns the claims of a choice's terms, which together are 1 or more.
func (p *problem) contradiction(c choice) *ContradictionError {
	out := &ContradictionError{}
	claim := func(part *big.Rat, what string) {
		if part.Sign() > 0 {
			out.Claims = append(out.Claims, what+" "+percent(part))
		}
	}
	sums := p.sums(c)
	claim(sums[company], "post-money caps and fixed percentages claim, of the company before the new money,")
	claim(sums[preMoney], "pre-money caps claim, on top of the shares before the conversions,")
	if p.behind.Sign() > 0 {
		after := new(big.Rat).Add(p.behind, p.money)
		claim(
			sums[perDollar].Quo(sums[perDollar], after),
			"conversions at the price of the round or a discount on it claim, of the company after the round,",
		)
		claim(new(big.Rat).Quo(p.money, after), "the new money claims, of the company after the round,")
	}
	if c.grows {
		claim(p.target, "the target of the pool claims, of the company after the round,")
	}
	return out
}

// sums adds the rates of the chosen offers, for each unknown.
func (p *problem) sums(c choice) point {
	sums := point{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}
	for i, offers := range p.offers {
		o := offers[c.chosen[i]]
		sums[o.of].Add(sums[o.of], o.rate)
	}
	return sums
}
