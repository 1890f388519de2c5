package conversion

import "math/big"

// All parts in this file are fractions of the company: 0.15 is 15 %.

// PostMoneyPart returns the part that an amount buys at a post-money cap, before the new money.
func PostMoneyPart(amount, valuation *big.Rat) *big.Rat { return new(big.Rat).Quo(amount, valuation) }

// ProRataPart returns the part that a holder with a part before the new money buys by pro rata right, in addition
// to the full part of the new investors: the round grows until the purchase is the holder's part of it. held must
// be less than one.
func ProRataPart(newInvestors, held *big.Rat) *big.Rat {
	part := new(big.Rat).Mul(newInvestors, held)
	return part.Quo(part, new(big.Rat).Sub(big.NewRat(1, 1), held))
}

// ProRataBudget returns the maximum total part of holders of pro rata rights before the new money, such that the
// round with the new investors does not exceed the whole round: the [ProRataPart] of the result is the remainder.
// wholeRound must be greater than zero.
func ProRataBudget(newInvestors, wholeRound *big.Rat) *big.Rat {
	rest := new(big.Rat).Sub(wholeRound, newInvestors)
	return rest.Quo(rest, wholeRound)
}

// Dilution returns the fraction by which a round reduces every part: the new investors, the pro rata purchases and
// the increase of the pool.
func Dilution(newInvestors, withProRata, poolIncrease *big.Rat) *big.Rat {
	sum := ProRataPart(newInvestors, withProRata)
	return sum.Add(sum, newInvestors).Add(sum, poolIncrease)
}

// Diluted returns a part after the dilution.
func Diluted(part, dilution *big.Rat) *big.Rat {
	left := new(big.Rat).Sub(big.NewRat(1, 1), dilution)
	return left.Mul(left, part)
}

// ProRataShares returns the shares of a round for a holder with a part before the new money. Round it down for
// whole shares.
func ProRataShares(roundShares, held *big.Rat) *big.Rat { return new(big.Rat).Mul(roundShares, held) }
